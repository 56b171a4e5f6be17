#include "textcrs/noise/substitution_kernel.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/draws.h"

namespace textcrs {
namespace {

using Entries = std::vector<SubstitutionKernel::Entry>;

// Weights become probabilities; what exp() rounded to zero is no part of the support.
void normalise(Entries& entries) {
  double sum = 0;
  for (const auto& entry : entries) sum += entry.probability;
  for (auto& entry : entries) entry.probability /= sum;
  std::erase_if(entries, [](const auto& entry) { return entry.probability == 0; });
}

}  // namespace

SubstitutionKernel::SubstitutionKernel(const SubstitutionRule& rule, const SynonymTable& table)
    : rule_(rule), table_(table), graph_(&table), rows_(static_cast<size_t>(table.size())) {
  if (!table.is_symmetric())
    throw std::logic_error("SubstitutionKernel: the synonym table is not symmetric");
  if (rule.shape == KernelShape::kCluster) {
    cluster_ = cluster_synonyms(table, rule.size);
    members_.resize(cluster_.size());
    for (WordId word = 0; word < table.size(); ++word)
      members_[static_cast<size_t>(cluster_[static_cast<size_t>(word)])].push_back(word);
  } else if (rule.shape != KernelShape::kStaircase && rule.size > 0) {
    cut_ = keep_mutual(table, rule.size - 1);
    graph_ = &cut_;
  }
}

SubstitutionKernel::~SubstitutionKernel() {
  for (const auto& row : rows_) delete row.load();
}

std::span<const SubstitutionKernel::Entry> SubstitutionKernel::of(WordId word) const {
  return row(word).entries;
}

WordId SubstitutionKernel::draw(WordId word, Stream& stream) const {
  const std::span<const AliasColumn> table = columns(word);
  return table.empty() ? word
                       : draw_from(table.data(), static_cast<uint32_t>(table.size()), stream);
}

std::span<const AliasColumn> SubstitutionKernel::columns(WordId word) const {
  if (word < kFirstWord || word >= table_.size()) return {};
  return row(word).columns;
}

// Two threads may make the same row; the first to publish it wins and the other's is dropped.
const SubstitutionKernel::Row& SubstitutionKernel::row(WordId word) const {
  if (word < 0 || word >= table_.size()) return row_beyond(word);
  std::atomic<const Row*>& slot = rows_[static_cast<size_t>(word)];
  if (const Row* ready = slot.load(std::memory_order_acquire)) return *ready;
  std::unique_ptr<const Row> made = make_row(word);
  const Row* expected = nullptr;
  if (!slot.compare_exchange_strong(expected, made.get())) return *expected;
  return *made.release();
}

const SubstitutionKernel::Row& SubstitutionKernel::row_beyond(WordId word) const {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<const Row>& slot = beyond_[word];
  if (slot == nullptr) slot = std::make_unique<const Row>(Row{{{word, 1.0}}, {}});
  return *slot;
}

std::unique_ptr<const SubstitutionKernel::Row> SubstitutionKernel::make_row(WordId word) const {
  auto made = std::make_unique<Row>();
  Entries& entries = made->entries;
  entries.push_back({word, 1.0});
  if (word < kFirstWord) return made;
  switch (rule_.shape) {
    case KernelShape::kUniform:
      for (const WordId other : graph_->of(word)) entries.push_back({other, 1.0});
      break;
    case KernelShape::kStaircase:
      for (const WordId other : table_.of(word)) {
        const size_t rank = entries.size();
        if (rank >= static_cast<size_t>(rule_.size)) break;
        entries.push_back({other, std::exp(-rule_.eps * static_cast<double>(rank))});
      }
      break;
    case KernelShape::kCluster:
      for (const WordId other : members_[static_cast<size_t>(cluster_[static_cast<size_t>(word)])])
        if (other != word) entries.push_back({other, 1.0});
      break;
    case KernelShape::kGraph:
      entries.clear();
      for (const auto& [other, distance] : words_within(*graph_, word, rule_.reach))
        entries.push_back({other, std::exp(-rule_.eps * distance)});
      break;
  }
  normalise(entries);
  if (entries.size() > 1) made->columns = make_columns(entries);
  return made;
}

// Vose's construction: every column of an alias table holds one word and a filling from a richer
// one.
std::vector<AliasColumn> SubstitutionKernel::make_columns(std::span<const Entry> entries) {
  std::vector<AliasColumn> columns;
  std::vector<size_t> poor, rich;
  for (const Entry& entry : entries) {
    const double share = entry.probability * static_cast<double>(entries.size());
    (share < 1 ? poor : rich).push_back(columns.size());
    columns.push_back({share, entry.word, entry.word});
  }
  while (!poor.empty() && !rich.empty()) {
    AliasColumn& low = columns[poor.back()];
    AliasColumn& high = columns[rich.back()];
    poor.pop_back();
    low.other = high.word;
    high.share -= 1 - low.share;
    if (high.share < 1) {
      poor.push_back(rich.back());
      rich.pop_back();
    }
  }
  return columns;  // what is left over has a share of 1 up to rounding, and itself as the filling
}

}  // namespace textcrs
