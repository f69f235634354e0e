// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/search/estimation.h"

#include <algorithm>

#include "weft/collectives/schedule/search/explorer.h"
#include "weft/core/shuffle.h"

namespace weft::schedule {
namespace {

/// A population of chromosomes. A chromosome has a gene for each item: a path and a step. The next population is drawn
/// from the distribution of genes in the best half.
class distribution : public explorer {
 public:
  distribution(const choices& all, std::size_t steps, std::uint64_t seed)
      : m_all(all), m_random(seed, 3, stream_purpose::Schedule), m_table(all, steps) {
    for (item_id i = 0; i < all.items(); ++i) {
      m_table.place(i, random_gene(i));
      m_order.push_back(i);
    }
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
  static constexpr int Draws = 4;
  static constexpr double Mutation = 0.002;    ///< probability per gene
  static constexpr std::size_t Patience = 50;  ///< generations without improvement

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
      evaluate(c);
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
    for (std::size_t n = Parents; n < Population; ++n) draw(m_population[n]);
  }

  /// Draws the genes in random order, each gene with its frequency among the parents. Of a few candidates, it uses the
  /// gene with the fewest conflicts so far.
  void draw(chromosome& child) {
    shuffle(m_order.begin(), m_order.end(), m_random);
    for (const item_id i : m_order) m_table.remove(i);
    for (const item_id i : m_order) m_table.place(i, drawn_gene(i));
    child.genes = m_table.positions();
    note(child);
  }

  position drawn_gene(item_id i) {
    position best;
    std::size_t least_price = std::numeric_limits<std::size_t>::max();
    for (int n = 0; n < Draws; ++n) {
      const position gene = m_random.chance(Mutation) ? random_gene(i) : m_population[m_random.below(Parents)].genes[i];
      const std::size_t price = m_table.price(i, gene);
      if (price < least_price) best = gene, least_price = price;
    }
    return best;
  }

  void note(chromosome& c) {
    c.conflicts = m_table.conflicts();
    if (c.conflicts < least()) store_best(c.genes, c.conflicts);
  }

  void evaluate(chromosome& c) {
    for (item_id i = 0; i < c.genes.size(); ++i) {
      m_table.remove(i);
      m_table.place(i, c.genes[i]);
    }
    note(c);
  }

  const choices& m_all;
  random_stream m_random;
  timetable m_table;
  std::vector<item_id> m_order;
  std::vector<chromosome> m_population;
  std::size_t m_best_of_run = 0, m_waited = 0;
};

std::unique_ptr<explorer> make_estimation(const choices& all, std::size_t steps, std::uint64_t seed) {
  return std::make_unique<distribution>(all, steps, seed);
}

search_result run_estimation(const problem& p, const search_control& control) {
  return explore("estimation", p, control, make_estimation, CheapMoves);
}

}  // namespace

const method& estimation() {
  static const method m{"estimation",
                        "estimation of distributions (after MBOA, OCTAGON, section 5): paths and steps drawn as often "
                        "as the best half of "
                        "a population has them, those in fewest conflicts kept",
                        method::kind::Baseline, unfit_for_search, run_estimation};
  return m;
}

}  // namespace weft::schedule
