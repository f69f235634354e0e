// SPDX-License-Identifier: Apache-2.0
/// Types and constants that modules share: the header and the code of a packet, codecs, and the wires of the network.
/// docs/03_reference/flit.md, compression.md and network_coding.md describe the formats.
`default_nettype none

package weft_pkg;

  /// Width of a field of the header that contains a number of words or flits.
  localparam int unsigned SizeBits = 24;
  /// Width of the field of the header that contains the cut.
  localparam int unsigned CutBits = 6;
  /// Maximum number of bits that LSB-cut removes from a double.
  localparam int unsigned MaxCut = 51;

  /// The run lengths in Table I of COMPRESS, with r0 in the lowest six bits.
  localparam logic [35:0] TableOne = {6'd13, 6'd14, 6'd15, 6'd16, 6'd17, 6'd18};

  /// The codec with which a packet was encoded.
  typedef enum logic [1:0] {
    CodecRaw     = 2'd0,
    CodecTable   = 2'd1,  // table-based FPC
    CodecClassic = 2'd2,  // classic FPC
    CodecLsbCut  = 2'd3
  } codec_e;

  /// Data type of a message; the names are those of MPI.
  typedef enum logic [1:0] {
    TypeOther         = 2'd0,
    TypeInt           = 2'd1,
    TypeDouble        = 2'd2,
    TypeDoubleComplex = 2'd3
  } data_type_e;

  /// Treatment of the compressor's candidates.
  typedef enum logic [1:0] {
    ModeNone      = 2'd0,
    ModeAlways    = 2'd1,
    ModeSelective = 2'd2
  } mode_e;

  /// The error that a decoder found in a packet.
  typedef enum logic [1:0] {
    ErrorNone      = 2'd0,
    ErrorTruncated = 2'd1,  // the bit string ends before the last word
    ErrorOverLong  = 2'd2,  // flits remain after the last group
    ErrorCorrupt   = 2'd3   // no encoder produces this bit string or this header
  } error_e;

  /// The prefixes of classic FPC. (Table-based FPC uses only the last one, which stands for any word.)
  typedef enum logic [2:0] {
    TokenZeros    = 3'd0,  // run of zero words
    TokenSign4    = 3'd1,
    TokenSign8    = 3'd2,
    TokenSign16   = 3'd3,
    TokenUpper    = 3'd4,  // upper halfword; the lower one is 0
    TokenTwoBytes = 3'd5,  // two halfwords, each a sign-extended byte
    TokenRepeated = 3'd6,  // four equal bytes
    TokenWord     = 3'd7
  } token_e;

  /// The prefix that table-based FPC does not use.
  localparam logic [2:0] PrefixInvalid = 3'd6;

  /// Width of the class of a message. There are at most as many classes as a port can have VCs.
  localparam int unsigned ClassBits = 4;
  /// Width of the number of a node.
  localparam int unsigned NodeBits = 20;

  /// The header of a packet, which is never compressed. It accompanies the head flit.
  typedef struct packed {
    logic [ClassBits-1:0] message_class;  // class that selects the VCs of the packet
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
    RoleCombine = 3'd3,  // the encoder replaces it by its XOR with the held packet
    RoleChain   = 3'd4   // as RoleCombine, but the encoder then holds this packet
  } role_e;

  /// The description of a named datum; see docs/03_reference/network_coding.md.
  typedef struct packed {
    logic [NameBits-1:0] name;
    logic [SizeBits-1:0] words;
    logic [UsesBits-1:0] uses;
    logic [1:0]          data_type;  // data_type_e
  } datum_t;

  /// The code of a packet: the data that XOR stages read. It accompanies the head flit, as the header does.
  typedef struct packed {
    logic [2:0] role;      // role_e
    logic       relay;     // the packet is coded, and the receiver also gets it unchanged
    logic       overflow;  // the decoder had no free entry for data that it should have stored
    datum_t     first;
    datum_t     second;    // used only if the packet is coded
  } code_t;

  /// Width of a datum, and of the code.
  localparam int unsigned DatumBits = 50;
  localparam int unsigned CodeBits = 105;

  /// Maximum number of bits in the group of a flit of `words` words, including a run that has not ended before it.
  function automatic int unsigned chunk_bits(input int unsigned words);
    chunk_bits = (words == 1) ? 65 : 35 * words + 6;
  endfunction

  /// Maximum number of words in a group that a decoder reads. LSB-cut always decodes a whole double.
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
  // Between node and NIC, and between the stages of a NIC, flits have no path id. Flits that are sent have no VC
  // either.
  //
  // A field for the number of a VC or a port, or for a path id, has as many bits as the parameters require; at least
  // one.

  /// Width of error_e, the error that a decoder found in a packet.
  localparam int unsigned ErrorBits = 2;
  /// Width of the number of credits of a VC, as the VC allocator reads it. All ones stand for an unlimited receiver.
  localparam int unsigned CreditCountBits = 16;
  /// Width of the number of parts into which a narrow channel cuts a flit.
  localparam int unsigned PhitBits = 7;
  /// Maximum number of heads of one port that need a route in one cycle: one arrives, and one is behind a tail that
  /// leaves.
  localparam int unsigned HeadSlots = 2;
  /// Maximum number of dimensions of a grid, and width of a coordinate.
  localparam int unsigned MaxDimensions = 4;
  localparam int unsigned CoordinateBits = 16;

  /// The routing function of a router (parameter Rule).
  localparam int unsigned RuleGrid   = 0;  // dimension order in a mesh, torus or ring
  localparam int unsigned RuleTable  = 1;  // an entry for each destination
  localparam int unsigned RuleSource = 2;  // the path id contains the path
  localparam int unsigned RuleTree   = 3;  // through a nearest common ancestor in a fat tree
  localparam int unsigned RuleCube   = 4;  // dimension order in a hypercube

  /// How an arbiter selects one of its requesters (parameter Arbiter).
  localparam int unsigned ArbiterRoundRobin = 0;  // the first at or after a pointer, which moves past the winner
  localparam int unsigned ArbiterMatrix     = 1;  // the one that was granted least recently

  /// How an allocator matches inputs with outputs (parameter Kind).
  localparam int unsigned AllocatorInputFirst    = 0;  // every input selects an output, then every output an input
  localparam int unsigned AllocatorOutputFirst   = 1;  // every output selects an input, then every input an output
  localparam int unsigned AllocatorIslip         = 2;  // output-first, repeated for those that are left
  localparam int unsigned AllocatorWavefront     = 3;  // diagonal by diagonal of the request matrix
  localparam int unsigned AllocatorWavefrontFair = 4;  // as wavefront; starts past the first diagonal with a grant

  /// Width of the data of a flit: with `words` words of payload, with or without code, and with `user` bits that
  /// senders set.
  function automatic int unsigned data_bits(input int unsigned words, input int unsigned code,
                                            input int unsigned user);
    data_bits = HeaderBits + ErrorBits + ((code != 0) ? CodeBits : 0) + user + 32 * words;
  endfunction

  /// Width of the length of a packet where it is compared with credits, which happens only with cut-through. The next
  /// buffers hold at most `depth` flits, and all ones stand for any greater length. Without cut-through it is one
  /// unused bit.
  function automatic int unsigned length_bits(input int unsigned cut_through, input int unsigned depth);
    length_bits = (cut_through != 0) ? $clog2(depth + 2) : 1;
  endfunction

  /// Width of a flit, of a head and of a route. `vc` is the width of the number of a VC.
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

  /// Width of the constants of a router. With RuleTable, these are the `entries` entries of the table.
  function automatic int unsigned rule_bits(input int unsigned rule, input int unsigned dimensions,
                                            input int unsigned entries);
    rule_bits = (rule == RuleGrid) ? MaxDimensions * CoordinateBits :
                (rule == RuleTable) ? entries :
                (rule == RuleTree) ? NodeBits :
                (rule == RuleCube) ? dimensions : 1;
  endfunction

endpackage

`default_nettype wire
