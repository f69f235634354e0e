// SPDX-License-Identifier: Apache-2.0
// A proof sink that stores each proof in its own files in a temporary folder.
#pragma once

#include "support/temporary_directory.h"
#include <filesystem>
#include <memory>
#include <string>

#include "weft/collectives/schedule/proof.h"

namespace weft::schedule {

class proof_folder : public proof_sink {
 public:
  std::unique_ptr<unfinished_proof> begin() override { return std::make_unique<numbered>(*this, m_begun++); }
  std::size_t begun() const { return m_begun; }
  /// Path of the last stored proof, without extension; empty if there is none.
  std::string kept() const { return m_kept; }
  /// Removes the folder, so that no further proof can be written.
  void remove() const { std::filesystem::remove_all(m_directory.path()); }

 private:
  class numbered : public unfinished_proof {
   public:
    numbered(proof_folder& folder, std::size_t number)
        : m_folder(folder), m_stem((folder.m_directory / std::to_string(number)).string()) {}
    std::string clauses() override { return m_stem + ".cnf"; }
    std::string refutation() override { return m_stem + ".drat"; }
    void keep() override { m_folder.m_kept = m_stem; }

   private:
    proof_folder& m_folder;
    std::string m_stem;
  };

  temporary_directory m_directory;
  std::size_t m_begun = 0;
  std::string m_kept;
};

}  // namespace weft::schedule
