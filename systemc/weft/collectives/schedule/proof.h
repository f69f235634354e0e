// SPDX-License-Identifier: Apache-2.0
/// Interface to the files of refutations by CaDiCaL, which drat-trim checks.
#pragma once

#include <memory>
#include <string>

namespace weft::schedule {

/// The two files of a refutation that is not complete yet. The destructor discards them unless keep() was called.
class unfinished_proof {
 public:
  virtual ~unfinished_proof() = default;
  /// Paths of existing files to write to: the clauses, and the proof of unsatisfiability.
  virtual std::string clauses() = 0;
  virtual std::string refutation() = 0;
  /// Both files are complete and replace those of the previous refutation.
  virtual void keep() = 0;
};

/// Creates proofs. Several proofs may be unfinished at a time; the result is the last one that is kept. Must outlive
/// all its proofs.
class proof_sink {
 public:
  virtual ~proof_sink() = default;
  /// Creates the files of a proof. Called from one thread at a time.
  virtual std::unique_ptr<unfinished_proof> begin() = 0;
};

}  // namespace weft::schedule
