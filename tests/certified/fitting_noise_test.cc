// Which noise, and which engine, goes with which model.
#include "textcrs/certified/fitting_noise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certified/tiny_models.h"
#include "certified/tiny_votes.h"
#include "textcrs/certified/choose_engine.h"
#include "textcrs/certified/load.h"

namespace textcrs {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(FittingNoise, WithoutASpecItIsTheModels) {
  const auto model = tiny_cnn("universal:p=0.7");
  EXPECT_EQ(make_noise_for(*model, "")->spec(), "universal:p=0.7");
  EXPECT_EQ(make_noise_for(*model, "delete:p=0.5")->spec(), "delete:p=0.5");
  EXPECT_THROW(make_noise_for(*model, "confetti"), Error);
  EXPECT_THROW(make_noise_for(*model, "substitute:kernel=uniform"), Error);  // no synonyms
}

TEST(FittingNoise, AModelUnderANoiseThatIsNoneIsRefusedByItsFile) {
  const TemporaryFolder folder;
  const std::string config = (folder.path() / "config.json").string();
  for (const char* noise :
       {"", "confetti", "delete", "delete:p=2", "delete:p=nan", "delete:p=0.5,q=1",
        "substitute:kernel=uniform", "universal:p=0.5,stop=english", "insert:sigma=0.1",
        "gaussian:sigma=-1", "hash:buckets=1e999,functions=2"}) {
    SCOPED_TRACE(noise);
    tiny_cnn("universal:p=0.7")->save(folder.path());
    ModelConfig changed = ModelConfig::load(config);
    changed.noise = noise;
    changed.save(config);
    for (const auto& load :
         {+[](const std::filesystem::path& model) { load_with_noise(model); },
          +[](const std::filesystem::path& model) { load_certified(model, {}); }}) {
      try {
        load(folder.path());
        ADD_FAILURE() << "not refused";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kBadInput) << error.what();
        EXPECT_THAT(error.what(), StartsWith(config + ": noise: "));
      }
    }
  }
  tiny_cnn("universal:p=0.7")->save(folder.path());
  EXPECT_EQ(load_with_noise(folder.path())->config().noise, "universal:p=0.7");
  tiny_cnn("insert:sigma=0.1")->save(folder.path());
  EXPECT_EQ(load_with_noise(folder.path())->config().noise, "insert:sigma=0.1");
}

TEST(FittingNoise, SubstitutionNeedsSymmetricSynonyms) {
  std::vector<std::vector<WordId>> lists(23);
  lists[3] = {4};
  const auto model = tiny_cnn("none", {"one-sided", lists});
  EXPECT_THAT(error_of([&] { make_noise_for(*model, "substitute:kernel=uniform"); }),
              HasSubstr("the model's synonyms are not symmetric"));
  lists[4] = {3};
  const auto symmetric = tiny_cnn("none", {"two-sided", lists});
  EXPECT_EQ(make_noise_for(*symmetric, "substitute:kernel=uniform")->spec(),
            "substitute:kernel=uniform");
}

// The insertion noise needs a model that pools over all slots, and only it does. Running is allowed
// more often: only a bert can not add a Gaussian to pieces, and words that vote have no vectors.
TEST(FittingNoise, TheInsertionNoiseGoesWithModelsOfAllSlots) {
  const auto fits = [](const Classifier& model, const std::string& spec, const auto& check) {
    const auto noise = make_noise_for(model, spec);
    const std::string error = error_of([&] { check(model.config(), *noise); });
    if (!error.empty()) {
      EXPECT_THAT(error, AllOf(HasSubstr(noise->spec()), HasSubstr("does not fit"),
                               HasSubstr(model.config().noise)));
    }
    return error.empty();
  };
  const auto words = tiny_cnn("universal:p=0.7"), slots = tiny_cnn("insert:sigma=0.1");
  const auto pieces = tiny_bert("universal:p=0.7"), slots_of_bert = tiny_bert("insert:sigma=0.1");
  const std::string insert = "insert:sigma=0.2", reorder = "reorder:full";
  EXPECT_TRUE(fits(*words, reorder, check_can_certify));
  EXPECT_FALSE(fits(*words, insert, check_can_certify));
  EXPECT_TRUE(fits(*slots, insert, check_can_certify));
  EXPECT_FALSE(fits(*slots, reorder, check_can_certify));
  EXPECT_FALSE(fits(*pieces, insert, check_can_certify));
  EXPECT_TRUE(fits(*slots_of_bert, insert, check_can_certify));
  EXPECT_TRUE(fits(*words, insert, check_can_run));
  EXPECT_TRUE(fits(*slots, reorder, check_can_run));
  EXPECT_FALSE(fits(*pieces, insert, check_can_run));
  EXPECT_TRUE(fits(*pieces, reorder, check_can_run));
  EXPECT_TRUE(fits(*slots_of_bert, insert, check_can_run));
  const std::string gaussian = "gaussian:sigma=0.2";
  EXPECT_FALSE(fits(*words, gaussian, check_can_certify));
  EXPECT_TRUE(fits(*slots, gaussian, check_can_certify));
  EXPECT_FALSE(fits(*pieces, gaussian, check_can_run));
  EXPECT_TRUE(fits(*slots_of_bert, gaussian, check_can_certify));
  EXPECT_TRUE(fits(*tiny_cnn("gaussian:sigma=0.1"), insert, check_can_certify));
  EXPECT_TRUE(fits(*words, "adapt:keep=5", check_can_certify));
  const auto votes = tiny_votes({{"a", {1, 0}}}, {0, 0}, "linear");
  EXPECT_FALSE(fits(*votes, insert, check_can_certify));
  EXPECT_FALSE(fits(*votes, insert, check_can_run));
  EXPECT_TRUE(fits(*votes, reorder, check_can_certify));
  EXPECT_TRUE(fits(*votes, reorder, check_can_run));
}

