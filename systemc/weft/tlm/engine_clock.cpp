// SPDX-License-Identifier: Apache-2.0
#include "weft/tlm/engine_clock.h"

#include <algorithm>
#include <stdexcept>

namespace weft::tlm2 {

engine_clock::engine_clock(const sc_core::sc_module_name& name, const sc_core::sc_time& period, cycle_t stride)
    : sc_module(name), m_period(period), m_stride(stride) {
  if (period == sc_core::SC_ZERO_TIME) throw std::invalid_argument("clock_period must be above zero");
  if (stride == 0) throw std::invalid_argument("stride must be at least 1");
  SC_HAS_PROCESS(engine_clock);
  SC_METHOD(step);
  sensitive << m_next;
}

void engine_clock::schedule_next() {
  if (m_steps) return;  // step() schedules it at its end
  cycle_t next = Never;
  for (const engine::driven_model* model : m_models) next = std::min(next, model->next_activity());
  if (next == Never) return;
  next = std::max(next, present());
  m_next.notify(begin_of((next / m_stride + 1) * m_stride) - sc_core::sc_time_stamp());
}

void engine_clock::catch_up() {
  const cycle_t now = present();
  for (engine::driven_model* model : m_models) {
    if (model->now() == now) continue;
    m_ran |= model->next_activity() < now;
    model->run(now - model->now());
  }
}

void engine_clock::step() {
  m_steps = true;
  const cycle_t now = present();
  for (engine::driven_model* model : m_models) {
    if (now > 0 && model->next_activity() >= now) continue;  // in cycle 0 all models begin
    model->run(now - model->now());
    m_ran = true;
  }
  if (m_ran) m_after();
  m_ran = false;
  m_steps = false;
  schedule_next();
}

}  // namespace weft::tlm2
