#include "textcrs/certified/smoothed_classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "certified/expect_same.h"
#include "certified/tiny_models.h"
#include "textcrs/certified/fitting_noise.h"
#include "textcrs/certified/load.h"
#include "textcrs/certify/deterministic.h"
#include "textcrs/noise/synonym_graph.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::vector<std::string> kText = split("w1 w5 w5 w12 unknown w3 w0 w19 w7");

SmoothedOptions sampling(uint32_t samples = 2000) {
  SmoothedOptions options;
  options.certifier.estimation_samples = samples;
  options.exact = false;
  return options;
}

// The parts of a smoothed classifier, put together by hand.
struct ByHand {
  explicit ByHand(const Classifier& model, const std::string& spec = "",
                  const SynonymTable* candidates = nullptr)
      : noise(make_noise_for(model, spec)),
        engine(make_cpu_engine(model, {.precision = model.config().precision})) {
    CertificateContext context;
    context.slots = model.config().slots;
    context.synonyms = &model.synonyms();
    context.candidates = candidates;
    context.vocabulary = &model.vocabulary();
    sound = find_certificate(noise->spec(), CertificateMode::kSound, context);
    paper = find_certificate(noise->spec(), CertificateMode::kPaper, context);
  }

  Certification certify(Text text, uint64_t seed, uint32_t example,
                        const CertifierOptions& options) const {
    const VoteSource votes = [&](uint32_t begin, uint32_t end) {
      return engine->votes(text, *noise, {seed, example, begin, end});
    };
    return certify_text(votes, text, sound.get(), paper.get(), options);
  }

  std::unique_ptr<Noise> noise;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<Certificate> sound, paper;
};

TEST(SmoothedClassifier, CertifiesAsItsPartsDo) {
  for (const std::string spec : {"universal:p=0.7", "delete:p=0.5", "reorder:block=3", "mask:p=0.4",
                                 "insert:sigma=0.3", "gaussian:sigma=0.3", "adapt:keep=3"}) {
    SCOPED_TRACE(spec);
    const auto model = tiny_cnn(spec);
    const ByHand parts(*model);
    SmoothedOptions options = sampling(20000);  // more than the engine's part
    options.seed = 7;
    options.certifier.stop.automatic = spec == "mask:p=0.4";
    options.certifier.bounds =
        spec == "delete:p=0.5" ? BoundsMethod::kComplement : options.certifier.bounds;
    options.neighbours = 0;
    const SmoothedClassifier smoothed(tiny_cnn(spec), options);
    const std::vector<WordId> ids = model->vocabulary().encode(kText);
    for (const uint32_t example : {0u, 41u})
      expect_same(smoothed.certify(kText, example),
                  parts.certify(ids, options.seed, example, options.certifier));
  }
}

TEST(SmoothedClassifier, ReadsWordsThatAnOpenVocabularyDoesNotHold) {
  const auto words = split("good zork film mork zork story");
  for (const std::string spec : {"universal:p=0.7", "insert:sigma=0.3", "gaussian:sigma=0.3"}) {
    SCOPED_TRACE(spec);
    const auto model = tiny_bert(spec);
    const ByHand parts(*model);
    SmoothedOptions options = sampling(600);
    options.neighbours = 0;
    const SmoothedClassifier smoothed(tiny_bert(spec), options);
    OwnWords own;
    const std::vector<WordId> ids = model->vocabulary().encode(words, own);
    ASSERT_EQ(own.list().size(), 2u);
    expect_same(smoothed.certify(words, 3),
                parts.certify(Text(ids, own.list()), options.seed, 3, options.certifier));
  }
}