// A map of the slots wants a Gaussian on them, or no noise at all.
TEST(FittingNoise, AModelWithAMapOfItsSlotsWantsAGaussian) {
  for (const bool noise_mean : {true, false}) {
    ModelConfig config = tiny_cnn("insert:sigma=0.1")->config();
    config.noise_mean = noise_mean;
    config.reconstruction = noise_mean ? 0 : 4;
    const auto refusal = [&](const std::string& spec, const auto& check) {
      return error_of([&] { check(config, *make_noise(spec, {nullptr, nullptr, 12})); });
    };
    EXPECT_EQ(refusal("insert:sigma=0.2", check_can_run), "");
    EXPECT_EQ(refusal("insert:sigma=0.2", check_can_certify), "");
    EXPECT_EQ(refusal("none", check_can_run), "");
    EXPECT_THAT(refusal("delete:p=0.3", check_can_run), HasSubstr("a Gaussian on every slot"));
    EXPECT_NE(refusal("delete:p=0.3", check_can_certify), "");
    config.pool_all_slots = false;
    EXPECT_THAT(refusal("delete:p=0.3", check_can_certify), HasSubstr("a Gaussian on every slot"));
  }
}

TEST(ChooseEngine, OnTheCpuTheOwnKernelsInTheModelsPrecision) {
  const auto model = tiny_cnn("universal:p=0.7");
  const auto choose = [&](EngineChoice choice, std::optional<Precision> precision) {
    return choose_engine(*model, choice, "cpu", precision, {});
  };
  const ChosenEngine own = choose(EngineChoice::kAuto, std::nullopt);
  EXPECT_THAT(own.engine->name(), StartsWith("cpu bf16"));
  EXPECT_EQ(own.precision, Precision::kBf16);
  const ChosenEngine exact = choose(EngineChoice::kCpu, Precision::kFp32);
  EXPECT_THAT(exact.engine->name(), StartsWith("cpu fp32"));
  EXPECT_EQ(exact.precision, Precision::kFp32);
  const ChosenEngine reference = choose(EngineChoice::kReference, std::nullopt);
  EXPECT_EQ(reference.engine->name(), "reference");
  EXPECT_EQ(reference.precision, Precision::kFp32);
}

TEST(ChooseEngine, RefusesWhatIsNotThere) {
  const auto model = tiny_cnn("universal:p=0.7");
  const auto refused = [&](EngineChoice choice, const std::string& device,
                           std::optional<Precision> precision, const std::string& isa) {
    EngineOptions options;
    options.isa = isa;
    return error_of([&] { choose_engine(*model, choice, device, precision, options); });
  };
  EXPECT_THAT(refused(EngineChoice::kCpu, "cuda", {}, "auto"), HasSubstr("not on device cuda"));
  EXPECT_THAT(refused(EngineChoice::kCuda, "cpu", {}, "auto"), HasSubstr("not on device cpu"));
  EXPECT_THAT(refused(EngineChoice::kReference, "cpu", Precision::kFp32, "auto"),
              HasSubstr("cpu engine only"));
  EXPECT_THAT(refused(EngineChoice::kReference, "cpu", {}, "portable"),
              HasSubstr("cpu engine only"));
  EXPECT_THAT(refused(EngineChoice::kAuto, "cpu", {}, "abacus"), HasSubstr("abacus"));
  EXPECT_THAT(refused(EngineChoice::kAuto, "tpu", {}, "auto"), HasSubstr("tpu"));
}

}  // namespace
}  // namespace textcrs
