// SPDX-License-Identifier: Apache-2.0
/// Distributes work over the processes that `mpirun` (Open MPI) started: process 0 gives one piece of work to each
/// waiting process, and also works itself.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "weft/study/workers.h"

namespace weft::experiment {

/// Number of processes that mpirun started together with this one; 0 without mpirun.
int processes_of_mpirun();

/// From MPI_Init() to MPI_Finalize(), which the last copy calls. \throws input_error in a program built without MPI
class mpi_session {
 public:
  mpi_session();

  /// Rank of this process, from 0.
  int rank() const { return m_rank; }
  int size() const { return m_size; }

 private:
  int m_rank = 0, m_size = 1;
  std::shared_ptr<void> m_finalize;
};

/// For process 0: all other processes. \param text describes a piece of work
std::unique_ptr<remote_workers> all_other_processes(const mpi_session& session,
                                                    std::function<std::string(std::size_t)> text);

/// For the other processes: works on received pieces until process 0 reports that there are no more.
void work_for_process_0(const std::function<work_result(const std::string& text)>& work);

}  // namespace weft::experiment
