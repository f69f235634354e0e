// SPDX-License-Identifier: Apache-2.0
/// Proves with z3 that the word functions in `weft/core` and the RTL are equal for every word and every double. Also
///        proves properties of the word functions alone. The functions are those of the simulator, instantiated for
///        z3::expr.
///
///   weft_formal_words table MODEL r0 … r5 | classic MODEL | exact MODEL | plain MODEL
///
/// MODEL is the output of Yosys' write_smt2 for word_fpc.sv or word_lsb_cut.sv. The exit status is 0 if all claims are
/// proved, 1 if a claim is refuted, whose values are printed, and 2 for wrong usage or if z3 did not decide. The caller
/// limits the processor time (prove --time), because a limit in elapsed time would depend on the load of the machine.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include <z3++.h>

#include "weft/core/fpc.h"
#include "weft/core/lsb_cut.h"

template <>
struct weft::constant_of<z3::expr> {
  static z3::expr make(const z3::expr& like, std::uint64_t bits) {
    return like.ctx().bv_val(bits, like.get_sort().bv_size());
  }
};

namespace {

// z3's operators accept int.
constexpr int PrefixBits = weft::FpcPrefixBits, InvalidPrefix = weft::FpcInvalid, MaxCut = weft::MaxCut;

/// A solver with one model or without a model, and claims to prove.
class proof {
 public:
  explicit proof(z3::context& context) : m_context(context) {}

  /// Loads the model with \p states consecutive states.
  void load(const std::string& file, const std::string& module, unsigned states) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read " + file);
    std::ostringstream text;
    text << in.rdbuf();
    m_text = text.str();
    m_module = module;
    for (unsigned s = 0; s < states; ++s) m_text += "(declare-fun s" + std::to_string(s) + " () |" + module + "_s|)\n";
    for (unsigned s = 1; s < states; ++s)
      assume("(|" + module + "_t| s" + std::to_string(s - 1) + " s" + std::to_string(s) + ")");
  }

  /// Declares a constant for a signal of the model in a state. \param width bits of the signal
  z3::expr signal(const std::string& name, unsigned state, unsigned width) {
    const std::string alias = name + "@" + std::to_string(state);
    m_text += "(declare-fun |" + alias + "| () (_ BitVec " + std::to_string(width) + "))\n";
    const std::string value = "(|" + m_module + "_n " + name + "| s" + std::to_string(state) + ")";
    // In the model, signals of one bit are Booleans.
    assume("(= |" + alias + "| " + (width == 1 ? "(ite " + value + " #b1 #b0)" : value) + ")");
    return m_context.bv_const(alias.c_str(), width);
  }

  void assume(const std::string& term) { m_text += "(assert " + term + ")\n"; }

  /// Proves \p claim, or prints a counterexample.
  void show(const std::string& what, const z3::expr& claim) {
    z3::solver solver(m_context);
    if (decide(solver, what, !claim) == z3::unsat) {
      std::cout << "  proved: " << what << std::endl;
    } else {
      std::cout << "  REFUTED: " << what << std::endl;
      for (const char* name : {"word_i@0", "window_i@0", "double_i@0", "cut_i@0", "x", "n"}) {
        const auto value = solver.get_model().eval(m_context.bv_const(name, width_of(name)));
        if (value.is_numeral()) std::cout << "    " << name << " = " << value << '\n';
      }
      ++m_refuted;
    }
    ++m_shown;
  }

  /// Shows that \p condition is satisfiable. Otherwise every claim that assumes it would hold trivially.
  void possible(const std::string& what, const z3::expr& condition) {
    z3::solver solver(m_context);
    if (decide(solver, what, condition) != z3::sat) throw std::runtime_error("not possible: " + what);
    std::cout << "  possible: " << what << std::endl;
  }

  int status() const {
    if (m_shown == 0) throw std::logic_error("nothing was proved");
    return m_refuted == 0 ? 0 : 1;
  }

