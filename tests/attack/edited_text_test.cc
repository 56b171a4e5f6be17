#include "textcrs/attack/edited_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "word_count_target.h"

namespace textcrs {
namespace {

using Kind = WordEdit::Kind;
using Origins = std::vector<std::optional<size_t>>;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(EditedText, StartsAsTheOriginal) {
  const EditedText text(words_in("a b c"));
  EXPECT_EQ(text.words, words_in("a b c"));
  EXPECT_EQ(text.origins, (Origins{0, 1, 2}));
  EXPECT_THAT(text.edited, ElementsAre(false, false, false));
  EXPECT_EQ(text.edits, 0);
  EXPECT_EQ(text.original_size, 3);
  EXPECT_EQ(EditedText(WordList{}).size(), 0);
}

TEST(EditedText, AReplacedWordKeepsItsOrigin) {
  const EditedText text = applied({Kind::kReplace, 1, "x"}, EditedText(words_in("a b c")));
  EXPECT_EQ(text.words, words_in("a x c"));
  EXPECT_EQ(text.origins, (Origins{0, 1, 2}));
  EXPECT_THAT(text.edited, ElementsAre(false, true, false));
  EXPECT_EQ(text.edits, 1);
}

TEST(EditedText, AnInsertedWordHasNoOrigin) {
  EditedText text = applied({Kind::kInsert, 1, "x"}, EditedText(words_in("a b")));
  text = applied({Kind::kInsert, 3, "y"}, text);
  EXPECT_EQ(text.words, words_in("a x b y"));
  EXPECT_EQ(text.origins, (Origins{0, std::nullopt, 1, std::nullopt}));
  EXPECT_THAT(text.edited, ElementsAre(false, true, false, true));
  EXPECT_EQ(text.edits, 2);
  EXPECT_EQ(text.original_size, 2);
  EXPECT_EQ(text.place_of(1), 2);
}

TEST(EditedText, ADeletedWordHasNoPlace) {
  const EditedText text = applied({Kind::kDelete, 0}, EditedText(words_in("a b c")));
  EXPECT_EQ(text.words, words_in("b c"));
  EXPECT_EQ(text.origins, (Origins{1, 2}));
  EXPECT_THAT(text.edited, ElementsAre(false, false));
  EXPECT_EQ(text.edits, 1);
  EXPECT_EQ(text.place_of(0), std::nullopt);
  EXPECT_EQ(text.place_of(2), 1);
  EXPECT_EQ(text.original_size, 3);
}

TEST(EditedText, ASwapMovesTwoWords) {
  const EditedText text = applied({Kind::kSwap, 2, {}, 0}, EditedText(words_in("a b c")));
  EXPECT_EQ(text.words, words_in("c b a"));
  EXPECT_EQ(text.origins, (Origins{2, 1, 0}));
  EXPECT_THAT(text.edited, ElementsAre(true, false, true));
  EXPECT_EQ(text.edits, 2);
}

TEST(EditedText, PlacesBeyondTheTextAreBugs) {
  const EditedText text(words_in("a b"));
  for (const WordEdit& edit : {WordEdit{Kind::kReplace, 2, "x"}, WordEdit{Kind::kInsert, 3, "x"},
                               WordEdit{Kind::kDelete, 2}, WordEdit{Kind::kSwap, 0, {}, 2},
                               WordEdit{Kind::kSwap, 2, {}, 0}})
    EXPECT_THROW(applied(edit, text), std::logic_error);
  EXPECT_THROW(applied({Kind::kDelete, 0}, EditedText(WordList{})), std::logic_error);
  EXPECT_EQ(applied({Kind::kInsert, 0, "x"}, EditedText(WordList{})).words, words_in("x"));
}

// A list of at most `most` - 1 words, of few different ones.
rc::Gen<WordList> words_up_to(size_t most) {
  return rc::gen::mapcat(rc::gen::inRange<size_t>(0, most), [](size_t size) {
    return rc::gen::container<WordList>(size, rc::gen::element<std::string>("a", "b", "c", "d"));
  });
}

TEST(EditedText, KnowsWhatIsLeftOfTheOriginalAfterAnyEdits) {
  EXPECT_TRUE(rc::check([] {
    const WordList original = *words_up_to(8);
    EditedText text(original);
    size_t cost = 0;
    for (int step = *rc::gen::inRange(0, 12); step > 0; --step) {
      const Kind kind = text.size() == 0 ? Kind::kInsert
                                         : *rc::gen::element(Kind::kReplace, Kind::kInsert,
                                                             Kind::kDelete, Kind::kSwap);
      WordEdit edit = {kind};
      edit.place = *rc::gen::inRange<size_t>(0, text.size() + (kind == Kind::kInsert ? 1 : 0));
      if (kind == Kind::kReplace || kind == Kind::kInsert) edit.word = "new";
      if (kind == Kind::kSwap) edit.other = *rc::gen::inRange<size_t>(0, text.size());
      cost += kind == Kind::kSwap ? 2 : 1;
      const EditedText after = applied(edit, text);
      RC_ASSERT(after.words == words_after(edit, text.words));
      text = after;
    }
    RC_ASSERT(text.edits == cost);
    RC_ASSERT(text.original_size == original.size());
    RC_ASSERT(text.origins.size() == text.size());
    RC_ASSERT(text.edited.size() == text.size());
    std::set<size_t> origins;
    for (size_t i = 0; i < text.size(); ++i) {
      if (!text.origins[i]) {
        RC_ASSERT(text.edited[i]);
        continue;
      }
      RC_ASSERT(origins.insert(*text.origins[i]).second);
      RC_ASSERT(text.place_of(*text.origins[i]) == i);
      if (!text.edited[i]) RC_ASSERT(text.words[i] == original[*text.origins[i]]);
    }
    for (size_t origin = 0; origin < original.size(); ++origin)
      RC_ASSERT(text.place_of(origin).has_value() == origins.contains(origin));
  }));
}

// Levenshtein's distance as it is defined.
size_t distance(std::span<const std::string> a, std::span<const std::string> b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  if (a[0] == b[0]) return distance(a.subspan(1), b.subspan(1));
  return 1 + std::min({distance(a.subspan(1), b.subspan(1)), distance(a.subspan(1), b),
                       distance(a, b.subspan(1))});
}

WordList with_differences(const WordList& original, const std::vector<WordDifference>& list) {
  WordList words;
  size_t next = 0;
  for (const WordDifference& each : list) {
    while (next < each.place) words.push_back(original.at(next++));
    if (each.before) RC_ASSERT(original.at(next++) == *each.before);
    if (each.after) words.push_back(*each.after);
    RC_ASSERT(each.before || each.after);
    RC_ASSERT(each.before != each.after);
  }
  words.insert(words.end(), original.begin() + static_cast<ptrdiff_t>(next), original.end());
  return words;
}

TEST(Differences, AreAShortestListThatGivesTheEditedText) {
  EXPECT_TRUE(rc::check([] {
    const WordList original = *words_up_to(8), edited = *words_up_to(8);
    const std::vector<WordDifference> list = differences(original, edited);
    RC_ASSERT(with_differences(original, list) == edited);
    RC_ASSERT(list.size() == distance(original, edited));
  }));
}

TEST(Differences, NameTheWordsAndTheirPlaces) {
  const WordList text = words_in("a b c d");
  EXPECT_THAT(differences(text, text), IsEmpty());
  EXPECT_THAT(differences(text, words_in("a x c d")), ElementsAre(WordDifference{1, "b", "x"}));
  EXPECT_THAT(differences(text, words_in("a b d")),
              ElementsAre(WordDifference{2, "c", std::nullopt}));
  EXPECT_THAT(
      differences(text, words_in("a b c d e f")),
      ElementsAre(WordDifference{4, std::nullopt, "e"}, WordDifference{4, std::nullopt, "f"}));
  EXPECT_THAT(differences({}, words_in("a")), ElementsAre(WordDifference{0, std::nullopt, "a"}));
}

}  // namespace
}  // namespace textcrs