TEST(SmoothedClassifier, CountsTheOutcomesOfAFiniteNoise) {
  const std::string spec = "hash:buckets=3,functions=5";
  const auto words = split("good zork film mork zork story");
  const auto model = tiny_bert("universal:p=0.7");
  const ByHand parts(*model, spec);
  SmoothedOptions options;
  options.noise = spec;
  const SmoothedClassifier smoothed(tiny_bert("universal:p=0.7"), options);
  EXPECT_FALSE(smoothed.description().samples);
  OwnWords own;
  const std::vector<WordId> ids = model->vocabulary().encode(words, own);
  const Text text(ids, own.list());
  Votes votes(2);
  for (uint64_t k = 0; k < 15; ++k) {
    CopyBatch one;
    parts.noise->outcome(text, k, one.copies.emplace_back());
    one.own.push_back(own.list());
    if (!one.copies[0].empty()) ++votes[static_cast<size_t>(parts.engine->classify(one)[0])];
  }
  expect_same(smoothed.certify(words, 3), certify_exactly(votes, 15, text, parts.sound.get()));
}

TEST(SmoothedClassifier, RunsTheWholeLawOfAShortText) {
  const auto words = split("w1 w5 w5 w12 w3");  // 32 subsets, some of them alike
  const auto model = tiny_cnn("delete:p=0.5");
  const ByHand parts(*model);
  SmoothedOptions options;
  options.certifier.estimation_samples = 32;
  const SmoothedClassifier smoothed(tiny_cnn("delete:p=0.5"), options);
  const std::vector<WordId> ids = model->vocabulary().encode(words);
  Votes votes(3);
  std::vector<double> shares(3);
  for (const auto& [copy, probability] : parts.noise->law(Text(ids))) {
    CopyBatch one;
    one.copies.push_back(copy);
    const auto answer = static_cast<size_t>(parts.engine->classify(one)[0]);
    ++votes[answer];
    shares[answer] += probability;
  }
  const Certification answer = smoothed.certify(words, 3);
  EXPECT_TRUE(answer.exact);
  expect_same(answer, certify_shares(votes, shares, ids, parts.sound.get(), parts.paper.get()));
  options.certifier.estimation_samples = 31;
  EXPECT_FALSE(SmoothedClassifier(tiny_cnn("delete:p=0.5"), options).certify(words, 3).exact);
}

TEST(SmoothedClassifier, AnswersDependOnTheSeedAndTheExampleAlone) {
  SmoothedOptions options = sampling();
  const SmoothedClassifier one(tiny_cnn("universal:p=0.7"), options);
  options.engine.threads = 3;
  options.engine.batch_size = 17;
  const SmoothedClassifier same(tiny_cnn("universal:p=0.7"), options);
  expect_same(one.certify(kText, 5), one.certify(kText, 5));
  expect_same(one.certify(kText, 5), same.certify(kText, 5));
  EXPECT_NE(one.certify(kText, 5).counts, one.certify(kText, 6).counts);
  options.seed = 2;
  EXPECT_NE(one.certify(kText, 5).counts,
            SmoothedClassifier(tiny_cnn("universal:p=0.7"), options).certify(kText, 5).counts);
}

TEST(SmoothedClassifier, SeveralShareAModel) {
  static_assert(!std::is_move_constructible_v<SmoothedClassifier>);
  const std::shared_ptr<const Classifier> model = tiny_cnn("universal:p=0.7");
  SmoothedOptions options = sampling();
  const SmoothedClassifier one(model, options);
  options.noise = "mask:p=0.4";
  const SmoothedClassifier other(model, options);
  expect_same(one.certify(kText, 5),
              SmoothedClassifier(tiny_cnn("universal:p=0.7"), sampling()).certify(kText, 5));
  EXPECT_EQ(other.description().noise, "mask:p=0.4");
  EXPECT_EQ(one.description().model, other.description().model);
}