 private:
  z3::check_result decide(z3::solver& solver, const std::string& what, const z3::expr& condition) {
    if (!m_text.empty()) solver.from_string(m_text.c_str());
    solver.add(condition);
    const z3::check_result result = solver.check();
    if (result == z3::unknown) throw std::runtime_error("z3 did not decide: " + what);
    return result;
  }

  static unsigned width_of(const std::string& name) {
    if (name == "word_i@0") return 32;
    if (name == "window_i@0") return weft::window_bits(1);
    return name == "cut_i@0" ? 6 : 64;
  }

  z3::context& m_context;
  std::string m_text, m_module;
  unsigned m_shown = 0, m_refuted = 0;
};

z3::expr bits(const z3::expr& value, unsigned high, unsigned low) { return value.extract(high, low); }
z3::expr widened(const z3::expr& value, unsigned width) {
  const unsigned own = value.get_sort().bv_size();
  return own == width ? value : z3::zext(value, width - own);
}

/// Claims on prefix and data of a word.
/// \param encode    word to code
/// \param decode    prefix and 32 bits of data to word
/// \param data_bits number of data bits of a prefix
template <typename Encode, typename Decode, typename DataBits>
int fpc(const std::string& file, const Encode& encode, const Decode& decode, const DataBits& data_bits, bool classic) {
  constexpr unsigned ChunkBits = weft::chunk_bits(1), LengthBits = 7;
  z3::context context;
  proof p(context);
  p.load(file, "word_fpc", 2);
  const z3::expr word = p.signal("word_i", 0, 32), chunk = p.signal("chunk_o", 1, ChunkBits),
                 length = p.signal("length_o", 1, LengthBits), window = p.signal("window_i", 0, weft::window_bits(1)),
                 size = p.signal("size_o", 0, LengthBits), corrupt = p.signal("corrupt_o", 0, 1),
                 decoded = p.signal("word_o", 1, 32), zeros = p.signal("zeros_o", 0, 3),
                 owed = p.signal("owed_o", 0, 3);

  // Encoder: no run is open, and the packet has only this word.
  const weft::fpc_code<z3::expr> code = encode(word);
  const z3::expr expected = widened(bits(code.prefix, 2, 0), ChunkBits) |
                            z3::shl(widened(code.data, ChunkBits), context.bv_val(PrefixBits, ChunkBits));
  const z3::expr fresh = classic ? zeros == 0 && owed == 0 : context.bool_val(true);
  p.possible("a word and a string, with no run open", fresh);
  p.show("the encoder's bits are prefix and data of the word function", z3::implies(fresh, chunk == expected));
  p.show("the encoder has as many bits as the word function",
         z3::implies(fresh, widened(length, 32) == code.bits + PrefixBits));

  // Decoder: any string.
  const z3::expr prefix = widened(bits(window, 2, 0), 32), data = bits(window, 34, 3);
  const z3::expr valid = classic ? context.bool_val(true) : prefix != InvalidPrefix;
  p.show("the decoder's word is that of the word function",
         z3::implies(fresh && valid, decoded == decode(prefix, data)));
  p.show("the decoder consumes prefix and data",
         z3::implies(fresh, widened(size, 32) == data_bits(prefix) + PrefixBits));
  if (!classic) p.show("only the invalid prefix is corrupt", (corrupt == 1) == !valid);

  // The word functions alone.
  const z3::expr x = context.bv_const("x", 32);
  const weft::fpc_code<z3::expr> own = encode(x);
  const z3::expr rubbish = context.bv_const("rubbish", 32);  // bits that follow in the string
  p.show(
      "a word is decoded correctly, whatever follows its data",
      decode(own.prefix, own.data | z3::ite(own.bits == 32, context.bv_val(0, 32), z3::shl(rubbish, own.bits))) == x);
  p.show("the bits of data above their length are 0", own.bits == 32 || z3::lshr(own.data, own.bits) == 0);
  return p.status();
}

