// SPDX-License-Identifier: Apache-2.0
/// The designs among which a search selects: the points of a sweep, without its samples and replicates.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/study/design.h"

namespace weft::experiment {

/// A design, as the number of the value of each parameter.
using design_choice = std::vector<std::size_t>;

/// All combinations of the values of the parameters, each once. Each key of `over` is a parameter; the rows of `linked`
/// together are one.
class design_space {
 public:
  /// \throws configuration_error for samples, for a design without keys, and for the errors of points_of() except the
  /// number of points
  explicit design_space(const sweep_design& design);

  /// The number of values of each parameter.
  std::vector<std::size_t> sizes() const;
  /// The number of designs, as a floating-point number because it may be very large.
  double size() const;
  /// The settings of a design.
  sweep_point point(const design_choice& choice) const;
  /// The design with the values of \p point, which has a setting for each key, in the spelling of the space.
  /// \throws configuration_error at a setting that no design has, with the values that the designs have
  sweep_point find(const sweep_point& point) const;
  /// The design that random number \p draw of the stream \p stream selects.
  design_choice drawn(std::uint64_t stream, std::uint64_t draw) const;

 private:
  std::vector<std::vector<sweep_point>> m_parameters;  ///< the settings of each value of each parameter
};

}  // namespace weft::experiment
