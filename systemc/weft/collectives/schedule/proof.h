// SPDX-License-Identifier: Apache-2.0
/// Interface for the proof files of CaDiCaL, which show that no schedule with fewer steps exists. The tool drat-trim
/// checks them.
#pragma once

#include <memory>
#include <string>

namespace weft::schedule {

/// The two files of a proof that is not complete yet. The destructor discards the files unless keep() was called.
class unfinished_proof {
 public:
  virtual ~unfinished_proof() = default;
  /// Path of an existing file for the clauses, and path of an existing file for the proof of unsatisfiability.
  virtual std::string clauses() = 0;
  virtual std::string refutation() = 0;
  /// Declares both files complete. They replace the files of the previous proof.
  virtual void keep() = 0;
};

/// Creates proofs. Several proofs may be incomplete at the same time; the result is the last proof for which keep() was
/// called. The sink must outlive all its proofs.
class proof_sink {
 public:
  virtual ~proof_sink() = default;
  /// Creates the files of a new proof. Never called by two threads at the same time.
  virtual std::unique_ptr<unfinished_proof> begin() = 0;
};

}  // namespace weft::schedule
