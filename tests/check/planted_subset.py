# SPDX-License-Identifier: Apache-2.0
"""A hardware module in which `scripts/check subset` finds nothing, and one with a violation of each kind."""
import re

from planted_hidden import HIDDEN_MODULE

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
MODULE = "systemc/weft/pin/counter.h"
SOURCE = "tests/levels/synthesis_subset.cpp"

CLEAN_MODULE = SPDX + """#pragma once

#include <array>

#include <systemc>

namespace weft::pin {

class counter : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<int> step_i{"step_i"};
  sc_core::sc_out<int> count_o{"count_o"};
  sc_core::sc_out<int> next_o{"next_o"};

  explicit counter(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(counter);
    SC_CTHREAD(clocked, clk_i.pos());
    async_reset_signal_is(rst_ni, false);
    SC_METHOD(combinational);
    sensitive << step_i << m_count_q;
  }

 private:
  void combinational() { next_o.write(sum(m_count_q.read(), step_i.read())); }

  void clocked() {
    reset();
    wait();
    while (true) {
      step();
      wait();
    }
  }

  void reset() {
    m_count_q.write(0);
    for (unsigned i = 0; i < m_rows; ++i) m_row_q[i] = 0;
  }

  void step() {
    for (unsigned i = 0; i < m_rows; ++i) {
      if (m_row_q[i] < step_i.read()) m_row_q[i] = step_i.read() / 4;
    }
    m_count_q.write(next_o.read());
    count_o.write(m_count_q.read());
  }

  int sum(int a, int b) const {
    if (b < 0)
      return a;
    else
      return a + b;
  }

  const unsigned m_rows = 4;
  std::array<int, 4> m_row_q{};
  sc_core::sc_signal<int> m_count_q{"count_q"};
};

}  // namespace weft::pin
"""

OUTER = "systemc/weft/pin/outer.h"
OUTER_MODULE = SPDX + """#pragma once

#include "weft/pin/counter.h"

namespace weft::pin {

class outer : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<int> step_i{"step_i"};
  sc_core::sc_out<int> twice_o{"twice_o"};

  explicit outer(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(outer);
    SC_METHOD(combinational);
    sensitive << step_i;
  }

 private:
  void combinational() { twice_o.write(2 * step_i.read()); }

  counter m_counter{"counter"};
};

}  // namespace weft::pin
"""