// Under the insertion noise only, and only where something is certified.
TEST(SmoothedClassifier, CountsSingleEdits) {
  const auto words = split("good zork film mork");
  const auto model = tiny_bert("insert:sigma=0.3");
  SmoothedOptions options = sampling(600);
  options.neighbours = 2;
  const SmoothedClassifier smoothed(tiny_bert("insert:sigma=0.3"), options);
  const Certification answer = smoothed.certify(words, 0);
  ASSERT_TRUE(answer.sound.certified);
  ASSERT_TRUE(answer.single_edits);
  OwnWords own;
  const std::vector<WordId> ids = model->vocabulary().encode(words, own);
  const std::vector<float> rows = model->vectors(), own_rows = model->vectors(own.list());
  const Embeddings embeddings = {rows, 16, own_rows};
  const NearestWords near(embeddings, 2);
  const SingleEdits expected = single_edits_by(near, embeddings, 12, Text(ids, own.list()),
                                               answer.sound.radius(Operation::kInsertion));
  EXPECT_EQ(expected.substitutions, 8u);
  EXPECT_EQ(expected.deletions, 4u);
  EXPECT_EQ(answer.single_edits->in_words(), expected.in_words());
  options.neighbours = 0;
  EXPECT_FALSE(
      SmoothedClassifier(tiny_bert("insert:sigma=0.3"), options).certify(words, 0).single_edits);
  options.neighbours = 2;  // a number that says nothing of words replaced in place
  EXPECT_FALSE(
      SmoothedClassifier(tiny_bert("gaussian:sigma=0.3"), options).certify(words, 0).single_edits);
  EXPECT_FALSE(SmoothedClassifier(tiny_bert("universal:p=0.7"), sampling(600))
                   .certify(words, 0)
                   .single_edits);
}

TEST(SmoothedClassifier, CoversWhatItsCertificateDoes) {
  const SmoothedClassifier smoothed(tiny_bert("universal:p=0.9"), sampling(3000));
  const auto words = split("good zork film mork story");
  Certification answer = smoothed.certify(words, 0);
  ASSERT_TRUE(answer.sound.certified);
  EXPECT_TRUE(smoothed.covers(words, answer, words).covered);
  const Coverage reordered = smoothed.covers(words, answer, split("mork story zork film good"));
  EXPECT_TRUE(reordered.covered) << reordered.why;
  EXPECT_EQ(reordered.operation, Operation::kReordering);
  // One word of its own for another is an edit.
  const Coverage edited = smoothed.covers(words, answer, split("good zork film bork story"));
  EXPECT_EQ(edited.operation, Operation::kEdit);
  EXPECT_EQ(edited.covered, answer.sound.radius(Operation::kEdit) >= 1) << edited.why;
  EXPECT_FALSE(smoothed.covers(words, answer, split("a b c d e f g h i j k l m n")).covered);
  answer.abstained = true;
  answer.sound = {};
  answer.bounds = {0.3, 0.7};
  EXPECT_FALSE(smoothed.covers(words, answer, words).covered);
}

TEST(SmoothedClassifier, CoversByTheEmbeddingsOfAllWords) {
  SmoothedOptions options = sampling(600);
  options.neighbours = 0;
  const SmoothedClassifier smoothed(tiny_bert("insert:sigma=2"), options);
  const auto words = split("good zork film");
  Certification answer = smoothed.certify(words, 0);
  answer.sound.certified = true;
  answer.bounds = {0.999, 0.001};
  EXPECT_TRUE(smoothed.covers(words, answer, split("good mork film")).covered);
  answer.bounds = {0.5001, 0.4999};
  EXPECT_FALSE(smoothed.covers(words, answer, split("good mork film")).covered);
  EXPECT_TRUE(smoothed.covers(words, answer, split("zork film good")).covered);
}

