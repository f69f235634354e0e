// SPDX-License-Identifier: Apache-2.0
/// Stores results of points in an SQLite file that several processes may share; any of them may end at any time.
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

/// The contents of a store are not in Weft's format. The text names the place.
class damaged_store : public output_error {
 public:
  using output_error::output_error;
};

/// A row of table `point`.
struct stored_point {
  std::string id;             ///< id_of()
  std::string weft;           ///< version of Weft
  std::string configuration;  ///< JSON
  point_result result;
};

/// The store, a single table, which docs/02_user/sweeps.md describes. When put() returns, the result is on disk. A
/// signal ends waits for other processes with the exception `interrupted`.
class point_store {
 public:
  /// Opens \p file. With \p create, a missing file and its directory are created, and rows of an old store get
  /// checksums. \throws output_error if it cannot be opened, is not a store, or has another format
  point_store(const std::filesystem::path& file, bool create);

  /// The stored result of a point; nothing for infeasible points, whose feasibility may have changed.
  /// \throws damaged_store if the row does not match its checksum
  std::optional<point_result> find(const std::string& id);

  /// Keeps an existing result unless the point was infeasible. \throws output_error
  void put(const stored_point& p);

  /// Calls \p use for all points in the order in which they were stored. \throws damaged_store at the first row that
  /// does not match its checksum, and before any row if the structure of the file is damaged, because rows may be
  /// missing
  void for_each(const std::function<void(const stored_point&)>& use);

  /// Whether rows have checksums. Stores of an older Weft have none until they are opened for writing.
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
