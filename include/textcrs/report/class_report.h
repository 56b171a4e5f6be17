// How well each class is recognised: labelled texts counted by their label and their answer.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

struct ClassFigures {
  size_t texts = 0;      // with this label
  size_t answered = 0;   // with this answer, whatever their label
  size_t right = 0;      // with this label and this answer
  size_t abstained = 0;  // with this label and no answer
  // None where there is nothing to take a share of.
  std::optional<double> precision;  // right / answered
  std::optional<double> recall;     // right / texts
  std::optional<double> f1;         // 2 right / (texts + answered)
};

// Texts of one label that got the same wrong answer. Classes are indices.
struct Confusion {
  size_t label = 0, answer = 0;
  size_t texts = 0;

  bool operator==(const Confusion&) const = default;
};

class ClassReport {
 public:
  // Whether a text may go without an answer: then the tables have a column for it.
  enum class Abstentions { kNever, kPossible };

  ClassReport(std::vector<std::string> classes, Abstentions abstentions);

  // A text; no answer: it was abstained on. A std::logic_error for an index that is no class, or an
  // abstention where there are none.
  void add(size_t label, std::optional<size_t> answer);

  const std::vector<std::string>& classes() const { return classes_; }
  Abstentions abstentions() const { return abstentions_; }
  size_t texts() const { return texts_; }
  size_t right() const;
  double accuracy() const;  // right / texts; an abstention is not right; 0 without texts
  // The texts of a label with that answer; the number of classes stands for none.
  size_t count(size_t label, size_t answer) const;
  ClassFigures figures(size_t of_class) const;

  // What texts of the label were answered, ascending, each with how many.
  std::vector<std::pair<size_t, size_t>> answers_to(size_t label) const;

  // The wrong answers, most texts first (then by label, then by answer), at most `most` of them.
  std::vector<Confusion> largest_confusions(size_t most) const;

 private:
  void check(size_t of_class) const;

  std::vector<std::string> classes_;
  Abstentions abstentions_;
  // By label and answer, those that there are: of thousands of classes the square is gigabytes.
  std::map<std::pair<size_t, size_t>, size_t> counts_;
  std::vector<size_t> labelled_, answered_;  // by class
  size_t texts_ = 0;
};

constexpr size_t kMostClassesShown = 20;

// A line per class: texts, precision, recall and F1. Of more than kMostClassesShown classes, those
// with the lowest recall.
std::string class_table(const ClassReport& report);

// The confusion matrix: a row per label, a column per answer and, where there may be some, one for
// abstentions. Of more than kMostClassesShown classes, the largest confusions instead.
std::string confusion_table(const ClassReport& report);

}  // namespace textcrs
