// SPDX-License-Identifier: Apache-2.0
/// The records of the packets in the network, and the flits that refer to them.
#pragma once

#include <cstdint>
#include <functional>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weft/core/flit.h"
#include "weft/core/packet.h"

namespace weft::engine {

using packet_handle = std::uint32_t;
inline constexpr packet_handle NoPacket = ~packet_handle{0};

/// The record of a packet, which exists from the packet's creation to its delivery.
struct packet_record {
  packet what;
  std::uint64_t path_id = 0;      ///< path id that the NIC selected; with source routing, the remaining path
  std::uint32_t travels = 0;      ///< length of the packet in the network, in flits
  std::uint32_t words = 0;        ///< number of words of its message
  std::uint32_t ejected = 0;      ///< number of its flits that have left the router at the destination
  std::uint32_t routers = 0;      ///< routers that its tail has passed
  packet_handle next = NoPacket;  ///< next packet in the source queue
  weft::codec codec = weft::codec::Raw;
  std::uint8_t cut = 0;
  bool made = false;  ///< whether an XOR stage made the packet, so that its source does not have its payload

  header head() const {
    header h{what.destination, what.source, travels, words, what.type, codec, cut, what.message_class};
    put_code(h, what.code);
    return h;
  }
};

/// The records of all packets, indexed by handle. The record that was freed last is reused first, because it is still
/// in the cache.
class packet_pool {
 public:
  static constexpr packet_handle Most = (1U << 26) - 1;  ///< maximum handle: a flit stores it in 26 bits

  /// Adds the packet that \p make returns. \p words_per_flit is the number of words in each flit.
  template <typename Make>
  packet_handle add(Make make, std::uint32_t words_per_flit) {
    packet_handle handle = m_free;
    if (handle != NoPacket) {
      m_free = m_records[handle].next;
    } else {
      if (m_records.size() == Most)
        throw std::length_error("more than 67 million packets wait in the source queues; lower the offered load");
      if (m_records.size() == m_records.capacity() && m_before_growth) m_before_growth();
      handle = static_cast<packet_handle>(m_records.size());
      m_records.emplace_back();
    }
    packet_record& record = m_records[handle];
    new (&record.what) packet(make());  // constructed in place, without a copy
    record.travels = record.what.flits;
    record.words = words_of(record.what, words_per_flit);
    record.ejected = 0;
    record.codec = codec::Raw;
    record.cut = 0;
    record.made = false;
    return handle;
  }

  /// Adds a packet that an XOR stage makes from the packet \p from. \p head is its header.
  packet_handle make(const packet_record& from, const header& head) {
    packet what = from.what;
    what.flits = head.flits;
    what.type = head.type;
    what.code = code_of(head);
    const std::uint32_t routers = from.routers;
    const packet_handle handle = add([&] { return what; }, 0);
    m_records[handle].words = head.words;
    m_records[handle].routers = routers;
    m_records[handle].made = true;
    return handle;
  }

  void remove(packet_handle handle) {
    m_records[handle].next = m_free;
    m_free = handle;
  }

  /// Sets a function that is called before the records move to other memory. When it returns, no other thread may read
  /// records.
  void set_before_growth(std::function<void()> f) { m_before_growth = std::move(f); }

  packet_record& operator[](packet_handle handle) { return m_records[handle]; }
  const packet_record& operator[](packet_handle handle) const { return m_records[handle]; }

 private:
  std::vector<packet_record> m_records;
  packet_handle m_free = NoPacket;
  std::function<void()> m_before_growth;
};

/// A flit in a buffer. It stores the fields that routers read and the handle of its packet in 64 bits: 26 bits for the
/// handle, 20 bits for the destination, 16 bits for the number of routers passed, and one bit each for head and tail.
class stored_flit {
 public:
  stored_flit() = default;
  stored_flit(packet_handle packet, node_id destination, bool head, bool tail)
      : m_bits(packet | std::uint64_t{destination} << 26 | std::uint64_t{head} << 62 | std::uint64_t{tail} << 63) {}

  packet_handle packet() const { return static_cast<packet_handle>(m_bits & ((1U << 26) - 1)); }
  node_id destination() const { return static_cast<node_id>(m_bits >> 26 & ((1U << 20) - 1)); }
  std::uint32_t routers() const { return static_cast<std::uint32_t>(m_bits >> 46 & 0xffff); }
  bool head() const { return m_bits >> 62 & 1; }
  bool tail() const { return m_bits >> 63 != 0; }

  /// The next flit of the packet, which has passed no routers yet.
  stored_flit next(bool is_tail) const {
    stored_flit flit = *this;
    flit.m_bits = (m_bits & ~(std::uint64_t{1} << 62)) | std::uint64_t{is_tail} << 63;
    return flit;
  }

  /// Increments the number of routers that the flit has passed; the maximum is 65,535.
  void pass_router() { m_bits += std::uint64_t{1} << 46; }

 private:
  std::uint64_t m_bits = 0;
};

}  // namespace weft::engine
