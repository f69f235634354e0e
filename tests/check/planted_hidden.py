# SPDX-License-Identifier: Apache-2.0
"""A hardware module with violations hidden behind something else: an alias, a reference, an operator, a constructor."""

# The text after `//` is the expected finding in that line.
HIDDEN_MODULE = """// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <systemc>

namespace weft::pin {

using real = double;
using own_reference = int&;
using byte = sc_dt::sc_biguint<80>;

struct pair {
  int a = 0;
  bool operator==(const pair& other) const { return a == other.a; }
};
struct row {
  explicit row(int n) {
    for (int i = 0; i < n; ++i) sum += i;
  }
  ~row() {
    while (sum > 0) --sum;  // loop
  }
  int operator()(int n) const {
    int total = 0;
    for (int i = 0; i < n; ++i) total += i;
    return total;
  }
  row& operator+=(int n) {
    sum += n;
    return *this;  // reference
  }
  int sum = 0;
};
struct copy {
  explicit copy(const pair& of) : a(of.a) {}
  int a = 0;
};
struct alias {
  explicit alias(int& n) : of(n) {}
  int& of;  // reference
};
struct limit {
  explicit limit(int n) : of(n) {}
  int up_to() const {
    int total = 0;
    for (int i = 0; i < of; ++i) total += i;  // loop
    return total;
  }
  const int of;
};
struct either {
  int a = 0;
  union {  // reinterpretation
    int whole;
    unsigned other;
  };
};
inline int paired(std::pair<int, int>) { return 0; }  // container unnamed-parameter
union bits {  // reinterpretation
  int whole = 0;
  unsigned other;
};

inline int counted_to(const limit& n) {
  int total = 0;
  for (int i = 0; i < n.of; ++i) total += i;
  return total;
}
inline int counted_down(int n) {
  int total = 0;
  for (int i = n; i > 0; --i) total += i;
  return total;
}
inline int until(int n) {
  int total = 0;
  n += total;  // loop
  for (int i = 0; i < n; ++i) total += i;
  return total;
}
inline int within(pair n) {
  int total = 0;
  n.a += 1;  // loop
  for (int i = 0; i < n.a; ++i) total += i;
  return total;
}
inline int increased(int& n) {
  n += 1;
  return n;
}

struct base {
  std::array<int, 2> numbers{};  // array-initialiser
  virtual int of() const { return 1; }
};
struct derived : base {
  int of() const { return 2; }
};
template <class T>
struct runs {
  template <class N>
  explicit runs(const N& n) {
    for (N i = 0; i < n; ++i) sum += 1;
  }
  T sum = 0;
};
inline int sized(const std::size_t& n) { return static_cast<int>(n); }
inline int divided(int n) { return 9 / n; }  // division
namespace {
struct unnamed {
  std::array<int, 2> numbers{};  // array-initialiser
  int quotient = divided(3);
};
}
template <class T>
struct box {
  std::array<T, 2> rows{};  // array-initialiser
};
struct elsewhere {
  explicit elsewhere(int n);
};
using four = std::array<int, 4>;
inline int first_of(const four& numbers) {  // array-parameter
  return numbers[0];
}
inline int grown(int n) {
  int total = 0;
  increased(n);  // loop
  for (int i = 0; i < n; ++i) total += i;
  return total;
}

class part : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};

  explicit part(const sc_core::sc_module_name& name) : sc_module(name) {
    start();
  }
  int count() const { return m_count_q; }
  int m_open_q = 0;  // shared-variable

 private:
  void start() {
    SC_HAS_PROCESS(part);
    SC_CTHREAD(clocked, clk_i.pos());
  }
  void clocked() {
    wait();
    while (true) {
      m_count_q += 1;
      m_open_q += m_own_q;
      m_own_q = 9 / m_count_q;  // division
      wait();
    }
  }
  int m_count_q = 0;  // shared-variable
  int m_own_q = 0;
};

class free_running : public sc_core::sc_module {
 public:
  explicit free_running(const sc_core::sc_module_name& name) : sc_module(name) {  // method
    SC_HAS_PROCESS(free_running);
    SC_THREAD(run);
  }

 private:
  void run() {
    while (true) {
      wait();
      m_count_q += 1;
    }
  }
  int m_count_q = 0;
};

class late : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};

  explicit late(const sc_core::sc_module_name& name) : sc_module(name) {}
  void end_of_elaboration() override {  // method
    SC_HAS_PROCESS(late);
    SC_CTHREAD(clocked, clk_i.pos());
    SC_METHOD(stepped);
    sensitive << clk_i.posedge_event();
  }

 private:
  void clocked() {
    wait();
    while (true) {
      m_count_q += 1;
      wait();
    }
  }
  void stepped() { m_count_q -= 1; }
  sc_dt::sc_uint<4> m_count_q;  // shared-variable
  union {  // reinterpretation
    int m_whole;
    unsigned m_bits;
  };
};

class counter : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<int> step_i{"step_i"};
  sc_core::sc_out<int> count_o{"count_o"};

  explicit counter(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(counter);
    SC_METHOD(combinational);
    sensitive << clk_i;
  }

 private:
  void combinational() {
    const int data = step_i.read();
    bounds();
    loops();
    effects(data);
    references(data);
    calls(data);
  }
  void bounds() {
    const int& n = m_count_q;
    for (int i = 0; i < n; ++i) m_count_q += i;  // loop
    for (int i = step_i.read(); i != 0; --i) m_count_q += i;  // loop
    for (int i = m_count_q; i != 0; --i) m_count_q += i;  // loop
    for (int i = 0; m_count_q != 0; ++i) m_count_q -= i;  // loop
    for (int i = 0; (i < m_count_q) | false; ++i) m_count_q += i;  // loop
    for (int i = m_rows - 1; i >= 0; --i) m_count_q += i;
    m_count_q += 9 / n;  // division
    m_wide_q = m_wide_q / m_divisor_q;  // division
    m_wide_q %= m_divisor_q;  // division
    m_wide_q = m_wide_q / 3;
    m_count_q += constant();
  }
  int constant() const {
    int total = 0;
    for (int i = 0; i < m_rows; ++i) total += i;
    for (int i = 0; i < m_count_q; ++i) total += i;  // loop
    return total;
  }
  void loops() {
    const int data = step_i.read();
    const limit far(data), near(4);
    m_count_q += far.up_to() + counted_to(far);  // loop
    m_count_q += counted_to(near) + counted_down(m_rows) + until(4) + within(pair());
    m_count_q += counted_down(data);  // loop
    row sum(data);  // loop
    m_count_q += sum(data);  // loop
    sum += 2;
    for (int& i = m_count_q; i < 4; ++i) m_count_q -= 1;  // loop
    for (int i = 0; i < 4; ++i) {  // loop
      int& other = i;
      other += data;
    }
    for (int i = 0; i < 4; ++i) m_count_q += increased(i);  // loop
    for (int i = 0; i < 4; ++i) {
      if (m_count_q == i) break;
      const int& fixed = i;
      m_count_q += fixed + i;
    }
  }
  void effects(int data) {
    bool seen = data == 3 && (count_o.write(1), true);  // comma effect
    data == 4 ? count_o.write(1) : count_o.write(2);  // effect
    seen = seen && ++m_small_q == 2;  // effect
    sc_dt::sc_uint<4> other;
    m_small_q = other += 1;  // chained-assignment
    m_count_q = 1 + (data = 2);  // chained-assignment
    m_count_q += seen && step_i.read() == 2 && m_small_q.range(1, 0) == 3;
    int a = m_count_q = 2;  // chained-assignment
    count_o.write(a = 2);  // chained-assignment
    if ((a = m_count_q) == 2) m_count_q = 1;  // chained-assignment
    if (m_count_q = a) a = 1;  // chained-assignment
  }
  void references(int data) {
    const copy one(m_pair_q[data]);  // indexed-reference
    pair two = m_pair_q[data];
    m_count_q += two == m_pair_q[data];  // indexed-reference
    const pair& three = data == 1 ? m_pair_q[data] : m_pair_q[0];  // conditional-record indexed-reference
    m_count_q += one.a + three.a + own() + other();
    const pair& four = (const pair&)m_pair_q[data];  // indexed-reference
    auto& [five] = m_pair_q[data];  // indexed-reference
    m_count_q += four.a + five;
    alias six(m_count_q);
    six.of += 1;
  }
  auto own() -> int& { return m_count_q; }  // reference
  own_reference other() { return m_count_q; }  // reference
  void calls(int data) {
    if (clk_i.posedge()) m_count_q += 1;  // method
    m_count_q += sc_core::sc_time_stamp().value() + sc_core::sc_delta_count();  // foreign-call
    m_event.notify();  // foreign-call
    (unsigned&)m_count_q = 2;  // reinterpretation
    (int&)m_rows = 3;  // reinterpretation
    static const int first = step_i.read();  // static-variable
    static const int second = 2 * 3;
    static const int third[2] = {1, 2};  // array-initialiser
    const real half = 1;  // floating-point
    bits both;
    either one_of;
    auto [left, right] = std::pair<int, int>(1, paired(std::pair<int, int>(1, 2)));  // container
    m_count_q += one_of.a + left + right;
    m_count_q += first + second + data / 2 + static_cast<int>(half) + both.whole;  // floating-point
    m_count_q += m_part.count() + m_part.m_open_q;
    four numbers;
    m_count_q += first_of(numbers) + grown(4);
    const derived over;
    m_count_q += over.of();  // virtual
    const base& less = over;
    m_count_q += static_cast<const derived&>(less).of();  // reinterpretation virtual
    elsewhere other(data);  // unseen
    runs<int> five(m_count_q), six(4);  // loop
    m_count_q += five.sum + six.sum + sized(2) + third[1];
    unnamed no_name;
    box<std::array<int, 2>> rows;
    m_count_q += no_name.quotient + rows.rows[0][1];
    std::pair<int, int> both_of(data, data);  // container
    m_count_q += both_of.first;
    try {  // exception
      m_count_q += m_small_q.to_string().size();  // foreign-call
    } catch (...) {
    }
    thread_local int last;  // static-variable
    next_trigger(m_event);  // foreign-call
  }

  const int m_rows = 4;
  int m_count_q = 0;
  byte m_wide_q, m_divisor_q;
  sc_dt::sc_uint<4> m_small_q;
  std::array<pair, 2> m_pair_q;
  sc_core::sc_event m_event;
  part m_part{"part"};
};

}  // namespace weft::pin
"""
