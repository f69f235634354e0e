// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/bfe.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>

#include "weft/explore/genetic.h"

namespace weft::experiment {

namespace {

using pagmo::vector_double;

/// The parameters with several values: pagmo rejects integer variables that cannot vary.
std::vector<std::size_t> variables_of(const genetic_problem& problem) {
  std::vector<std::size_t> variables;
  for (std::size_t i = 0; i < problem.sizes.size(); ++i)
    if (problem.sizes[i] > 1) variables.push_back(i);
  return variables;
}

/// The design whose variables have the values \p values; parameters with one value have number 0.
design_choice choice_of(const genetic_problem& problem, const double* values) {
  design_choice choice(problem.sizes.size(), 0);
  for (const std::size_t i : variables_of(problem)) choice[i] = static_cast<std::size_t>(*values++);
  return choice;
}

vector_double values_of(const genetic_problem& problem, const design_choice& choice) {
  vector_double values;
  for (const std::size_t i : variables_of(problem)) values.push_back(static_cast<double>(choice[i]));
  return values;
}

/// NSGA-II requires two objectives, so a single one is given twice.
vector_double fitness_of(costs one) {
  if (one.size() == 1) one.push_back(one.front());
  return one;
}

/// The problem in the form of pagmo: box bounds and integer variables only.
struct boxed_problem {
  const genetic_problem* of = nullptr;

  vector_double fitness(const vector_double& x) const {
    return fitness_of(of->evaluate({choice_of(*of, x.data())}).front());
  }
  std::pair<vector_double, vector_double> get_bounds() const {
    vector_double most;
    for (const std::size_t i : variables_of(*of)) most.push_back(static_cast<double>(of->sizes[i] - 1));
    return {vector_double(most.size(), 0.), most};
  }
  vector_double::size_type get_nobj() const { return std::max<std::size_t>(2, of->objectives); }
  vector_double::size_type get_nix() const { return variables_of(*of).size(); }
  template <typename Archive>
  void serialize(Archive&, unsigned) {}
};

/// Evaluates a whole generation at a time.
struct generation_evaluator {
  const genetic_problem* of = nullptr;

  vector_double operator()(const pagmo::problem&, const vector_double& all) const {
    const std::size_t variables = variables_of(*of).size();
    std::vector<design_choice> choices;
    for (std::size_t at = 0; at < all.size(); at += variables) choices.push_back(choice_of(*of, all.data() + at));
    vector_double together;
    for (const costs& one : of->evaluate(choices)) {
      const vector_double f = fitness_of(one);
      together.insert(together.end(), f.begin(), f.end());
    }
    return together;
  }
  template <typename Archive>
  void serialize(Archive&, unsigned) {}
};

}  // namespace

void evolve(const genetic_problem& problem, const std::vector<design_choice>& first) {
  constexpr double Crossover = 0.95, CrossoverIndex = 10, MutationIndex = 20;
  const std::vector<costs> known = problem.evaluate(first);
  const std::size_t variables = variables_of(problem).size();
  if (variables == 0) return;
  const double mutation = 1 / static_cast<double>(variables);
  pagmo::nsga2 algorithm(1, Crossover, CrossoverIndex, mutation, MutationIndex, problem.seed);
  algorithm.set_bfe(pagmo::bfe(generation_evaluator{&problem}));
  pagmo::population population(pagmo::problem(boxed_problem{&problem}), 0, problem.seed);
  for (std::size_t i = 0; i < first.size(); ++i)
    population.push_back(values_of(problem, first[i]), fitness_of(known[i]));
  while (problem.more()) population = algorithm.evolve(std::move(population));
}

void require_genetic_search(const std::string&) {}

}  // namespace weft::experiment
