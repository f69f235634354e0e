// SPDX-License-Identifier: Apache-2.0
#include "weft/study/store.h"

#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sqlite3.h>

#include "weft/configuration/keys.h"
#include "weft/file/interruption.h"
#include "weft/report/csv_rows.h"
#include "weft/study/sha256.h"

namespace weft::experiment {

namespace {

constexpr int Form = 2;                  ///< version of the format of the table
constexpr int FormWithoutChecksums = 1;  ///< older version that can still be read
constexpr int Application = 0x77656674;  ///< "weft" in ASCII; marks the file as a store
constexpr int MostWaits = 12'000;        ///< number of waits of 10 ms for a process that locks the file

/// SQLite calls this function while another process locks the file. \p tries is the number of earlier calls for the
/// same lock. Returns 1 to try again, 0 to give up.
int wait_for_other(void* waiting, int tries) {
  auto& wait = *static_cast<interruptible_wait*>(waiting);
  if (tries == 0) wait.progress();
  return tries < MostWaits && wait.pause() ? 1 : 0;
}

/// Checksum of all columns of a row. Lengths precede the texts, so that a shift of text between columns is detected.
std::string checksum_of(const stored_point& p) {
  std::string all;
  for (const std::string* text :
       {&p.id, &p.weft, &p.configuration, &p.result.outcome, &p.result.error, &p.result.csv, &p.result.json})
    all += fmt::format("{}\n{}\n", text->size(), *text);
  return sha256(all);
}

/// The columns of a stored_point, in the order that query::row() expects.
constexpr const char* Columns = "id, weft, configuration, outcome, error, csv, result";

/// A prepared SQL statement.
class query {
 public:
  query(sqlite3* database, const char* sql) { sqlite3_prepare_v2(database, sql, -1, &m_statement, nullptr); }
  ~query() { sqlite3_finalize(m_statement); }
  query(const query&) = delete;
  query& operator=(const query&) = delete;

  explicit operator bool() const { return m_statement != nullptr; }
  /// \p text must outlive the query.
  query& bind(int parameter, const std::string& text) {
    sqlite3_bind_text(m_statement, parameter, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
    return *this;
  }
  int step() { return sqlite3_step(m_statement); }
  std::string text(int column) const {
    const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
    return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column))) : "";
  }
  int number(int column) const { return sqlite3_column_int(m_statement, column); }
  /// The current row of a statement that selects `Columns`.
  stored_point row() const { return {text(0), text(1), text(2), {text(3), text(4), text(5), text(6)}}; }

 private:
  sqlite3_stmt* m_statement = nullptr;
};

const char* checksum_column(bool has_checksums) { return has_checksums ? ", checksum" : ", ''"; }

/// Whether \p csv is empty, as for a point without a result, or consists of a header and one row with equally many
/// fields.
bool is_row_with_header(const std::string& csv) {
  if (csv.empty()) return true;
  try {
    const std::vector<csv_row> rows = rows_of_csv(csv);
    return rows.size() == 2 && rows[0].fields.size() == rows[1].fields.size();
  } catch (const open_quote&) {
    return false;
  }
}

std::optional<int> number_of(sqlite3* database, const char* pragma) {
  query statement(database, pragma);
  return statement && statement.step() == SQLITE_ROW ? std::optional(statement.number(0)) : std::nullopt;
}

}  // namespace

