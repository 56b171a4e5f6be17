#include "attack/constraints.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace textcrs {
namespace {

class StopWordConstraint final : public Constraint {
 public:
  explicit StopWordConstraint(std::span<const std::string> words)
      : words_(words.begin(), words.end()) {}

  bool may_edit(const EditedText& text, size_t place) const override {
    return !words_.contains(text.words[place]);
  }
  bool allows(const EditedText& text, const WordEdit& edit) const override {
    if (edit.kind == WordEdit::Kind::kInsert) return true;
    return may_edit(text, edit.place) &&
           (edit.kind != WordEdit::Kind::kSwap || may_edit(text, edit.other));
  }

 private:
  std::unordered_set<std::string> words_;
};

class OnceConstraint final : public Constraint {
 public:
  bool may_edit(const EditedText& text, size_t place) const override { return !text.edited[place]; }
  bool allows(const EditedText& text, const WordEdit& edit) const override {
    if (edit.kind == WordEdit::Kind::kInsert) return true;
    return may_edit(text, edit.place) &&
           (edit.kind != WordEdit::Kind::kSwap || may_edit(text, edit.other));
  }
};

class MostEditsConstraint final : public Constraint {
 public:
  MostEditsConstraint(double share, size_t least) : share_(share), least_(least) {}

  bool allows(const EditedText& text, const WordEdit& edit) const override {
    constexpr double kRounding = 1e-9;  // 0.29 of 100 words are 29
    const auto share = static_cast<size_t>(
        std::floor(share_ * static_cast<double>(text.original_size) + kRounding));
    const size_t cost = edit.kind == WordEdit::Kind::kSwap ? 2 : 1;
    return text.edits + cost <= std::max(least_, share);
  }

 private:
  double share_;
  size_t least_;
};

class PartOfSpeechConstraint final : public Constraint {
 public:
  explicit PartOfSpeechConstraint(const PartsOfSpeech& parts) : parts_(parts) {}

  bool allows(const EditedText& text, const WordEdit& edit) const override {
    return edit.kind != WordEdit::Kind::kReplace ||
           parts_.compatible(text.words[edit.place], edit.word);
  }

 private:
  const PartsOfSpeech& parts_;
};

}  // namespace

std::unique_ptr<const Constraint> make_stop_word_constraint(std::span<const std::string> words) {
  return std::make_unique<StopWordConstraint>(words);
}

std::unique_ptr<const Constraint> make_once_constraint() {
  return std::make_unique<OnceConstraint>();
}

std::unique_ptr<const Constraint> make_most_edits_constraint(double share, size_t least) {
  return std::make_unique<MostEditsConstraint>(share, least);
}

std::unique_ptr<const Constraint> make_part_of_speech_constraint(const PartsOfSpeech& parts) {
  return std::make_unique<PartOfSpeechConstraint>(parts);
}

}  // namespace textcrs
