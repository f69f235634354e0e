// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/study/store.h"

#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "weft/experiment/configuration/keys.h"
#include "weft/experiment/report/csv_rows.h"

namespace weft::experiment {

namespace {

constexpr int Form = 1;                      ///< of the table; another one is another number
constexpr int Application = 0x77656674;      ///< "weft"
constexpr int MillisecondsToWait = 120'000;  ///< for another process, which needs the file for some milliseconds

/// A prepared statement; parameters and columns are texts.
class query {
 public:
  query(sqlite3* database, const char* sql) { sqlite3_prepare_v2(database, sql, -1, &m_statement, nullptr); }
  ~query() { sqlite3_finalize(m_statement); }
  query(const query&) = delete;
  query& operator=(const query&) = delete;

  explicit operator bool() const { return m_statement != nullptr; }
  /// \p text outlives the query.
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

 private:
  sqlite3_stmt* m_statement = nullptr;
};

/// A header and a row of as many fields; or nothing, of a point without a result.
bool is_row_with_header(const std::string& csv) {
  if (csv.empty()) return true;
  try {
    const std::vector<csv_row> rows = rows_of_csv(csv);
    return rows.size() == 2 && rows[0].fields.size() == rows[1].fields.size();
  } catch (const open_quote&) {
    return false;
  }
}

int number_of(sqlite3* database, const char* pragma) {
  query asked(database, pragma);
  return asked && asked.step() == SQLITE_ROW ? asked.number(0) : -1;
}

}  // namespace

point_store::point_store(const std::filesystem::path& file, bool create)
    : m_file(file), m_database(nullptr, sqlite3_close) {
  std::error_code error;
  if (create && file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  // For writing, even to read: what a killed process left half-done is undone by the next one that opens the file.
  const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(file.c_str(), &opened, flags, nullptr);
  m_database.reset(opened);
  if (status != SQLITE_OK) fail("open");
  sqlite3_busy_timeout(m_database.get(), MillisecondsToWait);
  // Two processes may make the table at the same time: whichever is first does all of it.
  if (create) execute("begin immediate");
  const int tables = number_of(m_database.get(), "select count(*) from sqlite_master");
  const int application = number_of(m_database.get(), "pragma application_id");
  if (tables < 0 || application < 0) fail("read");
  if (create && tables == 0 && application == 0) {
    execute(
        "create table point (id text primary key, weft text not null, outcome text not null, error text not null, "
        "configuration text not null, csv text not null, result text not null)");
    execute(fmt::format("pragma user_version = {}", Form).c_str());
    execute(fmt::format("pragma application_id = {}", Application).c_str());
  }
  if (create) execute("commit");
  if (number_of(m_database.get(), "pragma application_id") != Application)
    throw output_error(fmt::format("{} is not a store of weft", m_file.string()));
  if (const int form = number_of(m_database.get(), "pragma user_version"); form != Form)
    throw output_error(
        fmt::format("{} is a store of form {}, and this weft reads form {}", m_file.string(), form, Form));
}

void point_store::fail(const char* what) const {
  throw output_error(
      fmt::format("cannot {} the store {}: {}", what, m_file.string(), sqlite3_errmsg(m_database.get())));
}

void point_store::fail_reading(int status) const {
  if (status == SQLITE_CORRUPT || status == SQLITE_NOTADB)
    throw damaged_store(fmt::format("the store {} is damaged: {}", m_file.string(), sqlite3_errmsg(m_database.get())));
  fail("read");
}

void point_store::check(const std::string& id, const point_result& r) const {
  if (is_row_with_header(r.csv)) return;
  throw damaged_store(
      fmt::format("the store {} is damaged: csv of point {} is no header and row", m_file.string(), id));
}

void point_store::execute(const char* sql) {
  if (sqlite3_exec(m_database.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail("write");
}

std::optional<point_result> point_store::find(const std::string& id) {
  query asked(m_database.get(),
              "select outcome, error, csv, result from point where id = ?1 and outcome <> 'infeasible'");
  if (!asked) fail("read");
  const int status = asked.bind(1, id).step();
  if (status == SQLITE_DONE) return std::nullopt;
  if (status != SQLITE_ROW) fail_reading(status);
  point_result found{asked.text(0), asked.text(1), asked.text(2), asked.text(3)};
  check(id, found);
  return found;
}

void point_store::put(const stored_point& p) {
  query insert(m_database.get(),
               "insert into point (id, weft, outcome, error, configuration, csv, result) "
               "values (?1, ?2, ?3, ?4, ?5, ?6, ?7) on conflict (id) do update set outcome = excluded.outcome, "
               "error = excluded.error, csv = excluded.csv, result = excluded.result where outcome = 'infeasible'");
  if (!insert) fail("write");
  insert.bind(1, p.id).bind(2, p.weft).bind(3, p.result.outcome).bind(4, p.result.error).bind(5, p.configuration);
  insert.bind(6, p.result.csv).bind(7, p.result.json);
  if (insert.step() != SQLITE_DONE) fail("write");
}

void point_store::for_each(const std::function<void(const stored_point&)>& use) {
  query all(m_database.get(), "select id, weft, configuration, outcome, error, csv, result from point order by rowid");
  if (!all) fail("read");
  int status = all.step();
  for (; status == SQLITE_ROW; status = all.step()) {
    const stored_point p{all.text(0), all.text(1), all.text(2), {all.text(3), all.text(4), all.text(5), all.text(6)}};
    check(p.id, p.result);
    if (!json::accept(p.configuration))
      throw damaged_store(
          fmt::format("the store {} is damaged: configuration of point {} is no JSON", m_file.string(), p.id));
    use(p);
  }
  if (status != SQLITE_DONE) fail_reading(status);
}

}  // namespace weft::experiment
