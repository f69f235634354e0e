// SPDX-License-Identifier: Apache-2.0
/// Types and constants that modules share: header and code of a packet, codecs, and the wires of the network. The
/// formats are those of docs/03_reference/flit.md, compression.md and network_coding.md.
`default_nettype none

package weft_pkg;

  /// Width of a number of words or flits in the header.
  localparam int unsigned SizeBits = 24;
  /// Width of the cut in the header.
  localparam int unsigned CutBits = 6;
  /// Maximum number of bits that LSB-cut removes.
  localparam int unsigned MaxCut = 51;

  /// Run lengths of Table I of COMPRESS: r0 in the lowest six bits.
  localparam logic [35:0] TableOne = {6'd13, 6'd14, 6'd15, 6'd16, 6'd17, 6'd18};

  /// The form in which a packet travels.
  typedef enum logic [1:0] {
    CodecRaw     = 2'd0,
    CodecTable   = 2'd1,  // table-based FPC
    CodecClassic = 2'd2,  // classic FPC
    CodecLsbCut  = 2'd3
  } codec_e;

  /// Data type of a message, named as in MPI.
  typedef enum logic [1:0] {
    TypeOther         = 2'd0,
    TypeInt           = 2'd1,
    TypeDouble        = 2'd2,
    TypeDoubleComplex = 2'd3
  } data_type_e;

  /// Treatment of candidates by the compressor.
  typedef enum logic [1:0] {
    ModeNone      = 2'd0,
    ModeAlways    = 2'd1,
    ModeSelective = 2'd2
  } mode_e;

  /// The error that a decoder found in a packet.
  typedef enum logic [1:0] {
    ErrorNone      = 2'd0,
    ErrorTruncated = 2'd1,  // the string ends before the last word
    ErrorOverLong  = 2'd2,  // flits remain after the last group
    ErrorCorrupt   = 2'd3   // no encoder produces this string or header
  } error_e;

  /// Prefixes of classic FPC. (Table-based FPC shares the last one: any word.)
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

  /// Prefix that table-based FPC does not use.
  localparam logic [2:0] PrefixInvalid = 3'd6;

  /// Width of the class of a message: as many classes as a port can have VCs.
  localparam int unsigned ClassBits = 4;
  /// Width of the number of a node.
  localparam int unsigned NodeBits = 20;

  /// Header of a packet, never compressed. It accompanies the head flit.
  typedef struct packed {
    logic [ClassBits-1:0] message_class;  // class of the VCs that it travels on
    logic [NodeBits-1:0]  destination;
    logic [NodeBits-1:0]  source;
    logic [SizeBits-1:0]  flits;          // length of the packet in the network
    logic [SizeBits-1:0]  words;          // words of the message
    logic [1:0]           data_type;      // data_type_e
    logic [1:0]           codec;          // codec_e
    logic [CutBits-1:0]   cut;            // number of bits that LSB-cut removed
  } header_t;

  /// Width of the header (Yosys does not support $bits of a type).
  localparam int unsigned HeaderBits = 102;

  /// Width of the name of a datum, and of its uses.
  localparam int unsigned NameBits = 20;
  localparam int unsigned UsesBits = 4;

  /// What XOR stages do with a packet. The last three are for the encoder only; they do not travel.
  typedef enum logic [2:0] {
    RolePlain   = 3'd0,
    RoleCoded   = 3'd1,  // its payload is first XOR second
    RoleHold    = 3'd2,  // the encoder holds it
    RoleCombine = 3'd3,  // the encoder sends it XOR the held packet
    RoleChain   = 3'd4   // the same; then the encoder holds this packet
  } role_e;

  /// A named datum; see docs/03_reference/network_coding.md.
  typedef struct packed {
    logic [NameBits-1:0] name;
    logic [SizeBits-1:0] words;
    logic [UsesBits-1:0] uses;
    logic [1:0]          data_type;  // data_type_e
  } datum_t;

  /// The part of the header that XOR stages read. Like the header, it accompanies the head flit.
  typedef struct packed {
    logic [2:0] role;      // role_e
    logic       relay;     // coded: the receiver also gets the packet unchanged
    logic       overflow;  // the decoder had no room to store what it should have stored
    datum_t     first;
    datum_t     second;    // coded only
  } code_t;

  /// Width of a datum, and of the code.
  localparam int unsigned DatumBits = 50;
  localparam int unsigned CodeBits = 105;

  /// Maximum bits of the group of a flit of `words` words, including a run that is open before it.
  function automatic int unsigned chunk_bits(input int unsigned words);
    chunk_bits = (words == 1) ? 65 : 35 * words + 6;
  endfunction

  /// Maximum words of a group of a decoder: LSB-cut always decodes a whole double.
  function automatic int unsigned group_words(input int unsigned words);
    group_words = (words == 1) ? 2 : words;
  endfunction

  // ------------------------------------------------------------------------------------------------------------------
  // The wires of the network. Types that depend on parameters are flat vectors, with these fields from the highest bit:
  //
  //   flit    valid, head, tail, VC of the next buffer, path id, data
  //   data    header, error, code (only with XOR stages), user, payload: routers transport the data unchanged and read
  //           only destination and flits of the header
  //   credit  valid, VC
  //   head    valid, VC, destination, length, path id: a head at the front of a VC that needs a route
  //   route   valid, VC, output port, its admissible VCs, length: the request of the head to the VC allocator
  //
  // Between node and NIC, and between the stages of a NIC, flits have no path id; sent flits also have no VC.
  //
  // The number of a VC or a port, and a path id, have as many bits as the parameters require, at least one.

  /// Width of the error that a decoder found in a packet; error_e.
  localparam int unsigned ErrorBits = 2;
  /// Width of the credits of a VC, as counted for the VC allocator; all ones for an unlimited receiver.
  localparam int unsigned CreditCountBits = 16;
  /// Maximum heads of one port that can need a route in one cycle: one that arrives, and one behind a tail that leaves.
  localparam int unsigned HeadSlots = 2;
  /// Maximum dimensions of a grid, and width of a coordinate.
  localparam int unsigned MaxDimensions = 4;
  localparam int unsigned CoordinateBits = 16;

  /// The routing function of a router (parameter Rule).
  localparam int unsigned RuleGrid   = 0;  // dimension order in a mesh, torus or ring
  localparam int unsigned RuleTable  = 1;  // an entry for each destination
  localparam int unsigned RuleSource = 2;  // the path id contains the path
  localparam int unsigned RuleTree   = 3;  // through a nearest common ancestor in a fat tree
  localparam int unsigned RuleCube   = 4;  // dimension order in a hypercube

  /// Width of the data of a flit: `words` words, with or without code, with `user` bits that the sender sets.
  function automatic int unsigned data_bits(input int unsigned words, input int unsigned code,
                                            input int unsigned user);
    data_bits = HeaderBits + ErrorBits + ((code != 0) ? CodeBits : 0) + user + 32 * words;
  endfunction

  /// Width of the length of a packet where it is compared with credits, under cut-through: the next buffers hold at
  /// most `depth` flits, and all ones stand for any greater length. Without cut-through it is one unused bit.
  function automatic int unsigned length_bits(input int unsigned cut_through, input int unsigned depth);
    length_bits = (cut_through != 0) ? $clog2(depth + 2) : 1;
  endfunction

  /// Width of a flit, of a head and of a route, with `vc` bits for the number of a VC.
  function automatic int unsigned flit_bits(input int unsigned vc, input int unsigned path_id, input int unsigned data);
    flit_bits = 3 + vc + path_id + data;
  endfunction
  function automatic int unsigned head_bits(input int unsigned vc, input int unsigned path_id,
                                            input int unsigned length);
    head_bits = 1 + vc + NodeBits + length + path_id;
  endfunction
  function automatic int unsigned route_bits(input int unsigned vc, input int unsigned port, input int unsigned vcs,
                                             input int unsigned length);
    route_bits = 1 + vc + port + vcs + length;
  endfunction

  /// Width of the constants of a router: with RuleTable, those of the `entries` of the table.
  function automatic int unsigned rule_bits(input int unsigned rule, input int unsigned dimensions,
                                            input int unsigned entries);
    rule_bits = (rule == RuleGrid) ? MaxDimensions * CoordinateBits :
                (rule == RuleTable) ? entries :
                (rule == RuleTree) ? NodeBits :
                (rule == RuleCube) ? dimensions : 1;
  endfunction

endpackage

`default_nettype wire