# The text after `//` is the expected finding in that line.
BAD_MODULE = SPDX + """#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include <systemc>

namespace weft::pin {

struct pair {
  int a = 0;
  int b = 0;
};
struct record {
  pair part;  // nested-record
  std::array<int, 2> row{};  // array-initialiser
};

inline int everywhere = 0;
inline bool raise(int& n) {
  n = 3;
  return true;
}

class store : public sc_core::sc_module {
 protected:
  explicit store(const sc_core::sc_module_name& name) : sc_module(name) {}
  int m_count_q = 0;  // shared-variable
  std::vector<int> m_line_q;  // container
};

class counter : public store {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<int> step_i{"step_i"};
  sc_core::sc_out<int> count_o{"count_o"};

  explicit counter(const sc_core::sc_module_name& name) : store(name) {  // method
    SC_HAS_PROCESS(counter);
    SC_METHOD(combinational);
    sensitive << step_i;
    SC_METHOD(clocked);
    sensitive << clk_i.pos();
  }

 private:
  int& own() { return m_count_q; }  // reference
  void combinational() { count_o.write(m_count_q + step_i.read()); }
  void clocked() {
    if (step_i.read() == 0) return;  // early-return
    const auto add = [this](int n) { m_count_q += n; };  // lambda
    add(step_i.read());
    int a, b;
    a = b = first(step_i.read());  // chained-assignment
    record fresh;
    fresh.part = pair{a, b};  // list-initialiser
    fresh.part = a < b ? fresh.part : pair();  // conditional-record
    std::array<int, 2> row = {0, 0};  // array-initialiser
    row[0] = twice(row);
    if (a < b && grow(a)) m_count_q += 1;  // effect
    m_count_q += m_rows == 2 ? grow(b) : row[0];
    for (int element : row) m_count_q += element;  // range-for
    for (unsigned i = 0; i < m_rows; i += 2) own() += fresh.row[i];  // loop
    for (int i = 0; i < step_i.read(); ++i) m_count_q += 1;  // loop
    while (m_count_q > 9) m_count_q -= 1;  // loop
    do { m_count_q += 1; } while (m_count_q < 9);  // loop
    m_count_q = std::min(m_count_q, a);  // foreign-call
    m_count_q += __builtin_popcount(3U);  // builtin
    m_count_q %= b;  // division
    m_line_q.push_back(a / b);  // division foreign-call
    const int data = step_i.read(), limit = data + 1;
    const int fixed = 2 * 2;
    m_count_q += 9 / fixed + 9 % data;  // division
    for (int i = 0; i < limit; ++i) m_count_q += 1;  // loop
    for (int i = 0; i < 4; ++i) {  // loop
      m_count_q += i;
      i += data;
    }
    for (int i = 0; i < fixed; ++i) m_count_q += 1;
    m_count_q += counted(fixed) + passed(4);
    m_count_q += counted(data);  // loop
    m_count_q += passed(limit);  // loop
    a += b = 2;  // chained-assignment
    if (a < b && raise(m_count_q)) m_count_q += 1;  // effect
    int& cell = m_cell_q[data];  // indexed-reference
    const int& part = m_pair_q[data].a;  // indexed-reference
    m_count_q += cell + part;
    raise(m_cell_q[data]);  // indexed-reference
    ++everywhere;  // static-variable
    s_all += 1;  // static-variable
    m_count_q += ping(a) + chosen_late(a);  // virtual
    if (a < b || ++a == 3) m_count_q += 1;  // effect
    if (a == 7) throw 1;  // exception
    m_count_q += reinterpret_cast<const unsigned&>(a) == 2;  // reinterpretation
    m_count_q += elsewhere(a);  // unseen
    m_count_q += sign(a) + same(a, b);
    static int calls = 0;  // static-variable
    calls += factorial(a);
  again:
    if (m_count_q < 9) goto again;  // goto
    m_count_q = static_cast<int>(m_count_q * 1.5);  // floating-point
    int* const fresh_row = new int[2];  // allocation
    m_count_q += fresh_row[0];  // pointer
    delete[] fresh_row;  // allocation
    m_alias += this->*m_chosen;  // pointer
    const pair& chosen = m_pair_q[b & 1];  // indexed-reference
    m_count_q += chosen.a + total(m_pair_q[0]);  // indexed-reference
    const pair one = other(), two = a != 0 ? one : other();  // conditional-record
    m_count_q += two.a;
  }
  int counted(int n) const {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += i;
    return sum;
  }
  int passed(int n) const { return counted(n + 1); }
  int factorial(int n) const {  // recursion
    int product = 1;
    if (n > 1) product = n * factorial(n - 1);
    return product;
  }
  int ping(int n) const {  // recursion
    int sum = 0;
    if (n > 1) sum = pong(n - 1);
    return sum;
  }
  int pong(int n) const;
  virtual int chosen_late(int n) const { return n; }
  static int s_all;
  int total(const pair& p) const { return p.a + p.b; }
  pair other() const { return pair(); }  // returned-record
  int twice(const std::array<int, 2>& row) const { return row[0] + row[1]; }  // array-parameter
  int grow(int n) {
    m_count_q += n;
    return n;
  }
  int sign(int n) const {
    if (n < 0) return -1;  // early-return
    return 1;
  }
  int same(int n, int) const { return n; }  // unnamed-parameter
  int elsewhere(int n) const;
  int first(int n) const {
    for (unsigned i = 0; i < m_rows; ++i) {
      if (n > 4) return 1;  // return-in-loop
    }
    switch (n) {
      case 1: return 2;  // return-in-loop
      default: return 3;  // return-in-loop
    }
  }

  const unsigned m_rows = 2;
  std::array<pair, 2> m_pair_q;
  std::array<int, 2> m_cell_q;
  int& m_alias = m_count_q;  // reference
  int store::*const m_chosen = &counter::m_count_q;
};

inline int counter::pong(int n) const {  // recursion
  int sum = 0;
  if (n > 1) sum = ping(n - 1);
  return sum;
}

}  // namespace weft::pin
"""


def findings(module):
    """What is found in a module, in order, as a regular expression."""
    lines = []
    for number, line in enumerate(module.split("\n"), 1):
        kinds = re.search(r"// ([a-z -]+)$", line)
        lines += [rf"{MODULE}:{number}: [^\n]* \[{kind}\]\. [^\n]*\n" for kind in (kinds[1].split() if kinds else ())]
    return "".join(lines) + "$"


CLEAN = {
    MODULE: CLEAN_MODULE,
    OUTER: OUTER_MODULE,
    SOURCE: SPDX + '#include "weft/pin/counter.h"\n#include "weft/pin/outer.h"\n',
}
PLANTED = [
    ("subset", MODULE, BAD_MODULE, findings(BAD_MODULE)),
    ("subset", MODULE, HIDDEN_MODULE, findings(HIDDEN_MODULE)),
    ("subset", MODULE, CLEAN_MODULE.replace("return a;", "return;"), rf"{SOURCE}: does not compile: {MODULE}:\d+:"),
    ("subset", MODULE, CLEAN_MODULE.replace("#pragma", "/// Simulation only: it counts.\n#pragma"),
     rf"{OUTER}:\d+: pin::counter is marked as simulation only \[simulation-only\]"),
    ("subset", "systemc/weft/pin/other.h", CLEAN_MODULE.replace("counter", "other"),
     rf"systemc/weft/pin/other.h: {SOURCE} does not include the module other"),
]
