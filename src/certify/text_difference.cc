#include "certify/text_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <stdexcept>

#include "textcrs/base/counted.h"

namespace textcrs {
namespace {

// Occurrences in the text less those in the edited one.
std::map<WordId, int> surplus(Text text, Text edited) {
  std::map<WordId, int> count;
  for (const WordId word : text) ++count[word];
  for (const WordId word : edited) --count[word];
  return count;
}

// A common start and a common end belong to some longest common subsequence; what lies between
// takes O(|a| |b|) steps.
int longest_common_subsequence(std::span<const WordId> a, std::span<const WordId> b) {
  int common = 0;
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    a = a.subspan(1), b = b.subspan(1);
    ++common;
  }
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a = a.first(a.size() - 1), b = b.first(b.size() - 1);
    ++common;
  }
  std::vector<int> row(b.size() + 1, 0);  // row[j]: of the words of a so far and the first j of b
  for (const WordId word : a) {
    int diagonal = 0;
    for (size_t j = 0; j < b.size(); ++j) {
      const int above = row[j + 1];
      row[j + 1] = word == b[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return common + row.back();
}

}  // namespace

bool same_text(Text text, Text edited) { return std::ranges::equal(text.ids, edited.ids); }

std::span<const std::string> own_words(Text text, Text edited) {
  return text.own.size() < edited.own.size() ? edited.own : text.own;
}

Difference multiset_difference(Text text, Text edited) {
  Difference difference;
  for (const auto& [word, count] : surplus(text, edited))
    (count > 0 ? difference.lost : difference.gained) += std::abs(count);
  return difference;
}

Difference ordered_difference(Text text, Text edited) {
  const int kept = longest_common_subsequence(text.ids, edited.ids);
  return {static_cast<int>(text.size()) - kept, static_cast<int>(edited.size()) - kept};
}

int edit_distance(Text text, Text edited) {
  const auto size = [](Text of) { return static_cast<size_t>(of.size()); };
  std::vector<int> row(size(edited) + 1);  // row[j]: from the words so far to the first j
  for (size_t j = 0; j < row.size(); ++j) row[j] = static_cast<int>(j);
  for (size_t i = 0; i < size(text); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) + 1;
    for (size_t j = 0; j < size(edited); ++j) {
      const int above = row[j + 1];
      const int kept = diagonal + (text.ids[i] == edited.ids[j] ? 0 : 1);
      row[j + 1] = std::min({kept, above + 1, row[j] + 1});
      diagonal = above;
    }
  }
  return row.back();
}

Difference difference_beside(const SynonymTable& candidates, Text text, Text edited) {
  std::map<WordId, int> copies, free;  // of the text; in the edited one, without a partner
  for (const WordId word : text.ids) ++copies[word];
  for (const WordId word : edited.ids) ++free[word];
  std::map<WordId, std::map<WordId, int>> holders;  // of a word of the edited text: whose partners
  std::set<WordId> asked;
  // Finds a partner for one more copy of a word; those who have one may have to take another.
  const std::function<bool(WordId)> match = [&](WordId word) {
    const auto try_word = [&](WordId partner) {
      const auto found = free.find(partner);
      if (found == free.end() || !asked.insert(partner).second) return false;
      auto& of_partner = holders[partner];
      if (found->second > 0) {
        --found->second;
      } else {
        const auto moved = std::find_if(
            of_partner.begin(), of_partner.end(),
            [&](const auto& holder) { return holder.second > 0 && match(holder.first); });
        if (moved == of_partner.end()) return false;
        --moved->second;
      }
      ++of_partner[word];
      return true;
    };
    if (try_word(word)) return true;
    const auto others = candidates.of(word);
    return std::any_of(others.begin(), others.end(), try_word);
  };
  int matched = 0;
  for (const auto& [word, count] : copies)
    for (int copy = 0; copy < count; ++copy) {
      asked.clear();
      if (!match(word)) break;  // nor will another copy find one
      ++matched;
    }
  return {static_cast<int>(text.size()) - matched, static_cast<int>(edited.size()) - matched};
}

std::vector<WordId> changed_words(Text text, Text edited) {
  std::vector<WordId> words;
  for (const auto& [word, count] : surplus(text, edited))
    if (count != 0) words.push_back(word);
  return words;
}

std::vector<int> moved_gaps(Text text, Text edited) {
  if (text.size() != edited.size()) throw std::logic_error("moved_gaps: texts of two lengths");
  std::map<WordId, int> count;
  int unequal = 0;  // words whose count is not 0
  const auto add = [&](WordId word, int one) {
    int& n = count[word];
    unequal -= n != 0;
    n += one;
    unequal += n != 0;
  };
  std::vector<int> gaps;
  for (size_t g = 1; g < text.size(); ++g) {
    add(text[g - 1], 1);
    add(edited[g - 1], -1);
    if (unequal > 0) gaps.push_back(static_cast<int>(g));
  }
  return gaps;
}

// For one word the places matched in their order have the least sum, and the words do not
// interfere.
int64_t least_displacement(Text text, Text edited) {
  std::map<WordId, std::vector<int64_t>> places;
  for (size_t i = 0; i < text.size(); ++i) places[text[i]].push_back(static_cast<int64_t>(i));
  std::map<WordId, size_t> met;
  int64_t sum = 0;
  for (size_t i = 0; i < edited.size(); ++i)
    sum += std::abs(places.at(edited[i]).at(met[edited[i]]++) - static_cast<int64_t>(i));
  return sum;
}

std::string up_to(int64_t most) { return most == 0 ? "none" : fmt::format("up to {}", most); }

std::string in_words(Difference difference, std::string_view noun) {
  const auto& [lost, gained] = difference;
  if (lost == 0) return counted(gained, noun) + " gained";
  if (gained == 0) return counted(lost, noun) + " lost";
  return fmt::format("{} lost and {} gained", counted(lost, noun), gained);
}

Coverage the_same_text(Operation operation) { return {true, operation, "the same text"}; }

Coverage another_order(Operation operation) {
  return {true, operation, "the same words in another order"};
}

std::optional<Coverage> compare_lengths(Text text, Text edited) {
  if (same_text(text, edited)) return the_same_text(Operation::kSubstitution);
  if (edited.size() == text.size()) return std::nullopt;
  return Coverage{false, Operation::kSubstitution,
                  fmt::format("{} instead of {}; the number of words may not change",
                              counted(edited.size(), "word"), text.size())};
}

}  // namespace textcrs
