// SPDX-License-Identifier: Apache-2.0
/// `--proof FILE`: the last refutation as FILE.cnf and FILE.drat, which appear whole or not at all.
#pragma once

#include <memory>
#include <string>

#include "weft/experiment/report/output_file.h"
#include "weft/schedule/proof.h"

namespace weft::experiment {

class proof_output : public schedule::proof_sink {
 public:
  /// The two files under way. They are removed with it.
  struct pair {
    explicit pair(const std::string& file) : clauses(file + ".cnf"), refutation(file + ".drat") {}
    output_file clauses, refutation;
  };

  /// \param file without ending; empty: there is no output. \throws configuration_error where it cannot be written
  explicit proof_output(std::string file);

  /// Nothing where there is no output.
  proof_sink* sink() { return m_file.empty() ? nullptr : this; }
  std::unique_ptr<schedule::unfinished_proof> begin() override;
  /// Whether there is a refutation to write.
  bool kept() const { return m_kept != nullptr; }
  /// Puts the last refutation in place. \return what was written, for the report. \throws output_error
  std::string commit();

 private:
  std::string m_file;
  std::unique_ptr<pair> m_open;  ///< for as long as this lives: a pipe has a writer also between two proofs
  std::unique_ptr<pair> m_kept;
};

}  // namespace weft::experiment