// A model with synonyms: the radius under gaussian is a number of words, and every text inside it
// has the answer that was promised.
TEST(SmoothedClassifier, CountsWordsByTheirCandidatesUnderAGaussian) {
  std::vector<std::vector<WordId>> lists(23);
  for (WordId word = 3; word < 13; word += 2) {
    lists[static_cast<size_t>(word)] = {word + 1};
    lists[static_cast<size_t>(word) + 1] = {word};
  }
  const SynonymTable synonyms("pairs", lists);
  const std::string noise = "gaussian:sigma=6";
  SmoothedOptions options = sampling(4000);
  options.seed = 5;
  int certified = 0, edits = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    const SmoothedClassifier smoothed(tiny_cnn(noise, synonyms, seed), options);
    const auto words = split("w0 w5 w15 w2");
    const Certification answer = smoothed.certify(words, 0);
    if (!answer.sound.certified) continue;
    ++certified;
    const Guarantee* guarantee = answer.sound.find(Operation::kSubstitution);
    ASSERT_NE(guarantee, nullptr);
    EXPECT_EQ(guarantee->unit, kUnitWords);
    EXPECT_EQ(answer.sound.candidates, "pairs");
    EXPECT_EQ(answer.sound.replaceable, 3);
    for (const std::string edited : {"w1 w5 w15 w2", "w0 w4 w15 w2", "w0 w5 w15 w3"}) {
      const Coverage coverage = smoothed.covers(words, answer, split(edited));
      EXPECT_GE(coverage.covered, guarantee->radius >= 1) << coverage.why;
      if (!coverage.covered) continue;
      ++edits;
      const Certification after = smoothed.certify(split(edited), 0);
      if (!after.abstained) {
        EXPECT_EQ(after.prediction, answer.prediction);
      }
    }
    EXPECT_FALSE(smoothed.covers(words, answer, split("w0 w5 w15")).covered);
  }
  EXPECT_GT(certified, 0);
  EXPECT_GT(edits, 0);
}

TEST(SmoothedClassifier, WithoutAProvedCertificateNothingIsCovered) {
  SmoothedOptions options = sampling();
  options.noise = "reorder:groups=3";
  const SmoothedClassifier smoothed(tiny_cnn("universal:p=0.7"), options);
  EXPECT_TRUE(smoothed.operations().empty());
  Certification answer = smoothed.certify(kText, 0);
  EXPECT_FALSE(answer.sound.certified);
  const Coverage coverage = smoothed.covers(kText, answer, kText);
  EXPECT_FALSE(coverage.covered);
  EXPECT_THAT(coverage.why, HasSubstr("reorder:groups=3"));
}

TEST(SmoothedClassifier, TheAdversaryHasTheCandidates) {
  // w0 - w1, w0 - w2; w1 is the first of w0's list.
  std::vector<std::vector<WordId>> lists(23);
  lists[3] = {4, 5};
  lists[4] = {3};
  lists[5] = {3};
  const std::string spec = "substitute:kernel=graph";
  const SynonymTable table("table", lists), first = keep_mutual(table, 1);
  const auto model = tiny_cnn(spec, table);
  const auto words = split("w0 w2 w0 w1 w9");
  const std::vector<WordId> ids = model->vocabulary().encode(words);
  SmoothedOptions options = sampling();
  for (const SynonymTable* candidates : {static_cast<const SynonymTable*>(nullptr), &first}) {
    options.candidates = candidates == nullptr ? 0 : 1;
    const ByHand parts(*model, "", candidates);
    expect_same(SmoothedClassifier(tiny_cnn(spec, table), options).certify(words, 0),
                parts.certify(ids, options.seed, 0, options.certifier));
  }
}

