// SPDX-License-Identifier: Apache-2.0
/// Types and numbers that modules share: header and code of a packet, codecs, what the wires of the network carry. The
/// formats are those of docs/03_reference/flit.md, compression.md and network_coding.md.
`default_nettype none

package weft_pkg;

  /// Bits of a number of words or flits in the header.
  localparam int unsigned SizeBits = 24;
  /// Bits of the cut in the header.
  localparam int unsigned CutBits = 6;
  /// Most bits that LSB-cut can cut off.
  localparam int unsigned MaxCut = 51;

  /// Run lengths of Table I of COMPRESS: r0 in the lowest six bits.
  localparam logic [35:0] TableOne = {6'd13, 6'd14, 6'd15, 6'd16, 6'd17, 6'd18};

  /// Form in which a packet travels.
  typedef enum logic [1:0] {
    CodecRaw     = 2'd0,
    CodecTable   = 2'd1,  // FPC by table
    CodecClassic = 2'd2,  // classic FPC
    CodecLsbCut  = 2'd3
  } codec_e;

  /// Data type of a message, as MPI gives it.
  typedef enum logic [1:0] {
    TypeOther         = 2'd0,
    TypeInt           = 2'd1,
    TypeDouble        = 2'd2,
    TypeDoubleComplex = 2'd3
  } data_type_e;

  /// What the compressor does with candidates.
  typedef enum logic [1:0] {
    ModeNone      = 2'd0,
    ModeAlways    = 2'd1,
    ModeSelective = 2'd2
  } mode_e;

  /// What a decoder found wrong with a packet.
  typedef enum logic [1:0] {
    ErrorNone      = 2'd0,
    ErrorTruncated = 2'd1,  // the string ends before the last word
    ErrorOverLong  = 2'd2,  // flits are left behind the last group
    ErrorCorrupt   = 2'd3   // the string or the header is not one that an encoder makes
  } error_e;

  /// Prefixes of classic FPC. (FPC by table shares the last: any word.)
  typedef enum logic [2:0] {
    TokenZeros    = 3'd0,  // run of zero words
    TokenSign4    = 3'd1,
    TokenSign8    = 3'd2,
    TokenSign16   = 3'd3,
    TokenUpper    = 3'd4,  // upper halfword, the lower one is 0
    TokenTwoBytes = 3'd5,  // two halfwords, each a sign-extended byte
    TokenRepeated = 3'd6,  // four equal bytes
    TokenWord     = 3'd7
  } token_e;

  /// Prefix that FPC by table does not use.
  localparam logic [2:0] PrefixInvalid = 3'd6;

  /// Bits of the class of a message: as many classes as a port can have VCs.
  localparam int unsigned ClassBits = 4;
  /// Bits of the number of a node.
  localparam int unsigned NodeBits = 20;

  /// Header of a packet, never compressed. In flight it accompanies the head flit.
  typedef struct packed {
    logic [ClassBits-1:0] message_class;  // of the VCs that it travels on
    logic [NodeBits-1:0]  destination;
    logic [NodeBits-1:0]  source;
    logic [SizeBits-1:0]  flits;          // of the packet as it travels
    logic [SizeBits-1:0]  words;          // of the message
    logic [1:0]           data_type;      // data_type_e
    logic [1:0]           codec;          // codec_e
    logic [CutBits-1:0]   cut;            // bits that LSB-cut cut off
  } header_t;

  /// Bits of the header (Yosys knows no $bits of a type).
  localparam int unsigned HeaderBits = 102;

  /// Bits of the name of a datum, and of its uses.
  localparam int unsigned NameBits = 20;
  localparam int unsigned UsesBits = 4;

  /// What XOR stages do with a packet. The last three are for the encoder only and do not travel.
  typedef enum logic [2:0] {
    RolePlain   = 3'd0,
    RoleCoded   = 3'd1,  // its payload is first XOR second
    RoleHold    = 3'd2,  // the encoder keeps it
    RoleCombine = 3'd3,  // the encoder sends held XOR this
    RoleChain   = 3'd4   // the same, and then it keeps this one
  } role_e;

  /// A datum by name; see docs/03_reference/network_coding.md.
  typedef struct packed {
    logic [NameBits-1:0] name;
    logic [SizeBits-1:0] words;
    logic [UsesBits-1:0] uses;
    logic [1:0]          data_type;  // data_type_e
  } datum_t;

  /// The part of the header that XOR stages read. Like the header it accompanies the head flit.
  typedef struct packed {
    logic [2:0] role;      // role_e
    logic       relay;     // coded: the receiver gets it as it is, too
    logic       overflow;  // the decoder had no room to keep what it should have kept
    datum_t     first;
    datum_t     second;    // coded only
  } code_t;

  /// Bits of a datum by name, and of the code.
  localparam int unsigned DatumBits = 50;
  localparam int unsigned CodeBits = 105;

  /// Bits of the longest group of a flit of `words` words, with the run that may be open before it.
  function automatic int unsigned chunk_bits(input int unsigned words);
    chunk_bits = (words == 1) ? 65 : 35 * words + 6;
  endfunction

  /// Words of the largest group that a decoder meets: LSB-cut always decodes a whole double.
  function automatic int unsigned group_words(input int unsigned words);
    group_words = (words == 1) ? 2 : words;
  endfunction

  // ------------------------------------------------------------------------------------------------------------------
  // The wires of the network. What depends on parameters is a flat vector. From the highest bit:
  //
  //   flit    valid, head, tail, VC of the buffer it goes to, way, data
  //   data    header, error, code (only with XOR stages), user, payload: what routers carry and do not change. Of the
  //           header they read destination and flits.
  //   credit  valid, VC
  //   head    valid, VC, destination, length, way: a head at the front of a VC, which wants a route
  //   route   valid, VC, output port, its admissible VCs, length: what it may ask the VC allocator for
  //
  // Between node and NIC, and between the stages of a NIC, flits have no way, and where they are sent no VC.
  //
  // The number of a VC or a port has as many bits as the parameters ask for, at least one; so has the way.

  /// Bits of what a decoder found wrong with a packet; error_e.
  localparam int unsigned ErrorBits = 2;
  /// Bits of the credits of a VC, where they are counted for the VC allocator; all ones for a receiver without limit.
  localparam int unsigned CreditCountBits = 16;
  /// Heads of one port that can ask for a route in one cycle: one that arrives, and one behind a tail that leaves.
  localparam int unsigned HeadSlots = 2;
  /// Dimensions of a grid at most, and bits of a coordinate.
  localparam int unsigned MaxDimensions = 4;
  localparam int unsigned CoordinateBits = 16;

  /// How a router finds the way of a packet (parameter Rule).
  localparam int unsigned RuleGrid   = 0;  // dimension order in a mesh, torus or ring
  localparam int unsigned RuleTable  = 1;  // an entry for each destination
  localparam int unsigned RuleSource = 2;  // the packet's way says it
  localparam int unsigned RuleTree   = 3;  // by a nearest common ancestor in a fat tree
  localparam int unsigned RuleCube   = 4;  // dimension order in a hypercube

  /// Bits of the data of a flit: of `words` words, with or without code, with `user` bits that the sender chooses.
  function automatic int unsigned data_bits(input int unsigned words, input int unsigned code,
                                            input int unsigned user);
    data_bits = HeaderBits + ErrorBits + ((code != 0) ? CodeBits : 0) + user + 32 * words;
  endfunction

  /// Bits of the length of a packet where it is compared with credits, under cut-through: the next buffers hold `depth`
  /// flits at most, and all ones stand for any number above. Without cut-through it is one bit, which means nothing.
  function automatic int unsigned length_bits(input int unsigned cut_through, input int unsigned depth);
    length_bits = (cut_through != 0) ? $clog2(depth + 2) : 1;
  endfunction

  /// Bits of a flit, of a head and of a route, all with `vc` bits for the number of a VC.
  function automatic int unsigned flit_bits(input int unsigned vc, input int unsigned way, input int unsigned data);
    flit_bits = 3 + vc + way + data;
  endfunction
  function automatic int unsigned head_bits(input int unsigned vc, input int unsigned way, input int unsigned length);
    head_bits = 1 + vc + NodeBits + length + way;
  endfunction
  function automatic int unsigned route_bits(input int unsigned vc, input int unsigned port, input int unsigned vcs,
                                             input int unsigned length);
    route_bits = 1 + vc + port + vcs + length;
  endfunction

  /// Bits of what is constant in a router: with RuleTable, those of the `entries` of the table.
  function automatic int unsigned rule_bits(input int unsigned rule, input int unsigned dimensions,
                                            input int unsigned entries);
    rule_bits = (rule == RuleGrid) ? MaxDimensions * CoordinateBits :
                (rule == RuleTable) ? entries :
                (rule == RuleTree) ? NodeBits :
                (rule == RuleCube) ? dimensions : 1;
  endfunction

endpackage

`default_nettype wire
