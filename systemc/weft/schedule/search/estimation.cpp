// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/search/estimation.h"

#include <algorithm>

#include "weft/schedule/search/explorer.h"

namespace weft::schedule {
namespace {

/// A population of chromosomes, each of one gene an item: path and step. The best half says how often a gene has each
/// step and, with that step, each path; the next population is drawn from that.
class distribution : public explorer {
 public:
  distribution(const choices& all, std::size_t steps, std::uint64_t seed)
      : m_all(all), m_random(seed, 3, stream_purpose::Schedule), m_table(all, steps) {
    for (item_id i = 0; i < all.items(); ++i) m_table.place(i, random_gene(i));
    restart();
  }

  void explore(std::size_t moves, const search_control& control) override {
    for (std::size_t made = 0; made < moves && least() > 0;) {
      if (control.over()) return;
      breed();
      made += (Population - Parents) * m_all.items();
    }
  }

 private:
  static constexpr std::size_t Population = 128, Parents = Population / 2;
  static constexpr double Mutation = 0.002;    ///< of a gene
  static constexpr std::size_t Patience = 50;  ///< generations without a better chromosome

  struct chromosome {
    std::vector<position> genes;
    std::size_t conflicts = 0;
  };

  position random_gene(item_id i) {
    return {m_random.below(static_cast<std::uint32_t>(m_all.ways(i).size())),
            m_random.below(static_cast<std::uint32_t>(m_table.steps()))};
  }

  void restart() {
    m_population.assign(Population, {});
    for (chromosome& c : m_population) {
      for (item_id i = 0; i < m_all.items(); ++i) c.genes.push_back(random_gene(i));
      judge(c);
    }
    m_best_of_run = std::numeric_limits<std::size_t>::max();
    m_waited = 0;
  }

  void breed() {
    std::stable_sort(m_population.begin(), m_population.end(),
                     [](const chromosome& a, const chromosome& b) { return a.conflicts < b.conflicts; });
    const std::size_t best = m_population.front().conflicts;
    m_waited = best < m_best_of_run ? 0 : m_waited + 1;
    m_best_of_run = std::min(m_best_of_run, best);
    if (m_waited > Patience) restart();
    // The parents are the distribution: the step of a gene is that of one of them, drawn anew for each gene; its path is
    // that of one of those that have this step.
    for (std::size_t n = Parents; n < Population; ++n) {
      for (item_id i = 0; i < m_all.items(); ++i) m_population[n].genes[i] = drawn_gene(i);
      judge(m_population[n]);
    }
  }

  position drawn_gene(item_id i) {
    if (m_random.chance(Mutation)) return random_gene(i);
    return m_population[m_random.below(Parents)].genes[i];
  }

  void judge(chromosome& c) {
    for (item_id i = 0; i < c.genes.size(); ++i) {
      m_table.remove(i);
      m_table.place(i, c.genes[i]);
    }
    c.conflicts = m_table.conflicts();
    if (c.conflicts < least()) remember(c.genes, c.conflicts);
  }

  const choices& m_all;
  random_stream m_random;
  timetable m_table;
  std::vector<chromosome> m_population;
  std::size_t m_best_of_run = 0, m_waited = 0;
};

std::unique_ptr<explorer> make(const choices& all, std::size_t steps, std::uint64_t seed) {
  return std::make_unique<distribution>(all, steps, seed);
}

search_result run(const problem& p, const search_control& control) { return explore("estimation", p, control, make); }

}  // namespace

const method& estimation() {
  static const method m{"estimation",
                        "estimation of distributions (after MBOA, OCTAGON, section 5, with a model of single genes): "
                        "paths and steps drawn as often as the best half of a population has them",
                        method::kind::Search, unfit_for_search, run};
  return m;
}

}  // namespace weft::schedule
