// SPDX-License-Identifier: Apache-2.0
/// Traffic matrices: a rate for each pair of nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "weft/core/random.h"
#include "weft/core/types.h"

namespace weft {

/// The rates of all pairs of nodes, of which only those above 0 are stored. Destinations are drawn from the row of a
/// source in constant time, with a table for each row.
/// Source of the tables: A. J. Walker (1977), built as by M. D. Vose (1991). They depend only on the ratios of the
/// rates in a row, and only on operations whose results are the same on every machine.
class traffic_matrix {
 public:
  struct pair_rate {
    node_id source = 0;
    node_id destination = 0;
    double rate = 0;       ///< > 0, finite
    std::size_t line = 0;  ///< number of the line that contains it, for messages
  };

  /// \param pairs each pair at most once, sorted by source and then by destination; at least one
  traffic_matrix(std::uint32_t nodes, const std::vector<pair_rate>& pairs);

  /// A column of the table of a row. It gives the destination `own` for random numbers below `limit`, else `other`.
  struct column {
    std::uint64_t limit;
    node_id own;
    node_id other;
  };

  /// A column and a random number, which determine a destination.
  struct draw_result {
    const column* at = nullptr;
    std::uint64_t number = 0;

    node_id destination() const { return number < at->limit ? at->own : at->other; }
  };

  /// Draws the destination of a packet of \p source, whose row sum must not be 0, without reading the table.
  draw_result draw(node_id source, random_stream& random) const {
    const std::size_t first = m_first[source], count = m_first[source + 1] - first;
    if (count == 1) return {&m_columns[first], 0};
    const column* const at = &m_columns[first + random.below(static_cast<std::uint32_t>(count))];
    return {at, random.next()};
  }

  /// The same, and reads it.
  node_id destination(node_id source, random_stream& random) const { return draw(source, random).destination(); }

  /// Sum of the rates of \p source.
  double row_sum(node_id source) const { return m_row_sums[source]; }

  /// Mean of the row sums of all nodes; exactly the row sum if all are equal.
  double mean_row_sum() const { return m_mean_row_sum; }

  /// Calls \p use with each destination of \p source and its share of the packets of \p source, in order.
  template <class Use>
  void for_each_share(node_id source, Use use) const {
    for (std::size_t i = m_first[source]; i < m_first[source + 1]; ++i)
      use(m_destinations[i], m_rates[i] / m_row_sums[source]);
  }

 private:
  void fill_row(std::size_t first, std::size_t end, double sum);

  std::vector<std::size_t> m_first;  ///< index of the first pair of each source, and the number of pairs
  std::vector<node_id> m_destinations;
  std::vector<double> m_rates;
  std::vector<column> m_columns;
  std::vector<double> m_row_sums;
  double m_mean_row_sum = 0;
};

/// Reads the matrix in \p file. If its first line with data has a comma, the file has a row for each source with a rate
/// for each destination, separated by commas. Otherwise, it has lines `source destination rate`, separated by blanks;
/// other pairs have the rate 0. `#` starts a comment.
/// \throws workload_error if the file is not valid or has no rate above 0
traffic_matrix read_traffic_matrix(const std::filesystem::path& file, std::uint32_t nodes);

}  // namespace weft
