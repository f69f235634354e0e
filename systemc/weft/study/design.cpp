// SPDX-License-Identifier: Apache-2.0
#include "weft/study/design.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/configuration/keys.h"
#include "weft/configuration/traffic_sections.h"
#include "weft/core/diagnostic.h"
#include "weft/core/random.h"

namespace weft::experiment {

namespace {

constexpr std::size_t MostPoints = 1'000'000;
constexpr const char* SeedKey = "simulation.seed";

[[noreturn]] void reject(const sweep_axis& axis, const std::string& message) {
  throw configuration_error({{fmt::format("{} {}", axis.place, axis.key), message}});
}

/// The numbers of "a:b:c"; empty if \p text has another form.
std::vector<double> colon_numbers(const std::string& text) {
  std::vector<double> numbers;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ':');) {
    const auto value = parse_number<double>(part);
    if (!value || !std::isfinite(*value)) return {};
    numbers.push_back(*value);
  }
  return numbers;
}

/// Formats \p value with \p digits significant digits. Whole numbers get all their digits, as in 10000000.
std::string number_text(double value, int digits) {
  constexpr double MostExact = 0x1p53;
  const bool whole = std::floor(value) == value && std::abs(value) <= MostExact;
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.{}g}", value, digits);
}

/// Whether key \p path, or the key that a plain value of section \p path sets, accepts fractional numbers.
bool takes_fractions(const std::string& path) {
  std::string full = path;
  configuration c = defaults_with(path);
  for (const section& s : sections_of(c))
    if (s.path == path && !s.shorthand.empty()) full = s.shorthand;
  const std::vector<key> all = keys(c);
  return std::any_of(all.begin(), all.end(),
                     [&](const key& k) { return k.path == full && k.type.what == value_type::kind::Number; });
}

setting setting_of(const sweep_axis& axis, const std::string& value) {
  return {axis.key, value, fmt::format("{} {}={}", axis.place, axis.key, value), PointLayer};
}

/// All combinations of an element of \p points and an element of \p more. If there are too many, the error names
/// \p blamed.
std::vector<sweep_point> combined(const std::vector<sweep_point>& points, const std::vector<sweep_point>& more,
                                  const sweep_axis& blamed) {
  if (points.size() * more.size() > MostPoints)
    reject(blamed, fmt::format("expected at most {} points in all, got {}", MostPoints, points.size() * more.size()));
  std::vector<sweep_point> longer;
  for (const sweep_point& point : points) {
    for (const sweep_point& other : more) {
      longer.push_back(point);
      longer.back().insert(longer.back().end(), other.begin(), other.end());
    }
  }
  return longer;
}

std::vector<sweep_point> points_along(const sweep_axis& axis) {
  std::vector<sweep_point> points;
  for (const std::string& value : values_of(axis)) points.push_back({setting_of(axis, value)});
  return points;
}

std::vector<sweep_point> linked_points(const std::vector<sweep_axis>& axes) {
  std::vector<sweep_point> points;
  for (const sweep_axis& axis : axes) {
    const std::vector<std::string> values = values_of(axis);
    if (points.empty()) points.resize(values.size());
    if (values.size() != points.size())
      reject(axis, fmt::format("linked lists must have equal lengths; expected {} values, as in the list of {}, got {}",
                               points.size(), axes.front().key, values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) points[i].push_back(setting_of(axis, values[i]));
  }
  return points;
}

/// Random number \p index of the random stream \p stream, in [0, 1).
double unit(std::uint64_t stream, std::uint64_t index) {
  return static_cast<double>(splitmix64(stream, index) >> 11) * 0x1p-53;
}

/// The positions of all samples on axis number \p axis, in [0, 1).
std::vector<double> positions(const sweep_design& design, std::size_t axis) {
  const std::uint64_t stream = splitmix64(splitmix64(design.sampling_seed, 0), axis);
  std::vector<double> where(design.samples);
  for (std::size_t i = 0; i < where.size(); ++i) where[i] = unit(stream, i);
  if (design.sampling == sampling_kind::Random) return where;
  std::vector<std::size_t> part(where.size());
  std::iota(part.begin(), part.end(), std::size_t{0});
  const auto shuffled = [&](std::size_t i) { return splitmix64(stream, where.size() + i); };
  std::sort(part.begin(), part.end(), [&](std::size_t a, std::size_t b) { return shuffled(a) < shuffled(b); });
  for (std::size_t i = 0; i < where.size(); ++i)
    where[i] = (static_cast<double>(part[i]) + where[i]) / static_cast<double>(where.size());
  return where;
}

/// The value at position \p where in [0, 1): from a list, or between the ends of `low:high`.
std::string value_at(const sweep_axis& axis, double where) {
  const std::vector<double> ends = axis.values.size() == 1 ? colon_numbers(axis.values.front()) : std::vector<double>{};
  if (ends.size() != 2) {
    const std::vector<std::string> values = values_of(axis);
    return values[static_cast<std::size_t>(where * static_cast<double>(values.size()))];
  }
  const double low = ends[0], high = ends[1];
  if (low > high)
    reject(axis, fmt::format("expected a range low:high with low at most high, got {}", axis.values.front()));
  const bool whole = std::floor(low) == low && std::floor(high) == high && !takes_fractions(axis.key);
  return number_text(whole ? low + std::floor(where * (high - low + 1)) : low + where * (high - low), 6);
}

std::vector<sweep_point> sampled_points(const sweep_design& design) {
  std::vector<sweep_point> points(design.samples);
  for (std::size_t a = 0; a < design.sample.size(); ++a) {
    const std::vector<double> where = positions(design, a);
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i].push_back(setting_of(design.sample[a], value_at(design.sample[a], where[i])));
  }
  return points;
}

