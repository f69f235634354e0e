// SPDX-License-Identifier: Apache-2.0
/// Implements `--proof FILE`, which writes the last refutation to FILE.cnf and FILE.drat. It writes both files
/// completely or neither.
#pragma once

#include <memory>
#include <string>

#include "weft/collectives/schedule/proof.h"
#include "weft/report/output_file.h"

namespace weft::experiment {

class proof_output : public schedule::proof_sink {
 public:
  /// The two unfinished files. The destructor removes them unless they are committed.
  struct pair {
    explicit pair(const std::string& file) : clauses(file + ".cnf"), refutation(file + ".drat") {}
    output_file clauses, refutation;
  };

  /// \param file path without extension; empty if there is no output \throws configuration_error if the files cannot be
  /// written
  explicit proof_output(std::string file);

  /// This object, or null if there is no output.
  proof_sink* sink() { return m_file.empty() ? nullptr : this; }
  std::unique_ptr<schedule::unfinished_proof> begin() override;
  /// Whether there is a refutation to write.
  bool kept() const { return m_kept != nullptr; }
  /// Moves the files of the last refutation to their final names. \return a line for the report that names the files.
  /// \throws output_error
  std::string commit();

 private:
  std::string m_file;
  std::unique_ptr<pair> m_open;  ///< kept open until destruction, so that a named pipe always has a writer
  std::unique_ptr<pair> m_kept;  ///< the last refutation
};

}  // namespace weft::experiment
