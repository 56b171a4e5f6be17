// Substitution (docs/certificates.md, B6): every word is replaced independently by a draw from its
// kernel.
#include <unordered_map>

#include "noise/kinds.h"
#include "noise/laws.h"
#include "textcrs/noise/substitution_kernel.h"

namespace textcrs {
namespace {

class Substitute final : public Noise {
 public:
  Substitute(const SubstitutionRule& rule, const SynonymTable& table) : kernel_(rule, table) {}

  std::string spec() const override { return kernel_.rule().spec(); }

  void sample(Text text, Stream& stream, Words& out) const override {
    out.resize(text.size());
    for (size_t i = 0; i < text.size(); ++i) out[i] = kernel_.draw(text[i], stream);
  }

  // A word that comes twice has its table once.
  std::optional<CopyPlan> plan(Text text) const override {
    CopyPlan plan{.words = {text.begin(), text.end()}, .pick = CopyPick::kSubstitute};
    std::unordered_map<WordId, ColumnRange> known;
    for (const WordId word : text) {
      const auto [table, is_new] = known.try_emplace(word);
      if (is_new) {
        const std::span<const AliasColumn> columns = kernel_.columns(word);
        table->second = {static_cast<uint32_t>(plan.columns.size()),
                         static_cast<uint32_t>(columns.size())};
        plan.columns.insert(plan.columns.end(), columns.begin(), columns.end());
      }
      plan.tables.push_back(table->second);
    }
    return plan;
  }

  Law law(Text text) const override {
    Law law = certain({});
    for (const WordId word : text) {
      Law one;
      for (const auto& [other, probability] : kernel_.of(word)) one[{other}] = probability;
      law = joined(law, one);
    }
    return law;
  }

  double law_size(Text text) const override {
    double product = 1;
    for (const WordId word : text) {
      product *= static_cast<double>(kernel_.of(word).size());
      if (product > kMaxOutcomes) break;
    }
    return product;
  }

 private:
  SubstitutionKernel kernel_;
};

}  // namespace

std::unique_ptr<Noise> make_substitute(const Spec& spec, const NoiseContext& context) {
  const SubstitutionRule rule = SubstitutionRule::parse(spec);
  if (context.synonyms == nullptr || context.synonyms->size() == 0)
    spec.fail("needs a synonym table");
  return std::make_unique<Substitute>(rule, *context.synonyms);
}

}  // namespace textcrs
