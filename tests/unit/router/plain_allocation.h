// SPDX-License-Identifier: Apache-2.0
/// Requests and grants of an allocator as plain lists and matrices, and an allocator that uses them.
#pragma once

#include "support/allocator_description.h"
#include "support/random.h"
#include <algorithm>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "weft/core/types.h"
#include "weft/router/allocator.h"
#include "weft/router/allocator_kinds.h"

namespace weft {

/// The requests of one cycle. Inputs and outputs have the numbers of allocation.h.
struct plain_requests {
  std::vector<bool> waiting;              ///< by input
  std::vector<unsigned> block;            ///< by input: the block of the outputs that it requests
  std::vector<std::vector<bool>> matrix;  ///< [input][output]; false for inputs that do not wait
  /// [input][output]; both are empty if all requests have the same. Outputs select by priority, inputs by preference.
  std::vector<std::vector<std::uint32_t>> priority, preference;

  explicit plain_requests(const allocation_size& size)
      : waiting(size.all_inputs(), false),
        block(size.all_inputs(), 0),
        matrix(size.all_inputs(), std::vector<bool>(size.all_outputs(), false)) {}

  /// Input \p input waits, and requests output \p output. All outputs of an input are in one block.
  void add(const allocation_size& size, unsigned input, unsigned output) {
    waiting[input] = true;
    block[input] = output / size.outputs;
    matrix[input][output] = true;
  }
  std::uint32_t priority_of(unsigned input, unsigned output) const {
    return priority.empty() ? 0 : priority[input][output];
  }
  std::uint32_t preference_of(unsigned input, unsigned output) const {
    return preference.empty() ? 0 : preference[input][output];
  }
  bool any_waiting() const { return std::find(waiting.begin(), waiting.end(), true) != waiting.end(); }
  unsigned count() const {
    std::size_t requests = 0;
    for (const auto& row : matrix) requests += static_cast<std::size_t>(std::count(row.begin(), row.end(), true));
    return static_cast<unsigned>(requests);
  }
};

/// The grants of one cycle.
struct plain_grants {
  std::vector<std::optional<unsigned>> output;  ///< by input
  std::vector<bool> first;                      ///< by input: whether it got its output in the first iteration

  explicit plain_grants(std::size_t inputs) : output(inputs), first(inputs, false) {}

  void add(unsigned input, unsigned granted, bool is_first) {
    output[input] = granted;
    first[input] = is_first;
  }
  unsigned count() const {
    return static_cast<unsigned>(
        std::count_if(output.begin(), output.end(), [](const auto& o) { return o.has_value(); }));
  }
  friend bool operator==(const plain_grants& a, const plain_grants& b) {
    return a.output == b.output && a.first == b.first;
  }
  friend std::ostream& operator<<(std::ostream& out, const plain_grants& g) {
    for (std::size_t input = 0; input < g.output.size(); ++input)
      if (g.output[input]) out << " " << input << (g.first[input] ? "->" : "=>") << *g.output[input];
    return out;
  }
};

/// The priorities of requests in the form of the contract.
class matrix_priorities {
 public:
  matrix_priorities(const allocation_size& size, const plain_requests& requests)
      : m_inputs(size.inputs), m_priority(requests.priority), m_preference(requests.preference) {}
  std::uint32_t of(unsigned in_block, unsigned member, unsigned output) const {
    return m_priority[in_block * m_inputs + member][output];
  }
  std::uint32_t preference(unsigned in_block, unsigned member, unsigned output) const {
    return m_preference[in_block * m_inputs + member][output];
  }

