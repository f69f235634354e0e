// SPDX-License-Identifier: Apache-2.0
/// Where refutations of CaDiCaL are written, for drat-trim.
#pragma once

#include <memory>
#include <string>

namespace weft::schedule {

/// The two files of one refutation, which is not complete yet. Without keep() they go with it.
class unfinished_proof {
 public:
  virtual ~unfinished_proof() = default;
  /// Paths of existing files to write to: the clauses, and why no assignment fulfils them.
  virtual std::string clauses() = 0;
  virtual std::string refutation() = 0;
  /// Both files are complete. They replace those of the refutation before.
  virtual void keep() = 0;
};

/// Several proofs may be under way at a time; the last one that is kept counts. Outlives all proofs.
class proof_sink {
 public:
  virtual ~proof_sink() = default;
  /// From one thread at a time.
  virtual std::unique_ptr<unfinished_proof> begin() = 0;
};

}  // namespace weft::schedule
