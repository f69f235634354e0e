// SPDX-License-Identifier: Apache-2.0
/// The same work by the processes that `mpirun` (Open MPI) started: process 0 gives it out, one piece to each that
/// waits, and works itself.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "weft/experiment/study/workers.h"

namespace weft::experiment {

/// How many processes mpirun started with this one; 0 without mpirun.
int processes_of_mpirun();

/// From MPI_Init() to MPI_Finalize(), with its last copy. \throws input_error in a program that was built without MPI
class mpi_session {
 public:
  mpi_session();

  /// Of this process, from 0.
  int rank() const { return m_rank; }
  int size() const { return m_size; }

 private:
  int m_rank = 0, m_size = 1;
  std::shared_ptr<void> m_finalize;
};

/// Of process 0: all others. \p text says in words what a piece of work is.
std::unique_ptr<remote_workers> all_other_processes(const mpi_session& session,
                                                    std::function<std::string(std::size_t)> text);

/// Of another process: works on what it is given until process 0 says that there is no more.
void work_for_process_0(const std::function<work_result(const std::string& text)>& work);

}  // namespace weft::experiment