TEST(SmoothedClassifier, IsTheSameFromManyThreads) {
  for (const std::string spec : {"universal:p=0.7", "insert:sigma=0.3"}) {
    SCOPED_TRACE(spec);
    SmoothedOptions options = sampling(1000);
    options.neighbours = 3;
    const SmoothedClassifier alone(tiny_bert(spec), options), shared(tiny_bert(spec), options);
    const std::vector<std::vector<std::string>> texts = {
        split("good zork film"), split("bad mork story zork"), split("story of a film")};
    std::vector<std::vector<Certification>> found(4);
    std::vector<std::vector<bool>> covered(4);
    std::vector<std::thread> threads;
    for (size_t t = 0; t < found.size(); ++t)
      threads.emplace_back([&, t] {
        for (size_t i = 0; i < texts.size(); ++i) {
          found[t].push_back(shared.certify(texts[i], static_cast<uint32_t>(i)));
          covered[t].push_back(shared.covers(texts[i], found[t][i], texts[(i + 1) % 3]).covered);
        }
      });
    for (std::thread& thread : threads) thread.join();
    for (size_t i = 0; i < texts.size(); ++i) {
      const Certification expected = alone.certify(texts[i], static_cast<uint32_t>(i));
      EXPECT_TRUE(expected.sound.certified);
      EXPECT_EQ(expected.single_edits.has_value(), spec == "insert:sigma=0.3");
      for (size_t t = 0; t < found.size(); ++t) {
        expect_same(found[t][i], expected);
        EXPECT_EQ(covered[t][i], alone.covers(texts[i], expected, texts[(i + 1) % 3]).covered);
      }
    }
  }
}

TEST(SmoothedClassifier, StopsWhenAsked) {
  const auto stopped = [](const SmoothedClassifier& smoothed, const std::atomic<bool>& stop) {
    try {
      smoothed.certify(kText, 0, StopToken(stop));
      return false;
    } catch (const Error& error) {
      return error.kind() == ErrorKind::kInterrupted;
    }
  };
  std::atomic<bool> stop{true};
  SmoothedOptions options = sampling(900'000'000);  // hours
  const SmoothedClassifier sampled(tiny_cnn("universal:p=0.7"), options);
  EXPECT_TRUE(stopped(sampled, stop));
  options.noise = "hash:buckets=30000,functions=30000";
  const SmoothedClassifier counted(tiny_cnn("universal:p=0.7"), options);
  EXPECT_TRUE(stopped(counted, stop));
  SmoothedOptions whole;
  const SmoothedClassifier enumerated(tiny_cnn("delete:p=0.5"), whole);
  EXPECT_TRUE(stopped(enumerated, stop));
  stop = false;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  EXPECT_TRUE(stopped(sampled, stop));
  later.join();
}

TEST(SmoothedClassifier, DescribesItself) {
  SmoothedOptions options = sampling();
  options.noise = "universal:p=0.90";
  options.precision = Precision::kFp32;
  options.seed = 11;
  const SmoothedClassifier smoothed(tiny_cnn("universal:p=0.7"), options);
  const Description& description = smoothed.description();
  EXPECT_EQ(description.noise, "universal:p=0.9");
  EXPECT_THAT(description.engine, StartsWith("cpu fp32 "));
  EXPECT_EQ(description.device, "cpu");
  EXPECT_EQ(description.precision, "fp32");
  EXPECT_EQ(description.model, tiny_cnn("universal:p=0.7")->fingerprint());
  EXPECT_TRUE(description.samples);
  EXPECT_EQ(description.certifier.estimation_samples, 2000u);
  EXPECT_THAT(description.settings,
              ElementsAre(Setting{"exact", "never"}, Setting{"candidates", uint64_t{0}},
                          Setting{"neighbours", uint64_t{10}}, Setting{"seed", uint64_t{11}}));
  EXPECT_THAT(smoothed.classes(), ElementsAre("no", "yes", "maybe"));
  EXPECT_THAT(smoothed.operations(), testing::Contains(Operation::kEdit));
}

