// SPDX-License-Identifier: Apache-2.0
/// Stores the results of sweep points in an SQLite file. Several processes may use the file at the same time, and each
/// of them may be killed at any time without damage to the file.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <sqlite3.h>

#include "weft/file/interruption.h"
#include "weft/report/output_file.h"
#include "weft/study/point.h"

namespace weft::experiment {

/// Reports that a store is damaged. The message names the file and, where possible, the point.
class damaged_store : public output_error {
 public:
  using output_error::output_error;
};

/// A row of table `point`.
struct stored_point {
  std::string id;             ///< identifier of the point, see id_of()
  std::string weft;           ///< version of Weft that wrote the row
  std::string configuration;  ///< in JSON; for an infeasible point, its settings
  point_result result;
};

/// An open store. The file contains a single table, which docs/02_user/sweeps.md describes. When put() returns, the
/// result is on disk. If a signal arrives while a function waits for another process, the function throws
/// `interrupted`.
class point_store {
 public:
  /// Opens \p file. With \p create, creates the file and its directory if they are missing, and adds checksums to the
  /// rows of an old store. \throws output_error if the file cannot be opened, is not a store, or has an unknown format
  /// version
  point_store(const std::filesystem::path& file, bool create);

  /// Returns the stored result of the point \p id. Returns nothing if there is none, or if the point was infeasible,
  /// because it may be feasible now. \throws damaged_store if the row does not match its checksum
  std::optional<point_result> find(const std::string& id);

  /// Stores the result of a point. If the store already has a result of this point, keeps the earlier one, unless the
  /// point was infeasible. \throws output_error
  void put(const stored_point& p);

  /// Calls \p use for all points in the order in which they were stored. \throws damaged_store at the first row that
  /// does not match its checksum. If the structure of the file is damaged, rows may be missing, so this function throws
  /// before it calls \p use.
  void for_each(const std::function<void(const stored_point&)>& use);

  /// Whether the rows have checksums. The rows of a store of an older version of Weft have none until the store is
  /// opened with `create`.
  bool has_checksums() const { return m_has_checksums; }

  const std::filesystem::path& file() const { return m_file; }

 private:
  [[noreturn]] void fail(const char* what) const;
  [[noreturn]] void fail_reading(int status) const;
  [[noreturn]] void fail_whole(const std::string& what) const;
  [[noreturn]] void fail_point(const std::string& id, const char* what) const;
  void check(const stored_point& p, const std::string& checksum) const;
  void check_structure();
  void execute(const char* sql);
  void make_or_upgrade();
  void add_checksums();

  std::filesystem::path m_file;
  bool m_has_checksums = true;
  std::unique_ptr<interruptible_wait> m_wait;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> m_database;
};

}  // namespace weft::experiment
