// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/command/proof_output.h"

#include <utility>

#include <fmt/format.h>

#include "weft/configuration/configuration.h"
#include "weft/core/printable.h"

namespace weft::experiment {

namespace {

class proof_files_under_way : public schedule::unfinished_proof {
 public:
  proof_files_under_way(const std::string& file, std::unique_ptr<proof_output::pair>& kept)
      : m_files(std::make_unique<proof_output::pair>(file)), m_kept(kept) {}
  std::string clauses() override { return m_files->clauses.temporary().string(); }
  std::string refutation() override { return m_files->refutation.temporary().string(); }
  void keep() override { m_kept = std::move(m_files); }

 private:
  std::unique_ptr<proof_output::pair> m_files;
  std::unique_ptr<proof_output::pair>& m_kept;
};

}  // namespace

proof_output::proof_output(std::string file) : m_file(std::move(file)) {
  if (m_file.empty()) return;
  try {
    m_open = std::make_unique<pair>(m_file);
  } catch (const output_error& e) {
    throw configuration_error({{"--proof " + m_file, e.what()}});
  }
}

std::unique_ptr<schedule::unfinished_proof> proof_output::begin() {
  return std::make_unique<proof_files_under_way>(m_file, m_kept);
}

std::string proof_output::commit() {
  m_kept->clauses.commit();
  m_kept->refutation.commit();
  m_kept.reset();
  return fmt::format("  wrote {0}.cnf and {0}.drat\n", printable(m_file));
}

}  // namespace weft::experiment