 private:
  unsigned m_inputs;
  const std::vector<std::vector<std::uint32_t>>&m_priority, &m_preference;
};

/// The requests in the form of the contract. Its parts that have no defined value contain bits that would show.
template <unsigned Blocks, unsigned Members>
allocation_requests<Blocks, Members> contract_form(const allocation_size& size, const plain_requests& plain) {
  allocation_requests<Blocks, Members> result;
  for (unsigned block = 0; block < Blocks; ++block) {
    result.inputs[block] = ~0U;
    for (unsigned member = 0; member < Members; ++member) {
      result.block[block][member] = 0;
      result.outputs[block][member] = ~0U;
    }
  }
  for (unsigned input = 0; input < size.all_inputs(); ++input) {
    if (!plain.waiting[input]) continue;
    const unsigned block = input / size.inputs, member = input % size.inputs;
    if ((result.blocks >> block & 1) == 0) result.inputs[block] = 0;
    result.blocks |= 1U << block;
    result.inputs[block] |= 1U << member;
    result.block[block][member] = static_cast<std::uint8_t>(plain.block[input]);
    result.outputs[block][member] = 0;
    for (unsigned choice = 0; choice < size.outputs; ++choice)
      if (plain.matrix[input][plain.block[input] * size.outputs + choice])
        result.outputs[block][member] |= 1U << choice;
  }
  return result;
}

/// The grants in plain form. Expects that the sets of the contract agree with each other and with the size.
template <unsigned Blocks, unsigned Members>
plain_grants plain_form(const allocation_size& size, const allocation_grants<Blocks, Members>& grants) {
  plain_grants result(size.all_inputs());
  EXPECT_EQ(std::uint64_t{grants.blocks} >> size.blocks, 0U) << "a block that does not exist";
  for (unsigned block = 0; block < Blocks; ++block) {
    EXPECT_EQ(grants.blocks >> block & 1, grants.inputs[block] != 0 ? 1U : 0U) << "block " << block;
    EXPECT_EQ(grants.first[block] & ~grants.inputs[block], 0U) << "block " << block;
    EXPECT_EQ(std::uint64_t{grants.inputs[block]} >> size.inputs, 0U) << "block " << block;
  }
  if (testing::Test::HasFailure()) return result;
  for (unsigned input = 0; input < size.all_inputs(); ++input) {
    const unsigned block = input / size.inputs, member = input % size.inputs;
    if ((grants.inputs[block] >> member & 1) == 0) continue;
    EXPECT_LT(grants.block[block][member], size.blocks);
    EXPECT_LT(grants.output[block][member], size.outputs);
    result.add(input, grants.block[block][member] * size.outputs + grants.output[block][member],
               (grants.first[block] >> member & 1) != 0);
  }
  return result;
}

/// An allocator whose state lies somewhere in an array. One block has the types of switch allocation, several blocks
/// have those of VC allocation.
class plain_allocator {
 public:
  plain_allocator(const allocator_parameters& parameters, const allocation_size& size, unsigned first_word)
      : m_size(size),
        m_design(make_allocator(parameters, size, first_word)),
        m_state(first_word + m_design.words + Behind, Untouched) {
    reset();
  }

  void reset() { reset_allocator(m_design, m_state); }
  const allocation_size& size() const { return m_size; }

  plain_grants allocate(const plain_requests& requests) const {
    return m_design.blocks == 1 ? allocate_in<1, MaxPorts>(requests) : allocate_in<MaxPorts, MaxVcs>(requests);
  }
  /// One cycle: allocates and, if an input waits, changes the state.
  /// \param with_first whether the grants that change the state contain the set of those of the first iteration
  plain_grants step(const plain_requests& requests, bool with_first = true) {
    return m_design.blocks == 1 ? step_in<1, MaxPorts>(requests, with_first)
                                : step_in<MaxPorts, MaxVcs>(requests, with_first);
  }

  /// The grants of the same allocator, in the same state, with another number of iterations.
  plain_grants allocate_with(unsigned iterations, const plain_requests& requests) const {
    plain_allocator other = *this;
    other.m_design.iterations = iterations;
    return other.allocate(requests);
  }

  /// The state. Expects that no word around it has changed.
  std::vector<unsigned> words() const {
    const auto begin = m_state.begin() + m_design.first_word, end = begin + m_design.words;
    EXPECT_TRUE(std::all_of(m_state.begin(), begin, [](unsigned word) { return word == Untouched; }));
    EXPECT_TRUE(std::all_of(end, m_state.end(), [](unsigned word) { return word == Untouched; }));
    return {begin, end};
  }

 private:
  static constexpr std::uint16_t Untouched = 0xd00d;
  static constexpr unsigned Behind = 20;  // words behind the state

