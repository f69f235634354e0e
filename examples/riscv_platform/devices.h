// SPDX-License-Identifier: Apache-2.0
/// Targets that the cores share: memories, and devices with registers of 32 bits.
#pragma once

#include "memory_map.h"
#include <array>
#include <cstdint>
#include <deque>
#include <ostream>
#include <tlm>
#include <vector>

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

/// A memory that supports DMI. Every access takes \p latency.
class memory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<memory, 32> socket{"socket"};

  memory(const sc_core::sc_module_name& name, std::uint32_t size, const sc_core::sc_time& latency);

  std::vector<unsigned char>& content() { return m_content; }

 private:
  unsigned access(tlm::tlm_generic_payload& t);
  void transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay);
  bool give_pointer(tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi);

  std::vector<unsigned char> m_content;
  const sc_core::sc_time m_latency;
};

/// A target whose registers are words. An access waits for its annotated delay, and takes 2 ns. An access that is not a
/// whole word gets a burst error, an access to an address without a register an address error.
class register_device : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<register_device, 32> socket{"socket"};

 protected:
  explicit register_device(const sc_core::sc_module_name& name);

  /// \return false if the register does not exist, or cannot be read or written
  virtual bool read(std::uint32_t offset, std::uint32_t& value) = 0;
  virtual bool write(std::uint32_t offset, std::uint32_t value) = 0;
  /// Called in the next delta cycle after an access, and after changed(): writes the outputs.
  virtual void drive() {}
  void changed(const sc_core::sc_time& after = sc_core::SC_ZERO_TIME) { m_changed.notify(after); }

 private:
  void transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay);

  sc_core::sc_event m_changed{"changed"};
};

/// Prints the characters that are written to register 0.
class uart final : public register_device {
 public:
  uart(const sc_core::sc_module_name& name, std::ostream& out) : register_device(name), m_out(out) {}

 private:
  bool read(std::uint32_t offset, std::uint32_t& value) override;
  bool write(std::uint32_t offset, std::uint32_t value) override;

  std::ostream& m_out;
};

/// The time, timer and software interrupts, the task of the program, and its exit status.
///
///     0x00, 0x04  mtime in ticks of 100 ns       0x08  cores, 0x0c  size of the matrices
///     0x10        write: the program ends with this exit status
///     0x14        1: the program works in shared memory, without DMA
///     0x100 + 16 c, +4  mtimecmp of core c       +8: bit 0 is its software interrupt
class system_controller final : public register_device {
 public:
  sc_core::sc_vector<sc_core::sc_out<bool>> timer_o{"timer_o", MostCores}, software_o{"software_o", MostCores};

  /// The task of the program: number of cores, size of the matrices, whether to work in shared memory (1) or not (0).
  struct task {
    std::uint32_t cores, size, in_place;
  };
  system_controller(const sc_core::sc_module_name& name, const task& what) : register_device(name), m_task(what) {}

  bool has_finished() const { return m_finished; }
  std::uint32_t exit_status() const { return m_exit_status; }

 private:
  struct core_registers {
    std::uint64_t compare = ~std::uint64_t{0};
    bool software = false;
  };

  bool read(std::uint32_t offset, std::uint32_t& value) override;
  bool write(std::uint32_t offset, std::uint32_t value) override;
  void drive() override;
  std::uint64_t ticks() const { return sc_core::sc_time_stamp().value() / m_tick.value(); }

  const sc_core::sc_time m_tick{100, sc_core::SC_NS};
  const task m_task;
  std::array<core_registers, MostCores> m_of;
  bool m_finished = false;
  std::uint32_t m_exit_status = 0;
};

/// An inbox of 16 words for each core, and an interrupt wire that is high while the inbox is not empty.
///
///     8 c       write: a word to core c; an error response if its inbox is full
///               read: the first word of core c's inbox, 0 if it is empty
///     8 c + 4   words that wait
class mailbox final : public register_device {
 public:
  sc_core::sc_vector<sc_core::sc_out<bool>> external_o{"external_o", MostCores};

  explicit mailbox(const sc_core::sc_module_name& name) : register_device(name) {}

 private:
  static constexpr std::size_t Depth = 16;

  bool read(std::uint32_t offset, std::uint32_t& value) override;
  bool write(std::uint32_t offset, std::uint32_t value) override;
  void drive() override;

  std::array<std::deque<std::uint32_t>, MostCores> m_inboxes;
};

/// Copies blocks in bursts of 64 bytes, one job after the other, and reports the end of a job by writing a word to an
/// address, such as that of a mailbox. Each core has a channel.
///
///     32 c, +4, +8    source, destination and length in bytes of channel c
///     +12, +16        address and word to write at the end; bit 31 of the word is set if an access has failed
///     +20             write: start; read: 1 from the start until the end of the job
class dma_engine final : public register_device {
 public:
  tlm_utils::simple_initiator_socket<dma_engine, 32> master{"master"};

  explicit dma_engine(const sc_core::sc_module_name& name);

 private:
  static constexpr unsigned Burst = 64;
  struct job {
    std::uint32_t source = 0, destination = 0, length = 0, notify = 0, word = 0;
    std::uint32_t busy = 0;
  };

  bool read(std::uint32_t offset, std::uint32_t& value) override;
  bool write(std::uint32_t offset, std::uint32_t value) override;
  static std::uint32_t* register_of(job& j, std::uint32_t index);
  void run();
  bool copy(const job& j);
  bool access(tlm::tlm_command command, std::uint32_t address, unsigned char* data, std::uint32_t bytes);

  std::array<job, MostCores> m_channels;
  std::deque<unsigned> m_started;  ///< channels
  sc_core::sc_event m_start{"start"};
};
