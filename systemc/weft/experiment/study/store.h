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
#include "weft/file/interruption.h"

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

/// The store. Its one table, docs/02_user/sweeps.md describes it. Each put() is on disk when it returns. Waits for
/// other processes end with a signal that is noted, by the exception `interrupted`.
class point_store {
 public:
  /// Opens \p file. With \p create it is made, with its directory, if it is missing, and the rows of an old store get
  /// checksums. \throws output_error if it cannot be opened, is no store, or is one of another form
  point_store(const std::filesystem::path& file, bool create);

  /// The result of a point that has one; nothing for those that were infeasible, which may have changed.
  /// \throws damaged_store if the row is not as it was written
  std::optional<point_result> find(const std::string& id);

  /// Keeps what is there, but for infeasible points. \throws output_error
  void put(const stored_point& p);

  /// All, in the order in which they came. \throws damaged_store at the first that is not as it was written, and before
  /// any if the structure of the file is damaged, so that rows may be missing
  void for_each(const std::function<void(const stored_point&)>& use);

  /// Whether rows have checksums. Those of a store that an older Weft wrote have none until it is opened for writing.
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
