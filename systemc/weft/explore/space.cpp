// SPDX-License-Identifier: Apache-2.0
#include "weft/explore/space.h"

#include "weft/core/random.h"

namespace weft::experiment {

namespace {

/// \p axis with its first value only, for checks of the keys.
sweep_axis first_of(const sweep_axis& axis) { return {axis.key, {values_of(axis).front()}, axis.place}; }

}  // namespace

design_space::design_space(const sweep_design& design) {
  if (!design.sample.empty())
    throw configuration_error({{design.sample.front().place + " " + design.sample.front().key,
                                "samples have no effect on a search; list the values in sweep.over"}});
  sweep_design checked = design;
  for (sweep_axis& axis : checked.over) axis = first_of(axis);
  points_of(checked, 1);
  for (const sweep_axis& axis : design.over) {
    sweep_design alone;
    alone.over = {axis};
    m_parameters.push_back(points_of(alone, 1));
  }
  if (design.linked.empty()) return;
  sweep_design rows;
  rows.linked = design.linked;
  m_parameters.push_back(points_of(rows, 1));
}

std::vector<std::size_t> design_space::sizes() const {
  std::vector<std::size_t> all;
  for (const auto& values : m_parameters) all.push_back(values.size());
  return all;
}

double design_space::size() const {
  double product = 1;
  for (const auto& values : m_parameters) product *= static_cast<double>(values.size());
  return product;
}

sweep_point design_space::point(const design_choice& choice) const {
  sweep_point all;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    const sweep_point& settings = m_parameters[i][choice[i]];
    all.insert(all.end(), settings.begin(), settings.end());
  }
  return all;
}

design_choice design_space::drawn(std::uint64_t stream, std::uint64_t draw) const {
  design_choice choice;
  for (std::size_t i = 0; i < m_parameters.size(); ++i)
    choice.push_back(splitmix64(splitmix64(stream, draw), i) % m_parameters[i].size());
  return choice;
}

}  // namespace weft::experiment
