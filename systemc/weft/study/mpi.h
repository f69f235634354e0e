// SPDX-License-Identifier: Apache-2.0
/// Distributes work to the processes that `mpirun` of Open MPI started. Process 0 sends one piece of work to each
/// waiting process, and also executes pieces itself.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "weft/study/workers.h"

namespace weft::experiment {

/// The number of processes that mpirun started, including this one; 0 if mpirun did not start it.
int processes_of_mpirun();

/// An MPI session. The constructor calls MPI_Init(), and the destructor of the last copy calls MPI_Finalize().
/// \throws input_error in a program built without MPI
class mpi_session {
 public:
  mpi_session();

  /// Rank of this process, from 0.
  int rank() const { return m_rank; }
  /// The number of processes.
  int size() const { return m_size; }

 private:
  int m_rank = 0, m_size = 1;
  std::shared_ptr<void> m_finalize;
};

/// Returns the other processes as workers of process 0. \param text encodes a numbered piece of work for another
/// process
std::unique_ptr<remote_workers> all_other_processes(const mpi_session& session,
                                                    std::function<std::string(std::size_t)> text);

/// The work of all processes but process 0: executes the pieces that process 0 sends, until it reports the end.
void work_for_process_0(const std::function<work_result(const std::string& text)>& work);

}  // namespace weft::experiment
