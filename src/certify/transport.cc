// Successive shortest augmenting paths with potentials (Jonker and Volgenant's method for the
// assignment problem, with equal rows and columns merged). What stays in its place costs nothing,
// so the start is a plan for all but the surplus, optimal with potentials 0.
#include "certify/transport.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace textcrs {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr size_t kNone = std::numeric_limits<size_t>::max();

class Transport {
 public:
  Transport(std::span<const int> supply, std::span<const int> demand, const CostsFrom& costs)
      : costs_(costs),
        left_(supply.begin(), supply.end()),
        wanted_(demand.begin(), demand.end()),
        carried_(supply.size()),
        rows_(supply.size()),
        from_potential_(supply.size()),
        to_potential_(supply.size()) {
    for (size_t i = 0; i < left_.size(); ++i) {
      if (wanted_[i] > 0) targets_.push_back(i);
      const int stay = std::min(left_[i], wanted_[i]);
      if (stay > 0) carried_[i].push_back({i, stay});
      left_[i] -= stay;
      wanted_[i] -= stay;
    }
  }

  double solve() {
    for (size_t i = 0; i < left_.size(); ++i)
      while (left_[i] > 0) augment(i);
    double total = 0;
    for (const size_t j : targets_)
      for (const auto& [i, units] : carried_[j])
        if (i != j) total += units * row(i)[j];
    return total;
  }

 private:
  struct Load {
    size_t from;
    int units;
  };

  std::span<const double> row(size_t i) {
    if (rows_[i].empty()) rows_[i] = costs_(i);
    return rows_[i];
  }

  Load& load(size_t from, size_t to) {
    for (Load& load : carried_[to])
      if (load.from == from) return load;
    return carried_[to].emplace_back(Load{from, 0});
  }

  // Dijkstra over the reduced costs c_ij - from_i - to_j, which are 0 where goods are carried and
  // >= 0 elsewhere up to rounding, from `start` to the nearest place that still wants goods. A
  // place that is served already passes the goods on by sending away what it was served.
  void augment(size_t start) {
    const size_t places = left_.size();
    std::vector<double> to_distance(places, kFar), from_distance(places, kFar);
    std::vector<size_t> sender(places, kNone);   // of a target: the last hop of its path
    std::vector<size_t> through(places, kNone);  // of a sender: the target it was freed from
    std::vector<size_t> open = targets_, reached;
    const auto relax = [&](size_t i, double distance) {
      from_distance[i] = distance;
      const std::span<const double> cost = row(i);
      for (const size_t j : open) {
        const double d = distance + std::max(0.0, cost[j] - from_potential_[i] - to_potential_[j]);
        if (d < to_distance[j]) to_distance[j] = d, sender[j] = i;
      }
    };
    relax(start, 0);
    size_t end = kNone;
    while (true) {
      const auto nearest = std::min_element(open.begin(), open.end(), [&](size_t a, size_t b) {
        return to_distance[a] < to_distance[b];
      });
      if (nearest == open.end() || to_distance[*nearest] == kFar)
        throw std::logic_error("transport: supply and demand differ, or a cost is not finite");
      const size_t j = *nearest;
      *nearest = open.back();
      open.pop_back();
      reached.push_back(j);
      if (wanted_[j] > 0) {
        end = j;
        break;
      }
      for (const Load& load : carried_[j])
        if (load.units > 0 && from_distance[load.from] == kFar) {
          through[load.from] = j;
          relax(load.from, to_distance[j]);
        }
    }
    for (const size_t j : reached) to_potential_[j] += to_distance[j] - to_distance[end];
    for (size_t i = 0; i < places; ++i)
      if (from_distance[i] < kFar) from_potential_[i] += to_distance[end] - from_distance[i];
    carry(start, end, sender, through);
  }

  // Moves as much as the path from `start` to `end` takes.
  void carry(size_t start, size_t end, const std::vector<size_t>& sender,
             const std::vector<size_t>& through) {
    int units = std::min(left_[start], wanted_[end]);
    for (size_t i = sender[end]; i != start; i = sender[through[i]])
      units = std::min(units, load(i, through[i]).units);
    left_[start] -= units;
    wanted_[end] -= units;
    for (size_t j = end;;) {
      const size_t i = sender[j];
      load(i, j).units += units;
      if (i == start) break;
      j = through[i];
      load(i, j).units -= units;
    }
  }

  const CostsFrom& costs_;
  std::vector<int> left_, wanted_;
  std::vector<size_t> targets_;
  std::vector<std::vector<Load>> carried_;  // by target
  std::vector<std::span<const double>> rows_;
  std::vector<double> from_potential_, to_potential_;
};

}  // namespace

double cheapest_transport(std::span<const int> supply, std::span<const int> demand,
                          const CostsFrom& costs) {
  if (supply.size() != demand.size() || std::accumulate(supply.begin(), supply.end(), 0) !=
                                            std::accumulate(demand.begin(), demand.end(), 0))
    throw std::logic_error("transport: supply and demand differ");
  return Transport(supply, demand, costs).solve();
}

}  // namespace textcrs