point_store::point_store(const std::filesystem::path& file, bool create)
    : m_file(file), m_wait(std::make_unique<interruptible_wait>()), m_database(nullptr, sqlite3_close) {
  std::error_code error;
  if (create && file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  // The file is opened for writing even if it is only read, because SQLite must first undo a change that a killed
  // process left unfinished.
  const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(file.c_str(), &opened, flags, nullptr);
  m_database.reset(opened);
  if (status != SQLITE_OK) fail("open");
  sqlite3_busy_handler(m_database.get(), wait_for_other, m_wait.get());
  if (create) make_or_upgrade();
  const std::optional<int> application = number_of(m_database.get(), "pragma application_id");
  if (!application) fail("read");
  if (application != Application)
    throw output_error(fmt::format("{} is not a store of weft; expected a file of `weft sweep`", m_file.string()));
  const int form = number_of(m_database.get(), "pragma user_version").value_or(0);
  if (form != Form && form != FormWithoutChecksums)
    throw output_error(fmt::format("{} is a store of format {}, but this version of Weft reads formats 1 to {}",
                                   m_file.string(), form, Form));
  m_has_checksums = form == Form;
}

/// Creates the table or adds checksums, in one transaction, because several processes may open the file at the same
/// time.
void point_store::make_or_upgrade() {
  execute("begin immediate");
  const std::optional<int> tables = number_of(m_database.get(), "select count(*) from sqlite_master");
  const std::optional<int> application = number_of(m_database.get(), "pragma application_id");
  if (!tables || !application) fail("read");
  if (tables == 0 && application == 0) {
    execute(
        "create table point (id text primary key, weft text not null, outcome text not null, error text not null, "
        "configuration text not null, csv text not null, result text not null, checksum text not null)");
    execute(fmt::format("pragma user_version = {}", Form).c_str());
    execute(fmt::format("pragma application_id = {}", Application).c_str());
  } else if (application == Application && number_of(m_database.get(), "pragma user_version") == FormWithoutChecksums) {
    add_checksums();
  }
  execute("commit");
}

/// Adds a checksum to each row of an old store. Earlier damage remains undetected.
void point_store::add_checksums() {
  execute("alter table point add column checksum text not null default ''");
  std::vector<std::pair<std::string, std::string>> checksums;
  {
    query all(m_database.get(), fmt::format("select {} from point", Columns).c_str());
    int status = all ? all.step() : SQLITE_ERROR;
    for (; status == SQLITE_ROW; status = all.step()) {
      const stored_point p = all.row();
      checksums.emplace_back(p.id, checksum_of(p));
    }
    if (status != SQLITE_DONE) fail_reading(status);
  }
  for (const auto& [id, checksum] : checksums) {
    query update(m_database.get(), "update point set checksum = ?1 where id = ?2");
    if (!update || update.bind(1, checksum).bind(2, id).step() != SQLITE_DONE) fail("write");
  }
  execute(fmt::format("pragma user_version = {}", Form).c_str());
}

void point_store::fail(const char* what) const {
  const int status = sqlite3_errcode(m_database.get());
  if (status == SQLITE_BUSY && noted_signal() != 0)
    throw interrupted(fmt::format("interrupted while another process held the lock of the store {}", m_file.string()));
  if (status == SQLITE_CORRUPT) fail_whole(sqlite3_errmsg(m_database.get()));
  throw output_error(
      fmt::format("cannot {} the store {}: {}", what, m_file.string(), sqlite3_errmsg(m_database.get())));
}

void point_store::fail_reading(int status) const {
  // SQLITE_ERROR: the table does not have the columns that make_or_upgrade() creates.
  if (status == SQLITE_CORRUPT || status == SQLITE_NOTADB || status == SQLITE_ERROR)
    fail_whole(sqlite3_errmsg(m_database.get()));
  fail("read");
}

void point_store::fail_whole(const std::string& what) const {
  throw damaged_store(
      fmt::format("the store {} is damaged: {}; move it away and run the sweep again", m_file.string(), what));
}

void point_store::fail_point(const std::string& id, const char* what) const {
  throw damaged_store(fmt::format(
      "the store {0} is damaged: {1} of point {2}; delete the point with `sqlite3 {0} \"delete from point where "
      "id = '{2}'\"`, and run the sweep again",
      m_file.string(), what, id));
}

/// Checks that a row matches its checksum, if the store has checksums, and that its CSV text is complete.
void point_store::check(const stored_point& p, const std::string& checksum) const {
  if (m_has_checksums && checksum_of(p) != checksum) fail_point(p.id, "wrong checksum");
  if (!is_row_with_header(p.result.csv)) fail_point(p.id, "invalid csv");
}

/// Checks that no row is missing or duplicated in the table or its index, which checksums of rows cannot detect.
void point_store::check_structure() {
  query checked(m_database.get(), "pragma integrity_check(1)");
  if (!checked) fail_reading(sqlite3_errcode(m_database.get()));
  const int status = checked.step();
  if (status != SQLITE_ROW) fail_reading(status);
  if (checked.text(0) != "ok") fail_whole(checked.text(0));
}

void point_store::execute(const char* sql) {
  if (sqlite3_exec(m_database.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail("write");
}

std::optional<point_result> point_store::find(const std::string& id) {
  query statement(m_database.get(), fmt::format("select {}{} from point where id = ?1 and outcome <> 'infeasible'",
                                                Columns, checksum_column(m_has_checksums))
                                        .c_str());
  if (!statement) fail_reading(sqlite3_errcode(m_database.get()));
  const int status = statement.bind(1, id).step();
  if (status == SQLITE_DONE) return std::nullopt;
  if (status != SQLITE_ROW) fail_reading(status);
  stored_point found = statement.row();
  if (found.id != id) fail_whole("its index leads to a wrong row");
  check(found, statement.text(7));
  return std::move(found.result);
}

void point_store::put(const stored_point& p) {
  query insert(
      m_database.get(),
      "insert into point (id, weft, outcome, error, configuration, csv, result, checksum) "
      "values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) on conflict (id) do update set weft = excluded.weft, "
      "outcome = excluded.outcome, error = excluded.error, configuration = excluded.configuration, "
      "csv = excluded.csv, result = excluded.result, checksum = excluded.checksum where outcome = 'infeasible'");
  if (!insert) fail("write");
  const std::string checksum = checksum_of(p);
  insert.bind(1, p.id).bind(2, p.weft).bind(3, p.result.outcome).bind(4, p.result.error).bind(5, p.configuration);
  insert.bind(6, p.result.csv).bind(7, p.result.json).bind(8, checksum);
  if (insert.step() != SQLITE_DONE) fail("write");
}

void point_store::for_each(const std::function<void(const stored_point&)>& use) {
  check_structure();
  query all(m_database.get(),
            fmt::format("select {}{} from point order by rowid", Columns, checksum_column(m_has_checksums)).c_str());
  if (!all) fail_reading(sqlite3_errcode(m_database.get()));
  int status = all.step();
  for (; status == SQLITE_ROW; status = all.step()) {
    const stored_point p = all.row();
    check(p, all.text(7));
    if (!json::accept(p.configuration)) fail_point(p.id, "invalid configuration");
    use(p);
  }
  if (status != SQLITE_DONE) fail_reading(status);
}

}  // namespace weft::experiment
