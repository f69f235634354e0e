// SPDX-License-Identifier: Apache-2.0
#include "weft/study/store.h"

#include "support/temporary_directory.h"
#include <csignal>
#include <fstream>
#include <iterator>
#include <optional>

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "weft/report/output_file.h"

namespace weft::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// The visible contents of a point.
std::string text_of(const stored_point& p) {
  return p.id + "|" + p.weft + "|" + p.configuration + "|" + p.result.outcome + "|" + p.result.error + "|" +
         p.result.csv + "|" + p.result.json;
}

class unit_study_store : public testing::Test {
 protected:
  /// Executes \p sql on the file, without Weft.
  void execute(const std::string& sql) {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(m_file.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
    sqlite3_close(database);
  }
  /// Creates a store as Weft wrote it before rows had checksums.
  void make_old_store(int rows) {
    std::filesystem::create_directories(m_file.parent_path());
    execute(
        "create table point (id text primary key, weft text not null, outcome text not null, error text not null, "
        "configuration text not null, csv text not null, result text not null); pragma user_version = 1; "
        "pragma application_id = 2003134068");
    for (int i = 0; i < rows; ++i)
      execute("insert into point values ('" + std::to_string(i) +
              "', '0.1.0', 'complete', '', '{}', 'a' || char(10) || "
              "'1' || char(10), '{}')");
  }
  /// All points, one per line, or nothing if the store is rejected.
  std::optional<std::vector<std::string>> texts() {
    std::vector<std::string> all;
    try {
      point_store(m_file, false).for_each([&](const stored_point& p) { all.push_back(text_of(p)); });
    } catch (const output_error&) {
      return std::nullopt;
    }
    return all;
  }
  static stored_point point(const std::string& id, const std::string& outcome = "complete") {
    return {id, "0.1.0", "{}", {outcome, "", "a\n1\n", "{}"}};
  }
  std::vector<std::string> ids() {
    std::vector<std::string> all;
    point_store(m_file, false).for_each([&](const stored_point& p) { all.push_back(p.id); });
    return all;
  }
  std::string error_of_opening(bool create) {
    try {
      point_store(m_file, create);
    } catch (const output_error& e) {
      return e.what();
    }
    return "";
  }

  temporary_directory m_directory;
  std::filesystem::path m_file = m_directory / "deep" / "points.sqlite";
};

TEST_F(unit_study_store, returns_stored_results_after_reopening) {
  const std::string odd("a\0'b\n", 5);
  {
    point_store store(m_file, true);
    EXPECT_FALSE(store.find("x").has_value());
    store.put({"x", "0.1.0", "{\"k\":1}", {"saturated", odd, "c\nv\n", "json"}});
  }
  point_store store(m_file, true);
  ASSERT_TRUE(store.find("x").has_value());
  EXPECT_EQ(store.find("x")->outcome, "saturated");
  EXPECT_EQ(store.find("x")->error, odd);
  EXPECT_EQ(store.find("x")->csv, "c\nv\n");
  EXPECT_EQ(store.find("x")->json, "json");
}

TEST_F(unit_study_store, keeps_insertion_order_and_the_first_result_of_a_point) {
  point_store store(m_file, true);
  store.put(point("b"));
  store.put(point("a"));
  store.put(point("b", "deadlock"));
  EXPECT_EQ(store.find("b")->outcome, "complete");
  EXPECT_THAT(ids(), ElementsAre("b", "a"));
}

TEST_F(unit_study_store, an_infeasible_point_may_become_feasible) {
  point_store store(m_file, true);
  store.put(point("a", "infeasible"));
  EXPECT_FALSE(store.find("a").has_value());
  store.put(point("a"));
  EXPECT_EQ(store.find("a")->outcome, "complete");
  EXPECT_THAT(ids(), ElementsAre("a"));
}

TEST_F(unit_study_store, rejects_incomplete_points) {
  point_store store(m_file, true);
  for (const char* const csv : {"a\n", "a,b\n1\n", "a\n\"1\n", "a\n1\n2\n"}) {
    store.put({csv, "0.1.0", "{}", {"complete", "", csv, "{}"}});
    EXPECT_THROW(store.find(csv), damaged_store) << csv;
    EXPECT_THROW(ids(), damaged_store) << csv;
  }
  std::filesystem::remove(m_file);
  point_store other(m_file, true);
  other.put({"x", "0.1.0", "{\"k\":", {"complete", "", "a\n1\n", "{}"}});
  EXPECT_THROW(ids(), damaged_store);
}

TEST_F(unit_study_store, rejects_files_that_are_not_stores) {
  EXPECT_THAT(error_of_opening(false), HasSubstr("cannot open the store"));
  std::filesystem::create_directories(m_file.parent_path());
  std::ofstream(m_file) << "this is not a database, and long enough that SQLite looks at it: " << std::string(200, 'x');
  EXPECT_THAT(error_of_opening(true), HasSubstr("file is not a database"));
  std::filesystem::remove(m_file);
  sqlite3* other = nullptr;
  sqlite3_open(m_file.c_str(), &other);
  sqlite3_exec(other, "create table t (x)", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  EXPECT_THAT(error_of_opening(true), HasSubstr("is not a store of weft"));
  std::filesystem::remove(m_file);
  sqlite3_open(m_file.c_str(), &other);
  sqlite3_exec(other, "pragma application_id = 7", nullptr, nullptr, nullptr);  // no table exists yet
  sqlite3_close(other);
  EXPECT_THAT(error_of_opening(true), HasSubstr("is not a store of weft"));
}

TEST_F(unit_study_store, rejects_another_format_version) {
  point_store(m_file, true);
  sqlite3* same = nullptr;
  sqlite3_open(m_file.c_str(), &same);
  sqlite3_exec(same, "pragma user_version = 99", nullptr, nullptr, nullptr);
  sqlite3_close(same);
  EXPECT_THAT(error_of_opening(true),
              HasSubstr("is a store of format 99, but this version of Weft reads formats 1 to 2"));
}

TEST_F(unit_study_store, several_processes_create_and_fill_it_concurrently) {
  constexpr int Processes = 4, Points = 30;
  std::vector<pid_t> children;
  for (int p = 0; p < Processes; ++p) {
    const pid_t child = fork();
    if (child == 0) {
      point_store store(m_file, true);
      for (int i = 0; i < Points; ++i) store.put(point(std::to_string(i % 2 == 0 ? i : 1000 * p + i)));
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_THAT(ids(), SizeIs(Points / 2 + Processes * Points / 2));
}

TEST_F(unit_study_store, keeps_points_of_a_killed_process) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    point_store store(m_file, true);
    for (int i = 0;; ++i) {
      store.put(point(std::to_string(i)));
      if (write(ends[1], "x", 1) != 1) _exit(1);
    }
  }
  close(ends[1]);
  char byte = 0;
  std::size_t acknowledged = 0;
  while (acknowledged < 20 && read(ends[0], &byte, 1) == 1) ++acknowledged;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  while (read(ends[0], &byte, 1) == 1) ++acknowledged;
  close(ends[0]);
  // The last point may be on disk although it was not acknowledged.
  const std::size_t stored = ids().size();
  EXPECT_GE(stored, acknowledged);
  EXPECT_LE(stored, acknowledged + 1);
}

TEST_F(unit_study_store, rejects_a_changed_value_and_suggests_a_remedy) {
  for (const char* const change :
       {"csv = 'a' || char(10) || '2' || char(10)", "outcome = 'saturated'", "error = 'x'", "weft = '0.1.1'",
        "configuration = '{\"k\":1}'", "result = '[]'", "checksum = ''", "id = 'b'"}) {
    point_store(m_file, true).put(point("a"));
    execute(std::string("update point set ") + change);
    const std::string id = change[0] == 'i' ? "b" : "a";
    const std::string expected = "the store " + m_file.string() + " is damaged: wrong checksum of point " + id +
                                 "; delete the point with `sqlite3 " + m_file.string() +
                                 " \"delete from point where id = '" + id + "'\"`, and run the sweep again";
    try {
      ids();
      ADD_FAILURE() << change;
    } catch (const damaged_store& e) {
      EXPECT_EQ(e.what(), expected);
    }
    if (id == "a") {
      EXPECT_THROW(point_store(m_file, true).find("a"), damaged_store) << change;
    }
    execute("delete from point where id = '" + id + "'");
    EXPECT_FALSE(point_store(m_file, true).find("a").has_value());
    std::filesystem::remove(m_file);
  }
}

/// Checksums of rows cannot detect a missing row.
TEST_F(unit_study_store, rejects_a_missing_row) {
  {
    point_store store(m_file, true);
    for (const char* const id : {"a", "b", "c"}) store.put(point(id));
  }
  // The number of cells in the table's page, big-endian, at its byte 3; the table is on page 2.
  std::fstream file(m_file, std::ios::binary | std::ios::in | std::ios::out);
  constexpr std::streamoff Cells = 4096 + 4;
  file.seekg(Cells);
  ASSERT_EQ(file.get(), 3);
  file.seekp(Cells);
  file.put(2);
  file.close();
  EXPECT_THROW(ids(), damaged_store);
}

TEST_F(unit_study_store, an_old_store_is_read_and_gets_checksums_when_written) {
  make_old_store(3);
  EXPECT_FALSE(point_store(m_file, false).has_checksums());
  EXPECT_THAT(ids(), ElementsAre("0", "1", "2"));
  {
    point_store store(m_file, true);
    EXPECT_TRUE(store.has_checksums());
    EXPECT_EQ(store.find("1")->csv, "a\n1\n");
    store.put(point("new"));
  }
  EXPECT_TRUE(point_store(m_file, false).has_checksums());
  EXPECT_THAT(ids(), ElementsAre("0", "1", "2", "new"));
  execute("update point set csv = 'a' || char(10) || '3' || char(10) where id = '1'");
  EXPECT_THROW(ids(), damaged_store);
}

/// Flips every n-th bit of the file, one at a time. Either nothing changes that can be read, or the store rejects it. A
/// point is found unchanged, or rejected, or not found, so that it is run again.
class unit_study_store_damage : public unit_study_store, public testing::WithParamInterface<int> {};

TEST_P(unit_study_store_damage, is_never_read_as_a_result) {
  const std::string long_text(6000, 'r');  // so long that it occupies pages of its own
  {
    point_store store(m_file, true);
    for (int i = 0; i < 12; ++i)
      store.put(
          {"id" + std::to_string(i),
           "0.1.0",
           "{\"load\":0.1}",
           {i == 5 ? "infeasible" : "complete", i == 5 ? "why" : "", "latency\n23.06\n", "\"" + long_text + "\""}});
  }
  const auto whole = texts();
  ASSERT_TRUE(whole.has_value());
  std::ifstream in(m_file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::size_t rejected = 0, equal = 0;
  const auto step = static_cast<std::size_t>(GetParam());
  for (std::size_t bit = step / 2; bit < 8 * bytes.size(); bit += step) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    std::ofstream(m_file, std::ios::binary) << damaged;
    const auto read = texts();
    ++(read ? equal : rejected);
    if (read) {
      EXPECT_EQ(*read, *whole) << "bit " << bit;
    }
    try {
      point_store store(m_file, true);
      if (const auto found = store.find("id3")) {
        EXPECT_EQ(found->csv, "latency\n23.06\n") << "bit " << bit;
        EXPECT_EQ(found->json, "\"" + long_text + "\"") << "bit " << bit;
        EXPECT_EQ(found->outcome, "complete") << "bit " << bit;
      }
    } catch (const output_error&) {
    }
    std::filesystem::remove(m_file.string() + "-journal");
  }
  EXPECT_GT(rejected, 0u);
  EXPECT_GT(equal, 0u);
}

INSTANTIATE_TEST_SUITE_P(sampled_bits, unit_study_store_damage, testing::Values(1009));
INSTANTIATE_TEST_SUITE_P(soak, unit_study_store_damage, testing::Values(61));

}  // namespace
}  // namespace weft::experiment
