// SPDX-License-Identifier: Apache-2.0
/// Results of points, in an SQLite file that several processes may share and any of them may leave at any moment.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <sqlite3.h>

#include "weft/experiment/report/output_file.h"
#include "weft/experiment/study/point.h"

namespace weft::experiment {

/// What is in a store is not as Weft has written it. The text says where.
class damaged_store : public output_error {
 public:
  using output_error::output_error;
};

/// A row of table `point`.
struct stored_point {
  std::string id;             ///< id_of()
  std::string weft;           ///< version
  std::string configuration;  ///< JSON
  point_result result;
};

/// The store. Its one table, docs/02_user/sweeps.md describes it. Each put() is on disk when it returns.
class point_store {
 public:
  /// Opens \p file, and makes it with its directory if \p create. \throws output_error if it cannot be opened, is no
  /// store, or is one of another form
  point_store(const std::filesystem::path& file, bool create);

  /// The result of a point that has one; nothing for those that were infeasible, which may have changed.
  /// \throws damaged_store
  std::optional<point_result> find(const std::string& id);

  /// Keeps what is there, but for infeasible points. \throws output_error
  void put(const stored_point& p);

  /// All, in the order in which they came. \throws damaged_store at the first that is not whole
  void for_each(const std::function<void(const stored_point&)>& use);

  const std::filesystem::path& file() const { return m_file; }

 private:
  [[noreturn]] void fail(const char* what) const;
  [[noreturn]] void fail_reading(int status) const;
  void check(const std::string& id, const point_result& r) const;
  void execute(const char* sql);

  std::filesystem::path m_file;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> m_database;
};

}  // namespace weft::experiment