  template <unsigned Blocks, unsigned Members>
  plain_grants allocate_in(const plain_requests& requests) const {
    const auto entered = contract_form<Blocks, Members>(m_size, requests);
    return plain_form(m_size, grants_for(requests, entered));
  }
  template <unsigned Blocks, unsigned Members>
  allocation_grants<Blocks, Members> grants_for(const plain_requests& requests,
                                                const allocation_requests<Blocks, Members>& entered) const {
    if (requests.priority.empty()) return weft::allocate(m_design, m_state, entered);
    return weft::allocate(m_design, m_state, entered, matrix_priorities(m_size, requests));
  }
  template <unsigned Blocks, unsigned Members>
  plain_grants step_in(const plain_requests& requests, bool with_first) {
    const auto entered = contract_form<Blocks, Members>(m_size, requests);
    auto grants = grants_for(requests, entered);
    const plain_grants result = plain_form(m_size, grants);
    if (!with_first) std::fill(std::begin(grants.first), std::end(grants.first), 0);
    if (requests.any_waiting()) advance(m_design, m_state, grants);
    return result;
  }

  allocation_size m_size;
  allocator_design m_design;
  std::vector<std::uint16_t> m_state;
};

/// Parameters of all kinds, with all arbiters and several numbers of groups and iterations.
inline std::vector<allocator_parameters> all_parameters() {
  std::vector<allocator_parameters> result;
  for (const allocator_entry& entry : allocator_entries()) {
    allocator_parameters parameters;
    parameters.kind = entry.kind;
    if (selects_with_arbiters(entry.kind)) {
      for (const arbiter_entry& arbiter : arbiter_entries()) {
        parameters.arbiter = arbiter.kind;
        for (const unsigned groups : {2U, 3U, 4U, MaxGroups}) {
          parameters.groups = groups;
          if (arbiter.kind == arbiter_kind::Tree || groups == 4) result.push_back(parameters);
        }
      }
    } else if (iterates(entry.kind)) {
      for (const unsigned iterations : {1U, 2U, 3U, 4U, MaxIterations}) {
        parameters.iterations = iterations;
        result.push_back(parameters);
      }
    } else {
      result.push_back(parameters);
    }
  }
  return result;
}

inline std::string description(const allocation_size& s) {
  return std::to_string(s.blocks) + " blocks of " + std::to_string(s.inputs) + " inputs and " +
         std::to_string(s.outputs) + " outputs";
}

inline allocation_size size_of(unsigned blocks, unsigned inputs, unsigned outputs) {
  allocation_size size;
  size.blocks = blocks;
  size.inputs = inputs;
  size.outputs = outputs;
  return size;
}

/// Sizes of switch allocators and of VC allocators, a few of them large, and sizes with more inputs than outputs or
/// fewer.
inline allocation_size random_size(rng& random) {
  const unsigned form = random.between(0, 9);
  if (form < 4) {
    const unsigned ports = random.between(1, MaxPorts);
    return size_of(1, ports, ports);
  }
  const unsigned vcs = form == 4 ? random.between(1, MaxVcs) : random.between(1, 4);
  if (form < 8) return size_of(form == 4 ? random.between(1, MaxPorts) : random.between(1, 6), vcs, vcs);
  return size_of(random.between(1, 4), random.between(1, 6), random.between(1, 6));
}

/// Requests of a cycle: none, few, many or all, often with outputs that many inputs request. Some inputs wait although
/// none of their outputs is free.
inline plain_requests random_requests(const allocation_size& size, rng& random) {
  plain_requests result(size);
  const double busy = random.one_of({0.0, 0.1, 0.5, 0.9, 1.0}), dense = random.one_of({0.15, 0.5, 0.9, 1.0});
  const bool crowded = random.chance(0.3);
  const unsigned crowded_block = random.between(0, size.blocks - 1);
  for (unsigned input = 0; input < size.all_inputs(); ++input) {
    if (!random.chance(busy)) continue;
    result.waiting[input] = true;
    const unsigned block = crowded ? crowded_block : random.between(0, size.blocks - 1);
    result.block[input] = block;
    if (random.chance(0.1)) continue;
    for (unsigned choice = 0; choice < size.outputs; ++choice)
      if (random.chance(dense)) result.add(size, input, block * size.outputs + choice);
  }
  return result;
}

}  // namespace weft
