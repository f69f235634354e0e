// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/study/store.h"

#include "support/temporary_directory.h"
#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "weft/experiment/report/output_file.h"

namespace weft::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class unit_study_store : public testing::Test {
 protected:
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

TEST_F(unit_study_store, keeps_what_it_is_given) {
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

TEST_F(unit_study_store, keeps_the_first_result_of_a_point_and_the_order) {
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

TEST_F(unit_study_store, a_point_that_is_not_whole_is_named) {
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

TEST_F(unit_study_store, refuses_what_is_no_store) {
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
  sqlite3_exec(other, "pragma application_id = 7", nullptr, nullptr, nullptr);  // without a table so far
  sqlite3_close(other);
  EXPECT_THAT(error_of_opening(true), HasSubstr("is not a store of weft"));
}

TEST_F(unit_study_store, refuses_another_form) {
  point_store(m_file, true);
  sqlite3* same = nullptr;
  sqlite3_open(m_file.c_str(), &same);
  sqlite3_exec(same, "pragma user_version = 99", nullptr, nullptr, nullptr);
  sqlite3_close(same);
  EXPECT_THAT(error_of_opening(true), HasSubstr("is a store of form 99, and this weft reads form 1"));
}

TEST_F(unit_study_store, several_processes_make_and_fill_it_together) {
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

TEST_F(unit_study_store, a_process_that_is_killed_leaves_what_it_had_put) {
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
  std::size_t told = 0;
  while (told < 20 && read(ends[0], &byte, 1) == 1) ++told;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  while (read(ends[0], &byte, 1) == 1) ++told;
  close(ends[0]);
  // The last one may be on disk although it was not told.
  const std::size_t stored = ids().size();
  EXPECT_GE(stored, told);
  EXPECT_LE(stored, told + 1);
}

}  // namespace
}  // namespace weft::experiment
