// B8: covers() holds for everything that the radius, the frontier and the window promise.
#include <gtest/gtest.h>

#include <algorithm>

#include "textcrs/base/stream.h"
#include "textcrs/certify/certificate.h"

namespace textcrs {
namespace {

using Words = std::vector<WordId>;

// Random texts inside what a certificate promises in numbers.
class Inside {
 public:
  Inside(Stream& stream, const Words& text) : stream_(stream), text_(text) {}

  Words with(const CertifiedSet& set, const Guarantee& guarantee) {
    Words edited = text_;
    const double radius = std::min<double>(guarantee.radius, 1000);
    const bool words = guarantee.unit == kUnitWords;
    if (guarantee.unit == kUnitDisplacement) move(edited, static_cast<int>(radius / 2));
    for (int left = words ? static_cast<int>(radius) : 0; left > 0; --left)
      edit(edited, guarantee.operation == Operation::kEdit        ? stream_.below(3)
                   : guarantee.operation == Operation::kDeletion  ? 0
                   : guarantee.operation == Operation::kInsertion ? 1
                                                                  : 2);
    if (set.radius(Operation::kReordering) == kUnlimited) stream_.shuffle(std::span(edited));
    return edited;
  }

  Words under(const CertifiedSet& set) {  // a corner of the frontier
    Words edited = text_;
    if (set.frontier.empty()) return edited;
    const auto [lost, gained] = set.frontier[below(set.frontier.size())];
    for (int i = 0; i < lost; ++i) edit(edited, 0);
    for (int i = 0; i < std::min(gained, 200); ++i) edit(edited, 1);
    if (set.radius(Operation::kReordering) == kUnlimited) stream_.shuffle(std::span(edited));
    return edited;
  }

  Words in_window(const CertifiedSet& set) {
    Words edited = text_;
    const size_t width = static_cast<size_t>(set.window);
    stream_.shuffle(std::span(edited).subspan(below(edited.size() - width + 1), width));
    return edited;
  }

 private:
  size_t below(size_t n) { return stream_.below(static_cast<uint32_t>(n)); }
  int word() { return kFirstWord + static_cast<int>(stream_.below(40)); }

  void edit(Words& edited, uint32_t kind) {  // 0: delete, 1: insert, 2: substitute
    if (kind == 1)
      edited.insert(edited.begin() + static_cast<long>(below(edited.size() + 1)), word());
    else if (!edited.empty() && kind == 0)
      edited.erase(edited.begin() + static_cast<long>(below(edited.size())));
    else if (!edited.empty())
      edited[below(edited.size())] = word();
  }

  // Moves words to the right by `places` in all; each place shifts one word to the left.
  void move(Words& edited, int places) {
    for (int tries = 0; tries < 20 && places > 0; ++tries) {
      const size_t from = below(edited.size());
      const size_t most = std::min(static_cast<size_t>(places), edited.size() - 1 - from);
      const size_t to = from + below(most + 1);
      const auto begin = edited.begin();
      std::rotate(begin + static_cast<long>(from), begin + static_cast<long>(from) + 1,
                  begin + static_cast<long>(to) + 1);
      places -= static_cast<int>(to - from);
    }
  }

  Stream& stream_;
  Words text_;
};

TEST(Covers, IsNeverWeakerThanTheRadius) {
  std::vector<std::string> spelling;
  for (int i = 0; i < 40; ++i) spelling.push_back("word" + std::to_string(i));
  const Vocabulary words(spelling);
  CertificateContext context;
  context.slots = 64;
  context.vocabulary = &words;
  const auto sound = CertificateMode::kSound, paper = CertificateMode::kPaper;
  const std::vector<std::pair<const char*, CertificateMode>> all = {
      {"delete:p=0.5", sound},
      {"delete:p=0.9", sound},
      {"delete:p=0.99", sound},
      {"universal:p=0.7", sound},
      {"universal:p=0.95", sound},
      {"delete:p=0.9,order=shuffled", sound},
      {"reorder:block=8", sound},
      {"reorder:block=32", sound},
      {"reorder:full", sound},
      {"reorder:block=16,order=sorted", sound},
      {"mask:p=0.9", sound},
      {"mask:p=0.99", sound},
      {"adapt:keep=5", sound},
      {"adapt:keep=2,growth=1.05", sound},
      {"adapt:keep=3,growth=1.5,order=shuffled", sound},
      {"delete:p=0.3", paper},
      {"hash:buckets=40,functions=5", sound},
      {"universal:p=0.5", paper},
      {"hash:buckets=100,functions=3", sound},
      {"reorder:full", paper},
      {"reorder:block=16", paper},
      {"reorder:groups=9", paper}};
  Stream stream(5, 0, 0);
  for (const auto& [spec, mode] : all) {
    const auto certified = make_certificate(spec, mode, context);
    int edits = 0;
    for (int round = 0; round < 60; ++round) {
      Words text(20 + stream.below(41));
      for (int& word : text) word = kFirstWord + static_cast<int>(stream.below(40));
      const double pa = 1 - 0.5 * stream.uniform() * stream.uniform();
      const Bounds bounds{pa, (1 - pa) * stream.below(3) / 2};
      const CertifiedSet set = certified->certify(bounds, text);
      ASSERT_TRUE(set.certified);
      Inside inside(stream, text);
      std::vector<Words> edited = {text, inside.under(set)};
      for (const Guarantee& guarantee : set.guarantees)
        edited.push_back(inside.with(set, guarantee));
      if (set.window > 0) edited.push_back(inside.in_window(set));
      for (const Words& one : edited) {
        edits += one != text;
        const Coverage coverage = certified->covers(bounds, text, one);
        EXPECT_TRUE(coverage.covered) << spec << ": " << coverage.why;
      }
    }
    EXPECT_GT(edits, 15) << spec;
  }
}

}  // namespace
}  // namespace textcrs