sweep_axis seeds_of(const sweep_design& design, std::uint64_t first_seed) {
  sweep_axis seeds{SeedKey, {}, "replicates"};
  if (first_seed > std::numeric_limits<std::uint64_t>::max() - (design.replicates - 1))
    reject(seeds, fmt::format("there are too few seeds from {} on for {} replicates; set a lower simulation.seed",
                              first_seed, design.replicates));
  for (unsigned i = 0; i < design.replicates; ++i) seeds.values.push_back(std::to_string(first_seed + i));
  return seeds;
}

void check_keys(const sweep_design& design) {
  std::set<std::string> keys;
  const auto check = [&](const sweep_axis& axis) {
    check_key_of({axis.key, "", fmt::format("{} {}", axis.place, axis.key)});
    if (!keys.insert(axis.key).second) reject(axis, "is swept twice; name it once");
    if (within(axis.key, "output")) reject(axis, "cannot be swept, because all points have the same output; use --set");
    if (within(axis.key, "sweep") || within(axis.key, "schedule") || within(axis.key, "explore"))
      reject(axis, "has no effect on a run, so it cannot be swept");
    if (axis.key == SeedKey && design.replicates > 1)
      reject(axis, "is already swept by the replicates; remove it, or set sweep.replicates to 1");
  };
  for (const auto* const list : {&design.over, &design.linked, &design.sample})
    for (const sweep_axis& axis : *list) check(axis);
}

}  // namespace

sweep_axis parse_axis(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    throw configuration_error(
        {{fmt::format("{} {}", option, text), "expected KEY=VALUE,VALUE,… or KEY=FIRST:LAST:STEP"}});
  sweep_axis axis{text.substr(0, equals), {""}, option};
  int depth = 0;
  for (const char c : text.substr(equals + 1)) {
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (c == ',' && depth == 0)
      axis.values.emplace_back();
    else
      axis.values.back() += c;
  }
  return axis;
}

std::vector<std::string> values_of(const sweep_axis& axis) {
  std::vector<std::string> values;
  for (const std::string& value : axis.values) {
    const std::vector<double> range = colon_numbers(value);
    if (range.size() == 2)
      reject(axis, fmt::format("expected a range first:last:step, got {0}; write {0}:STEP", value));
    if (range.size() != 3) {
      values.push_back(value);
      continue;
    }
    const double first = range[0], last = range[1], step = range[2];
    const double steps = std::floor((last - first) / step + 1e-9);
    if (step == 0 || steps < 0 || steps > 9999)
      reject(axis, fmt::format("expected a range first:last:step with at most 10000 values from first to last, got {}",
                               value));
    for (int i = 0; i <= static_cast<int>(steps); ++i) values.push_back(number_text(first + i * step, 10));
  }
  return values;
}

void override_axes(sweep_design& design, const sweep_design& overrides) {
  std::set<std::string> keys;
  for (const auto* const axes : {&overrides.over, &overrides.linked, &overrides.sample})
    for (const sweep_axis& axis : *axes) keys.insert(axis.key);
  const auto replace = [&keys](std::vector<sweep_axis>& axes, const std::vector<sweep_axis>& by) {
    const auto is_overridden = [&keys](const sweep_axis& axis) { return keys.count(axis.key) > 0; };
    axes.erase(std::remove_if(axes.begin(), axes.end(), is_overridden), axes.end());
    axes.insert(axes.end(), by.begin(), by.end());
  };
  replace(design.over, overrides.over);
  replace(design.linked, overrides.linked);
  replace(design.sample, overrides.sample);
}

void check_sampling(const sweep_design& design, const configuration& config) {
  for (const char* const key : {"sweep.samples", "sweep.sampling", "sweep.sampling_seed"})
    if (design.sample.empty() && config.given_by(key) != origin::kind::Default)
      throw configuration_error(
          {{config.where(key),
            fmt::format("{} has no effect without keys to sample; name them in sweep.sample or with --sample", key)}});
}

std::vector<std::string> keys_of(const sweep_design& design) {
  std::vector<std::string> keys;
  for (const auto* const list : {&design.over, &design.linked, &design.sample})
    for (const sweep_axis& axis : *list) keys.push_back(axis.key);
  if (design.replicates > 1) keys.emplace_back(SeedKey);
  return keys;
}

std::vector<sweep_point> points_of(const sweep_design& design, std::uint64_t first_seed) {
  check_keys(design);
  std::vector<sweep_point> points{{}};
  for (const sweep_axis& axis : design.over) points = combined(points, points_along(axis), axis);
  if (!design.linked.empty()) points = combined(points, linked_points(design.linked), design.linked.front());
  if (!design.sample.empty()) points = combined(points, sampled_points(design), design.sample.front());
  if (design.replicates > 1) {
    const sweep_axis seeds = seeds_of(design, first_seed);
    points = combined(points, points_along(seeds), seeds);
  }
  return points;
}

std::string settings_text(const sweep_point& point) {
  std::vector<std::string> parts;
  for (const setting& s : point) parts.push_back(fmt::format("{}={}", s.key, s.value));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace weft::experiment
