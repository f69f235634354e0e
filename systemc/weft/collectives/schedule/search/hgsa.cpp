// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/search/hgsa.h"

#include <algorithm>

#include "weft/collectives/schedule/search/explorer.h"

namespace weft::schedule {
namespace {

/// A chromosome: the gene of each item, which is a path and a step.
using chromosome = std::vector<position>;

/// The annealing processes and their master. Within a population, the processes run one after the other; whole
/// populations run in parallel.
class population : public explorer {
 public:
  population(const choices& all, std::size_t steps, std::uint64_t seed)
      : m_all(all), m_random(seed, 2, stream_purpose::Schedule) {
    for (std::size_t n = 0; n < Processes; ++n) {
      m_processes.emplace_back(all, steps);
      fill(m_processes.back(), random_chromosome(steps));
      note(m_processes.back());
    }
  }

  void explore(std::size_t moves, const search_control& control) override {
    for (std::size_t made = 0; made < moves && least() > 0;) {
      if (control.over()) return;
      for (timetable& process : m_processes) {
        for (std::size_t n = 0; n < MovesOfProcess && least() > 0; ++n) anneal(process);
        made += MovesOfProcess;
      }
      exchange();
      m_accept = m_accept > Cold ? m_accept * Cooling : Hot;
    }
  }

 private:
  static constexpr std::size_t Processes = 8, MovesOfProcess = 100;
  static constexpr double MutationOfChild = 0.5;
  /// The probability of accepting a move that adds one conflict, and the factor by which it changes from one exchange
  /// to the next.
  static constexpr double Hot = 0.2, Cold = 0.002, Cooling = 0.99;

  struct candidate {
    chromosome genes;
    std::size_t conflicts = 0;
  };

  chromosome random_chromosome(std::size_t steps) {
    chromosome genes(m_all.items());
    for (item_id i = 0; i < genes.size(); ++i) genes[i] = random_gene(i, steps);
    return genes;
  }

  position random_gene(item_id i, std::size_t steps) {
    return {m_random.below(static_cast<std::uint32_t>(m_all.ways(i).size())),
            m_random.below(static_cast<std::uint32_t>(steps))};
  }

  item_id random_item() { return m_random.below(static_cast<std::uint32_t>(m_all.items())); }

  static void fill(timetable& table, const chromosome& genes) {
    for (item_id i = 0; i < genes.size(); ++i) table.place(i, genes[i]);
  }

  void note(const timetable& table) {
    if (table.conflicts() < least()) store_best(table.positions(), table.conflicts());
  }

  /// One iteration of Metropolis's algorithm.
  void anneal(timetable& table) {
    const std::size_t before = table.conflicts();
    const item_id i = random_item();
    const position left = table.where(i);
    table.remove(i);
    table.place(i, random_gene(i, table.steps()));
    double chance = 1;
    for (std::size_t n = before; n < table.conflicts(); ++n) chance *= m_accept;
    if (table.conflicts() <= before || m_random.chance(chance)) {
      note(table);
      return;
    }
    table.remove(i);
    table.place(i, left);
  }

  /// Does the work of the master: crossover, mutation, and roulette-wheel selection for each process.
  void exchange() {
    std::vector<candidate> generation;
    for (std::size_t n = 0; n < Processes; ++n) {
      const chromosome& a = m_processes[n].positions();
      const chromosome& b = m_processes[m_random.below(Processes)].positions();
      chromosome child = a;
      const auto crossover_point = static_cast<std::ptrdiff_t>(random_item());
      std::copy(b.begin() + crossover_point, b.end(), child.begin() + crossover_point);
      if (m_random.chance(MutationOfChild)) mutate(child);
      generation.push_back({std::move(child), 0});
      generation.push_back({a, 0});
      mutate(generation.back().genes);
    }
    for (candidate& c : generation) c.conflicts = count_conflicts(c.genes);
    std::size_t worst = 0;
    for (const candidate& c : generation) worst = std::max(worst, c.conflicts);
    for (timetable& process : m_processes) {
      load(process, generation[spin(generation, worst)].genes);
      note(process);
    }
  }

  /// Replaces one shortest path by another.
  void mutate(chromosome& genes) {
    const item_id i = random_item();
    genes[i].way = m_random.below(static_cast<std::uint32_t>(m_all.ways(i).size()));
  }

  std::size_t count_conflicts(const chromosome& genes) {
    load(m_processes.front(), genes);
    return m_processes.front().conflicts();
  }

  static void load(timetable& table, const chromosome& genes) {
    for (item_id i = 0; i < genes.size(); ++i) {
      if (genes[i].step == table.where(i).step && genes[i].way == table.where(i).way) continue;
      table.remove(i);
      table.place(i, genes[i]);
    }
  }

  std::size_t spin(const std::vector<candidate>& generation, std::size_t worst) {
    std::size_t sum = 0;
    for (const candidate& c : generation) sum += worst - c.conflicts + 1;
    std::size_t left = m_random.below(static_cast<std::uint32_t>(sum));
    std::size_t n = 0;
    for (; left >= worst - generation[n].conflicts + 1; ++n) left -= worst - generation[n].conflicts + 1;
    return n;
  }

  const choices& m_all;
  random_stream m_random;
  std::vector<timetable> m_processes;
  double m_accept = Hot;
};

std::unique_ptr<explorer> make_hgsa(const choices& all, std::size_t steps, std::uint64_t seed) {
  return std::make_unique<population>(all, steps, seed);
}

search_result run_hgsa(const problem& p, const search_control& control) {
  return explore("hgsa", p, control, make_hgsa, CheapMoves);
}

}  // namespace

const method& hgsa() {
  static const method m{"hgsa",
                        "hybrid parallel genetic simulated annealing (OCTAGON, section 5): annealing processes whose "
                        "solutions a master crosses and deals out by a roulette wheel",
                        method::kind::Baseline, unfit_for_search, run_hgsa};
  return m;
}

}  // namespace weft::schedule