TEST(SmoothedClassifier, SaysWhereItIsNotQuiteWhatIsProved) {
  const auto described = [](const std::string& spec, EngineChoice engine) {
    SmoothedOptions options = sampling();
    options.engine_choice = engine;
    return SmoothedClassifier(tiny_cnn(spec), options).description();
  };
  const Description cpu = described("universal:p=0.7", EngineChoice::kCpu);
  EXPECT_THAT(cpu.caveats, IsEmpty());
  EXPECT_THAT(cpu.caveats_of_samples, IsEmpty());
  const Description insert = described("insert:sigma=0.3", EngineChoice::kCpu);
  EXPECT_THAT(insert.caveats, ElementsAre(HasSubstr("float32")));
  EXPECT_THAT(insert.caveats_of_samples, IsEmpty());
  const Description reference = described("universal:p=0.7", EngineChoice::kReference);
  EXPECT_THAT(reference.caveats, IsEmpty());
  EXPECT_THAT(reference.caveats_of_samples,
              ElementsAre(HasSubstr("depends on the copies beside it")));
  // All outcomes are run one by one.
  const Description hash = described("hash:buckets=3,functions=2", EngineChoice::kReference);
  EXPECT_THAT(hash.caveats_of_samples, IsEmpty());
}

TEST(SmoothedClassifier, DescribesTheBoundsThatItUses) {
  SmoothedOptions options = sampling();
  EXPECT_EQ(options.certifier.bounds, BoundsMethod::kAuto);
  const auto bounds_of = [&](std::unique_ptr<const Classifier> model) {
    return SmoothedClassifier(std::move(model), options).description().certifier.bounds;
  };
  EXPECT_EQ(bounds_of(tiny_cnn("universal:p=0.7")), BoundsMethod::kJoint);        // three classes
  EXPECT_EQ(bounds_of(tiny_bert("universal:p=0.7")), BoundsMethod::kComplement);  // two
  options.certifier.bounds = BoundsMethod::kComplement;
  EXPECT_EQ(bounds_of(tiny_cnn("universal:p=0.7")), BoundsMethod::kComplement);
}

TEST(SmoothedClassifier, RefusesWhatItCanNotCertify) {
  const auto refused = [](const std::string& noise, const auto& change) {
    SmoothedOptions options;
    options.noise = noise;
    change(options);
    try {
      SmoothedClassifier(tiny_cnn("universal:p=0.7"), options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage) << error.what();
      return std::string(error.what());
    }
    return std::string();
  };
  const auto nothing = [](SmoothedOptions&) {};
  EXPECT_EQ(refused("", nothing), "");
  EXPECT_THAT(refused("none", nothing), HasSubstr("no certificate"));
  EXPECT_THAT(refused("insert:sigma=0.1", nothing), HasSubstr("does not fit"));
  EXPECT_THAT(refused("hash:buckets=1000000,functions=1000000", nothing),
              HasSubstr("1000000000000 outcomes per text"));
  EXPECT_THAT(refused("", [](auto& o) { o.certifier.alpha = 0; }), HasSubstr("alpha"));
  EXPECT_THAT(refused("", [](auto& o) { o.certifier.stop.operation = Operation::kEdit; }),
              HasSubstr("stop"));
  EXPECT_THAT(refused("mask:p=0.5",
                      [](auto& o) {
                        o.certifier.stop.automatic = true;
                        o.certifier.stop.operation = Operation::kDeletion;
                      }),
              HasSubstr("mask:p=0.5"));
  EXPECT_THAT(refused("", [](auto& o) { o.device = "tpu"; }), HasSubstr("tpu"));
}

TEST(LoadCertified, AnswersAsTheModelThatWasSaved) {
  const TemporaryFolder folder;
  const auto model = tiny_bert("universal:p=0.7");
  model->save(folder.path() / "model");
  const SmoothedOptions options = sampling(500);
  const auto loaded = load_certified(folder.path() / "model", options);
  const SmoothedClassifier expected(tiny_bert("universal:p=0.7"), options);
  EXPECT_EQ(loaded->description().model, expected.description().model);
  const auto words = loaded->words("Good film, zork!");
  EXPECT_THAT(words, ElementsAre("good", "film", ",", "zork", "!"));
  expect_same(loaded->certify(words, 0), expected.certify(words, 0));
  EXPECT_THROW(load_certified(folder.path() / "nothing"), Error);
}

}  // namespace
}  // namespace textcrs