int lsb_cut(const std::string& file, bool exact) {
  constexpr unsigned ChunkBits = weft::chunk_bits(2), LengthBits = 7;
  z3::context context;
  proof p(context);
  p.load(file, "word_lsb_cut", 3);
  const z3::expr sent = p.signal("double_i", 0, 64), cut6 = p.signal("cut_i", 0, 6),
                 chunk = p.signal("chunk_o", 1, ChunkBits), length = p.signal("length_o", 1, LengthBits),
                 arrived = p.signal("double_o", 2, 64);
  const auto arrival = [exact](const z3::expr& value, const z3::expr& n) {
    const z3::expr kept = weft::kept_bits(value, n);
    return exact ? weft::restored(kept, weft::cut_bits(value, n), n) : weft::padded(kept, n);
  };

  const z3::expr cut = widened(cut6, 64);
  const z3::expr in_range = z3::ule(cut, MaxCut);
  p.possible("a double that is cut", in_range && cut != 0);
  const z3::expr kept = widened(weft::kept_bits(sent, cut), ChunkBits);
  const z3::expr kept_mask = z3::shl(context.bv_val(1, ChunkBits), widened(64 - cut, ChunkBits)) - 1;
  p.show("the encoder begins with the kept bits", z3::implies(in_range, (chunk & kept_mask) == kept));
  const z3::expr flag = exact
                            ? z3::ite(cut != 0 && weft::is_special(sent), context.bv_val(1, 64), context.bv_val(0, 64))
                            : context.bv_val(0, 64);
  const z3::expr flagged = flag != 0 && weft::cut_bits(sent, cut) != 0;
  p.show("the encoder makes as many bits as the format defines",
         z3::implies(in_range, widened(length, 64) == 64 - cut + flag + z3::ite(flagged, cut, context.bv_val(0, 64))));
  p.show("a double arrives as the word functions define", z3::implies(in_range, arrived == arrival(sent, cut)));

  // The word functions alone.
  const z3::expr x = context.bv_const("x", 64), n = context.bv_const("n", 64);
  const z3::expr legal = z3::ule(n, MaxCut), y = arrival(x, n);
  p.show("sign and exponent arrive", z3::implies(legal, bits(x, 63, 52) == bits(y, 63, 52)));
  const z3::expr off = z3::ite(z3::uge(x, y), x - y, y - x);
  p.show("the mantissa is off by at most 2^(n-1) units of its last place",
         z3::implies(legal, z3::ule(off, z3::lshr(z3::shl(context.bv_val(1, 64), n), context.bv_val(1, 64)))));
  p.show("encoding a second time changes nothing", z3::implies(legal, arrival(y, n) == y));
  if (exact) p.show("a special double arrives unchanged", z3::implies(legal && weft::is_special(x), x == y));
  return p.status();
}

int run(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  if (what == "table" && argc == 9) {
    weft::fpc_table table;
    for (unsigned i = 0; i < 6; ++i) table.runs[i] = static_cast<std::uint8_t>(std::stoul(argv[3 + i]));
    if (!table.valid()) throw std::runtime_error("the table of run lengths is not valid");
    return fpc(
        argv[2], [&](const z3::expr& word) { return weft::encode_fpc_word(word, table); },
        [&](const z3::expr& prefix, const z3::expr& data) { return weft::decode_fpc_word(prefix, data, table); },
        [&](const z3::expr& prefix) { return weft::fpc_data_bits(prefix, table); }, false);
  }
  if (what == "classic" && argc == 3) {
    return fpc(
        argv[2], [](const z3::expr& word) { return weft::encode_classic_word(word); },
        [](const z3::expr& prefix, const z3::expr& data) { return weft::decode_classic_word(prefix, data); },
        [](const z3::expr& prefix) { return weft::classic_data_bits(prefix); }, true);
  }
  if ((what == "exact" || what == "plain") && argc == 3) return lsb_cut(argv[2], what == "exact");
  throw std::runtime_error("usage: weft_formal_words table MODEL r0 … r5 | classic MODEL | exact MODEL | plain MODEL");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const z3::exception& error) {
    std::cerr << "weft_formal_words: z3: " << error << '\n';
  } catch (const std::exception& error) {
    std::cerr << "weft_formal_words: " << error.what() << '\n';
  }
  return 2;
}
