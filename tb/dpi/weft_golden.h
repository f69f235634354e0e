// SPDX-License-Identifier: Apache-2.0
/// The golden codecs for SystemVerilog, over DPI-C: the functions that weft_golden_pkg.sv imports. They call the
/// functions of core, which are also the reference in Weft's own tests.
///
/// No call ends the simulation: if an argument is wrong, the call returns a value below -1 (see the enumeration), and
/// weft_golden_message() returns the reason.
///
/// Bits are passed as the standard specifies: 32 bits in each element, low bits first.
#pragma once

#include <cstdint>

#include <svdpi.h>

namespace weft::golden {

/// Special results of calls.
enum status : int {
  Ok = 0,
  Equal = -1,        ///< weft_golden_compare() found no difference
  NoHandle = -2,     ///< a null pointer was passed instead of a codec
  BadArgument = -3,  ///< an argument is wrong; weft_golden_message() returns the reason
};

/// Width of the widest flit in bits. Narrower flits are in the low bits.
constexpr unsigned MaxFlitBits = 256;

}  // namespace weft::golden

extern "C" {

/// Makes a codec with these parameters.
/// \param words_per_flit 1, 2, 4 or 8
/// \param table          six run lengths of six bits each, r0 lowest
/// \param classic        1: integers use the classic code; 0: the table-based one
/// \param exact          1: LSB-cut preserves special doubles; 0: it does not
/// \return null if such a codec does not exist
void* weft_golden_new(unsigned words_per_flit, const svBitVecVal* table, unsigned classic, unsigned exact);
void weft_golden_delete(void* handle);

/// Returns the reason why the last call with this codec failed, or, for null, why the last weft_golden_new() failed.
/// The text is empty if the call did not fail.
const char* weft_golden_message(void* handle);

/// Removes all words of the message and all flits of the packet.
int weft_golden_clear(void* handle);
/// Adds a word to the message.
int weft_golden_add_word(void* handle, unsigned word);
/// Adds a flit to the packet.
int weft_golden_add_flit(void* handle, const svBitVecVal* payload);

/// Encodes the message with the codec \p how (0 raw, 1 table-based FPC, 2 classic FPC, 3 LSB-cut). The result is the
/// packet.
/// \return number of flits in the packet
int weft_golden_encode(void* handle, unsigned how, unsigned cut);
/// Encodes the message as weft_golden_encode() does if this makes the packet shorter by at least one flit; otherwise
/// makes a raw packet. weft_golden_form() returns the codec.
/// \return number of flits in the packet
int weft_golden_travelling(void* handle, unsigned how, unsigned cut);
/// Returns the codec of the packet that was encoded last.
int weft_golden_form(void* handle);

/// Decodes the packet; the result is the message, which has \p words words. If there is an error, all words from the
/// first unreadable one on are 0.
/// \return error: 0 none, 1 truncated, 2 over-long, 3 corrupt
int weft_golden_decode(void* handle, unsigned how, unsigned cut, unsigned words);

/// Returns the number of words in the message (words), or of flits in the packet (flits).
int weft_golden_words(void* handle);
int weft_golden_flits(void* handle);
/// Returns word \p index of the message, or flit \p index of the packet; 0 beyond the end.
unsigned weft_golden_word(void* handle, unsigned index);
int weft_golden_flit(void* handle, unsigned index, svBitVecVal* payload);

/// Compares two messages. If one is longer, they differ at the end of the shorter one.
/// \return index of the first word that differs, or Equal
int weft_golden_compare(void* left, void* right);

/// Returns the codec that Algorithm 1 selects for a packet in mode `always`, as weft_compression_selector does.
int weft_golden_choice(void* handle, unsigned data_type, unsigned flits, unsigned words, unsigned form, unsigned depth);
}
