#include "textcrs/noise/noise.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "noise/fixture.h"
#include "textcrs/base/error.h"
#include "textcrs/base/parallel.h"
#include "textcrs/base/spec.h"

namespace textcrs {
namespace {

using testing::all_specs;
using testing::context;

std::string error_of(const std::string& spec, const NoiseContext& given = context()) {
  try {
    make_noise(spec, given);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "no error";
}

class EveryNoise : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Noise> noise_ = make_noise(GetParam(), context());
};

TEST_P(EveryNoise, SpecRoundTrips) {
  EXPECT_EQ(noise_->spec(), GetParam());
  EXPECT_EQ(make_noise(noise_->spec(), context())->spec(), noise_->spec());
}

TEST_P(EveryNoise, SamplesFollowTheLaw) {
  for (const Words& text : {Words{3, 4, 5, 6}, Words{3, 5, 3, 4, 3}, Words{8, 8, 8}, Words{7}}) {
    const Law law = noise_->law(text);
    EXPECT_NEAR(testing::total(law), 1, 1e-12);
    for (const auto& [words, probability] : law) EXPECT_GT(probability, 0);
    EXPECT_GT(testing::fit(*noise_, text, law), testing::kSmallestP) << text.size() << " words";
  }
}

TEST_P(EveryNoise, TheSizeOfALawIsKnownBeforehand) {
  bool enumerable = false;
  for (const Words& text : {Words{3, 4, 5, 6, 7}, Words{3, 5, 3, 4, 3}, Words{8, 8, 8}, Words{}}) {
    const double size = noise_->law_size(text);
    EXPECT_GE(size, static_cast<double>(noise_->law(text).size()));
    enumerable = enumerable || size < 1e6;
  }
  const std::string name = Spec::parse(GetParam()).name();
  EXPECT_EQ(enumerable, name != "insert" && name != "gaussian" && name != "hash" &&
                            name != "none" && GetParam().find("groups") == std::string::npos &&
                            GetParam().find("sorted") == std::string::npos);
  EXPECT_GT(noise_->law_size(Words(300, 4)), 0);  // and long texts cost nothing
}

TEST_P(EveryNoise, EmptyText) {
  const Words empty;
  const Words expected(GetParam().starts_with("insert") ? 5 : 0, kPad);
  Words copy = {1, 2, 3};
  Stream stream(1, 1, 1);
  noise_->sample(empty, stream, copy);
  EXPECT_EQ(copy, expected);
  const Law law = noise_->law(empty);
  ASSERT_EQ(law.size(), 1u);
  EXPECT_EQ(law.begin()->first, expected);
  EXPECT_NEAR(law.begin()->second, 1, 1e-12);
}

TEST_P(EveryNoise, SameStreamSameCopyWhateverTheBufferHeld) {
  const Words text = {3, 5, 4, 3, 7, 6, 8};
  for (uint32_t sample = 0; sample < 50; ++sample) {
    Words fresh, used(100, 9);
    Stream first(4, 2, sample), second(4, 2, sample);
    noise_->sample(text, first, fresh);
    noise_->sample(text, second, used);
    EXPECT_EQ(fresh, used);
    EXPECT_EQ(first(), second());
  }
}

TEST_P(EveryNoise, ABagHasTheWordsOfTheCopy) {
  for (const size_t length : {0, 1, 5, 255, 256, 257, 700}) {
    Words text(length), copy, bag(9, 9);
    for (size_t i = 0; i < length; ++i) text[i] = static_cast<WordId>(3 + i * i % 7);
    for (uint32_t sample = 0; sample < 30; ++sample) {
      Stream stream(4, 2, sample);
      noise_->sample_bag(text, stream, bag);
      noise_->sample(text, stream, copy);
      std::sort(copy.begin(), copy.end());
      std::sort(bag.begin(), bag.end());
      EXPECT_EQ(copy, bag) << length;
    }
  }
}

TEST_P(EveryNoise, KeepsTheBuffer) {
  const Words text = {3, 5, 4, 3, 7, 6, 8};
  Words out;
  out.reserve(2 * text.size());
  const WordId* const place = out.data();
  for (uint32_t sample = 0; sample < 20; ++sample) {
    Stream stream(4, 2, sample);
    noise_->sample(text, stream, out);
    EXPECT_EQ(out.data(), place);
  }
}

TEST_P(EveryNoise, ThreadsShareIt) {
  // Two noises ask for the words' spelling, and 42 is no word of the vocabulary.
  const bool spelled = GetParam().starts_with("hash") || GetParam().ends_with("order=sorted");
  const Words text = {3, 5, 4, 3, 7, 6, 8, spelled ? 9 : 42};
  std::vector<Words> copies(400);
  parallel_for(copies.size(), 8, [&](size_t i) {
    Stream stream(4, 2, static_cast<uint32_t>(i));
    noise_->sample(text, stream, copies[i]);
  });
  const auto other = make_noise(GetParam(), context());
  for (size_t i = 0; i < copies.size(); ++i) {
    Words copy;
    Stream stream(4, 2, static_cast<uint32_t>(i));
    other->sample(text, stream, copy);
    EXPECT_EQ(copy, copies[i]);
  }
}

TEST_P(EveryNoise, OutcomesAreTheLaw) {
  const Words text = {3, 5, 4, 3, 7};
  Words out;
  const auto count = noise_->outcomes(text);
  if (!count) {
    EXPECT_THROW(noise_->outcome(text, 0, out), std::logic_error);
    return;
  }
  Law law;
  for (uint64_t k = 0; k < *count; ++k) {
    noise_->outcome(text, k, out);
    law[out] += 1.0 / static_cast<double>(*count);
  }
  EXPECT_LT(testing::total_variation(law, noise_->law(text)), 1e-12);
  EXPECT_THROW(noise_->outcome(text, *count, out), std::logic_error);
}

TEST_P(EveryNoise, OnlyInsertAndGaussianHaveAGaussian) {
  EXPECT_EQ(noise_->sigma(), GetParam() == "insert:sigma=0.2"     ? 0.2
                             : GetParam() == "gaussian:sigma=0.3" ? 0.3
                                                                  : 0);
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Noise, EveryNoise, ::testing::ValuesIn(all_specs()), test_name);

TEST(Noise, EveryKindIsRegisteredAndTested) {
  std::set<std::string> registered, tested;
  for (const NoiseKind& kind : noise_kinds()) {
    registered.insert(kind.name);
    EXPECT_TRUE(kind.usage.starts_with(kind.name));
    EXPECT_FALSE(kind.summary.empty());
  }
  for (const std::string& spec : all_specs()) tested.insert(Spec::parse(spec).name());
  EXPECT_EQ(registered, tested);
}

TEST(Noise, DefaultsAreLeftOut) {
  const auto canonical = [](const std::string& spec) {
    return make_noise(spec, context())->spec();
  };
  EXPECT_EQ(canonical("delete:order=kept,p=0.50"), "delete:p=0.5");
  EXPECT_EQ(canonical("reorder:order=shuffled,block=1e1"), "reorder:block=10");
  EXPECT_EQ(canonical("insert:sigma=1"), "insert:sigma=1");
  EXPECT_EQ(canonical("gaussian:sigma=1.0"), "gaussian:sigma=1");
  EXPECT_EQ(canonical("adapt:order=kept,growth=1.25,most=0.99,least=0.6,keep=8"), "adapt:keep=8");
  EXPECT_EQ(canonical("hash:functions=2,buckets=40"), "hash:buckets=40,functions=2");
  EXPECT_EQ(canonical("substitute:size=50,eps=0.1,kernel=staircase"),
            "substitute:kernel=staircase,size=50");
  EXPECT_EQ(canonical("substitute:kernel=graph,eps=1,reach=2"), "substitute:kernel=graph");
}

std::string random_spec() {
  const auto p = [] {
    return shortest(static_cast<double>(*rc::gen::inRange<int64_t>(1, int64_t{1} << 53)) * 0x1p-53);
  };
  const auto length = [](int limit) { return std::to_string(*rc::gen::inRange(1, limit + 1)); };
  const auto positive = [] { return shortest(std::exp(*rc::gen::inRange(-40000, 40000) * 1e-3)); };
  const auto maybe = [](const std::string& text) {
    return *rc::gen::arbitrary<bool>() ? text : "";
  };
  switch (*rc::gen::inRange(0, 14)) {
    case 0:
      return "delete:p=" + p() + maybe(",order=shuffled");
    case 1:
      return "universal:p=" + p();
    case 2:
      return "mask:p=" + p();
    case 3:
      return "insert:sigma=" + positive();
    case 4:
      return "reorder:block=" + length(1000000) + maybe(",order=sorted");
    case 5:
      return "reorder:groups=" + length(1000000);
    case 6:
      return "hash:buckets=" + length(1000000) + ",functions=" + length(1000000);
    case 7:
      return "substitute:kernel=uniform" + maybe(",size=" + length(1000000));
    case 8:
      return "substitute:kernel=staircase,size=" + length(1000000) + maybe(",eps=" + positive());
    case 9:
      return "substitute:kernel=cluster,size=" + length(1000000);
    case 10:
      return "substitute:kernel=graph" + maybe(",size=" + length(1000000)) +
             maybe(",eps=" + positive()) + maybe(",reach=" + length(100));
    case 11:
      return "gaussian:sigma=" + positive();
    case 12:
      return "adapt:keep=" + length(1000000) + maybe(",least=0.25") + maybe(",most=0.9995") +
             maybe(",growth=" + length(1000) + "1") + maybe(",order=shuffled");
    default:
      return "reorder:full";
  }
}

TEST(Noise, EverySpecRoundTrips) {
  EXPECT_TRUE(rc::check("make_noise(spec())->spec() == spec()", [] {
    const std::string given = random_spec();
    const std::string canonical = make_noise(given, context())->spec();
    RC_ASSERT(make_noise(canonical, context())->spec() == canonical);
    RC_ASSERT(canonical == given || canonical.size() < given.size());  // only defaults disappear
  }));
}

TEST(Noise, WrongSpecs) {
  EXPECT_EQ(error_of("remove:p=0.5"),
            "'remove:p=0.5': unknown noise 'remove', expected one of: none, substitute, reorder, "
            "insert, gaussian, delete, universal, adapt, mask, hash");
  EXPECT_EQ(
      error_of("unversal:p=0.5"),
      "'unversal:p=0.5': unknown noise 'unversal', expected one of: none, substitute, "
      "reorder, insert, gaussian, delete, universal, adapt, mask, hash; did you mean 'universal'?");
  EXPECT_EQ(error_of("none:p=1"), "'none:p=1': 'p' is not a parameter of none; known: none");
  EXPECT_EQ(error_of("delete"), "'delete': 'p' is missing");
  EXPECT_EQ(error_of("delete:p"), "'delete:p': found 'p', expected p=value");
  EXPECT_EQ(error_of("delete:p=0"), "'delete:p=0': p is 0, expected strictly between 0 and 1");
  EXPECT_EQ(error_of("delete:p=1"), "'delete:p=1': p is 1, expected strictly between 0 and 1");
  EXPECT_EQ(error_of("delete:p=0.5,order=sorted"),
            "'delete:p=0.5,order=sorted': order is 'sorted', expected one of: kept, shuffled");
  EXPECT_EQ(error_of("universal:p=1"),
            "'universal:p=1': p is 1, expected strictly between 0 and 1");
  EXPECT_EQ(
      error_of("universal:p=0.5,order=kept"),
      "'universal:p=0.5,order=kept': 'order' is not a parameter of universal; known: p, stop");
  EXPECT_EQ(error_of("mask:p=-1"), "'mask:p=-1': p is -1, expected strictly between 0 and 1");
  EXPECT_EQ(error_of("insert:sigma=0"), "'insert:sigma=0': sigma is 0, expected a positive number");
  EXPECT_EQ(error_of("gaussian:sigma=-1"),
            "'gaussian:sigma=-1': sigma is -1, expected a positive number");
  EXPECT_EQ(error_of("adapt"), "'adapt': 'keep' is missing");
  EXPECT_EQ(error_of("adapt:keep=0"), "'adapt:keep=0': keep is 0, expected a positive number");
  EXPECT_EQ(error_of("adapt:keep=5,p=0.5"),
            "'adapt:keep=5,p=0.5': 'p' is not a parameter of adapt; known: keep, least, most, "
            "growth, order");
  EXPECT_EQ(error_of("adapt:keep=5,growth=1"),
            "'adapt:keep=5,growth=1': growth is 1, expected 1.01 to 1000000");
  EXPECT_EQ(error_of("adapt:keep=5,most=0.5"),
            "'adapt:keep=5,most=0.5': least is 0.6, expected at most most, 0.5");
  EXPECT_EQ(error_of("hash:buckets=0,functions=1"),
            "'hash:buckets=0,functions=1': buckets is 0, expected 1 to 1000000");
  EXPECT_EQ(error_of("hash:buckets=4,functions=0.5"),
            "'hash:buckets=4,functions=0.5': functions is 0.5, expected 1 to 1000000");
}

TEST(Noise, WrongReorderSpecs) {
  const std::string one = "expected exactly one of: full, block=L, groups=L";
  EXPECT_EQ(error_of("reorder"), "'reorder': " + one);
  EXPECT_EQ(error_of("reorder:full,block=2"), "'reorder:full,block=2': " + one);
  EXPECT_EQ(error_of("reorder:groups=2,block=2"), "'reorder:groups=2,block=2': " + one);
  EXPECT_EQ(error_of("reorder:full=1"), "'reorder:full=1': found 'full=1', expected 'full' alone");
  EXPECT_EQ(error_of("reorder:block"), "'reorder:block': found 'block', expected block=value");
  EXPECT_EQ(error_of("reorder:block=0"), "'reorder:block=0': block is 0, expected 1 to 1000000");
  EXPECT_EQ(error_of("reorder:groups=1.5"),
            "'reorder:groups=1.5': groups is 1.5, expected a whole number");
  EXPECT_EQ(error_of("reorder:full,order=sorted"),
            "'reorder:full,order=sorted': 'order' goes with block=L only");
  EXPECT_EQ(error_of("reorder:blocks=2"),
            "'reorder:blocks=2': 'blocks' is not a parameter of reorder; known: full, block, "
            "groups, order; did you mean 'block'?");
}

TEST(Noise, WrongSubstituteSpecs) {
  EXPECT_EQ(error_of("substitute"), "'substitute': 'kernel' is missing");
  EXPECT_EQ(error_of("substitute:kernel=normal"),
            "'substitute:kernel=normal': kernel is 'normal', expected one of: uniform, staircase, "
            "cluster, graph");
  EXPECT_EQ(error_of("substitute:kernel=staircase"),
            "'substitute:kernel=staircase': 'size' is missing");
  EXPECT_EQ(error_of("substitute:kernel=cluster,size=0"),
            "'substitute:kernel=cluster,size=0': size is 0, expected 1 to 1000000");
  EXPECT_EQ(error_of("substitute:kernel=uniform,eps=1"),
            "'substitute:kernel=uniform,eps=1': 'eps' is not a parameter of substitute; known: "
            "kernel, size");
  EXPECT_EQ(error_of("substitute:kernel=graph,eps=0"),
            "'substitute:kernel=graph,eps=0': eps is 0, expected a positive number");
  EXPECT_EQ(error_of("substitute:kernel=graph,reach=0"),
            "'substitute:kernel=graph,reach=0': reach is 0, expected 1 to 100");
}

TEST(Noise, MissingContext) {
  EXPECT_EQ(error_of("substitute:kernel=uniform", {}),
            "'substitute:kernel=uniform': needs a synonym table");
  const SynonymTable empty;  // would let every word stay, and certify everything
  EXPECT_EQ(error_of("substitute:kernel=uniform", {nullptr, &empty, 5}),
            "'substitute:kernel=uniform': needs a synonym table");
  EXPECT_EQ(error_of("hash:buckets=2,functions=2", {}),
            "'hash:buckets=2,functions=2': needs a vocabulary");
  EXPECT_EQ(error_of("insert:sigma=1", {nullptr, nullptr, 0}),
            "'insert:sigma=1': the model has 0 slots, expected at least 1");
  EXPECT_EQ(error_of("gaussian:sigma=1", {nullptr, nullptr, 0}),
            "'gaussian:sigma=1': the model has 0 slots, expected at least 1");
  EXPECT_EQ(error_of("universal:p=0.5", {}), "no error");
}

TEST(Noise, LawsOfLongTextsAreRefused) {
  Words distinct(30);
  for (size_t i = 0; i < distinct.size(); ++i) distinct[i] = static_cast<WordId>(i);
  NoiseContext wide = context();
  wide.slots = 30;
  for (const char* spec :
       {"reorder:full", "reorder:block=20", "reorder:groups=10", "delete:p=0.5", "universal:p=0.5",
        "mask:p=0.5", "insert:sigma=1", "hash:buckets=1000000,functions=2"})
    EXPECT_THROW(make_noise(spec, wide)->law(distinct), std::logic_error) << spec;
  EXPECT_THROW(make_noise("substitute:kernel=uniform", wide)->law(Words(30, 3)), std::logic_error);
}

}  // namespace
}  // namespace textcrs
