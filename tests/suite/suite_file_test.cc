#include "textcrs/suite/suite_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite_parts.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string problem_of(const std::string& content) {
  return error_of([&] { suite_of(content); });
}

std::string problem_with(const std::string& more) { return problem_of(kLeast + more); }

TEST(SuiteFile, ReadsEveryKey) {
  const Suite suite = suite_of(R"(
title = "T"
about = "A"
caveats = ["c1", "c2"]
[defaults]
device = "cuda"
seed = 7
limit = 100
samples = 1000
alpha = 0.01
train = { epochs = 3, "learning-rate" = 0.5, noise-mean = true, intervals = false }
[[data]]
name = "d"
title = "D"
texts = ["a.csv", "b.csv"]
published = "IMDB"
caveat = "small"
evaluate = { limit = 5 }
[[model]]
name = "m"
title = "M"
published = "LSTM"
caveat = "young"
device = "cpu"
certify = { stop = "auto" }
[[model.for]]
data = ["d"]
certify = { limit = 9 }
[[method]]
name = "a"
title = "A method"
operation = "deletion"
models = ["m"]
data = ["d"]
levels = { low = "delete:p=0.3", high = "delete:p=0.7" }
evaluates = false
certifies = true
attack = { budget = ["x", "y"] }
[[method.for]]
models = ["m"]
data = ["d"]
levels = { tiny = "delete:p=0.1" }
train = { epochs = 1 }
[[method]]
name = "none"
operation = "none"
noise = "none"
[[encoder]]
name = "e"
data = ["d"]
pretrain = { epochs = 1 }
[[attack]]
name = "x"
title = "X"
recipe = "input-reduction"
operation = "deletion"
published = "InputReduction"
methods = ["none"]
against = ["a.tiny"]
models = ["m"]
data = ["d"]
judged = true
judge = { url = "http://localhost:1" }
[[variant]]
name = "v"
title = "V"
methods = ["a"]
levels = ["tiny"]
models = ["m"]
data = ["d"]
certify = { samples = 10 }
[[table]]
name = "t"
kind = "edits"
title = "A table"
threat = "deletion"
radii = [0, 0.5, 2]
methods = ["a"]
[[figure]]
name = "f"
kind = "radius"
title = "A figure"
operation = "deletion"
threat = "edit"
data = ["d"]
models = ["m"]
methods = ["a"]
levels = ["low"]
variants = ["v"]
attacks = ["x"]
[[figure]]
name = "values"
sources = ["glove"]
)",
                               "mine.toml");
  EXPECT_EQ(suite.name, "mine");
  EXPECT_EQ(suite.title, "T");
  EXPECT_EQ(suite.about, "A");
  EXPECT_THAT(suite.caveats, ElementsAre("c1", "c2"));
  EXPECT_EQ(suite.device, "cuda");
  EXPECT_EQ(suite.seed, 7u);
  EXPECT_EQ(suite.limit, 100u);
  EXPECT_EQ(suite.samples, 1000u);
  EXPECT_EQ(suite.alpha, 0.01);
  const SuiteFlags& train = suite.flags.at("train");
  ASSERT_EQ(train.size(), 4u);
  EXPECT_EQ(train[0].name, "epochs");
  EXPECT_THAT(train[0].values, ElementsAre("3"));
  EXPECT_EQ(train[0].line, 11);
  EXPECT_EQ(train[1].name, "learning-rate");
  EXPECT_THAT(train[1].values, ElementsAre("0.5"));
  EXPECT_THAT(train[2].values, IsEmpty());  // on
  EXPECT_THAT(train[3].values, ElementsAre("false"));
  ASSERT_EQ(suite.data.size(), 1u);
  EXPECT_EQ(suite.data[0].train, "a.csv");
  EXPECT_EQ(suite.data[0].test, "b.csv");
  EXPECT_EQ(suite.data[0].published, "IMDB");
  EXPECT_EQ(suite.data[0].caveat, "small");
  EXPECT_THAT(suite.data[0].flags.at("evaluate")[0].values, ElementsAre("5"));
  ASSERT_EQ(suite.models.size(), 1u);
  EXPECT_EQ(suite.models[0].device, "cpu");
  EXPECT_EQ(suite.models[0].published, "LSTM");
  EXPECT_EQ(suite.models[0].caveat, "young");
  ASSERT_EQ(suite.models[0].overrides.size(), 1u);
  EXPECT_THAT(suite.models[0].overrides[0].flags.at("certify")[0].values, ElementsAre("9"));
  ASSERT_EQ(suite.methods.size(), 2u);
  const SuiteMethod& method = suite.methods[0];
  EXPECT_EQ(method.operation, "deletion");
  EXPECT_FALSE(method.evaluates);
  EXPECT_TRUE(method.certifies);
  ASSERT_EQ(method.levels.size(), 2u);
  EXPECT_EQ(method.levels[1].name, "high");
  EXPECT_EQ(method.levels[1].noise, "delete:p=0.7");
  ASSERT_EQ(method.overrides.size(), 1u);
  EXPECT_EQ(method.overrides[0].levels[0].name, "tiny");
  EXPECT_THAT(method.flags.at("attack")[0].values, ElementsAre("x", "y"));
  EXPECT_FALSE(suite.methods[1].certifies);  // nothing is certified of no operation
  EXPECT_EQ(suite.methods[1].levels[0].name, "");
  EXPECT_EQ(suite.methods[1].levels[0].noise, "none");
  ASSERT_EQ(suite.encoders.size(), 1u);
  EXPECT_THAT(suite.encoders[0].data, ElementsAre("d"));
  ASSERT_EQ(suite.attacks.size(), 1u);
  EXPECT_EQ(suite.attacks[0].recipe, "input-reduction");
  EXPECT_THAT(suite.attacks[0].against, ElementsAre("a.tiny"));
  EXPECT_TRUE(suite.attacks[0].judged);
  ASSERT_EQ(suite.variants.size(), 1u);
  EXPECT_THAT(suite.variants[0].levels, ElementsAre("tiny"));
  ASSERT_EQ(suite.tables.size(), 1u);
  EXPECT_EQ(suite.tables[0].kind, "edits");
  EXPECT_THAT(suite.tables[0].radii, ElementsAre(0, 0.5, 2));
  EXPECT_EQ(suite.tables[0].threat, "deletion");
  ASSERT_EQ(suite.figures.size(), 2u);
  EXPECT_EQ(suite.figures[0].kind, "radius");
  EXPECT_THAT(suite.figures[0].show.variants, ElementsAre("v"));
  EXPECT_THAT(suite.figures[1].sources, ElementsAre("glove"));
}

TEST(SuiteFile, FillsInWhatIsNotSaid) {
  const Suite suite = suite_of(kLeast, "some.thing.toml");
  EXPECT_EQ(suite.name, "some.thing");
  EXPECT_EQ(suite.title, "some.thing");
  EXPECT_EQ(suite.device, "cpu");
  EXPECT_EQ(suite.seed, std::nullopt);
  EXPECT_EQ(suite.data[0].train, "texts/d.csv");
  EXPECT_EQ(suite.data[0].test, "texts/d.csv");
  EXPECT_EQ(suite.data[0].title, "d");
  EXPECT_EQ(suite.methods[0].operation, "edit");
  EXPECT_TRUE(suite.methods[0].evaluates);
  EXPECT_EQ(suite_of("[[data]]\nname = \"imdb\"\n[[model]]\nname = \"m\"\n[[method]]\n"
                     "name = \"a\"\n")
                .data[0]
                .train,
            "imdb");
}

TEST(SuiteFile, ThoseThatComeWithTheProgramAreRead) {
  const std::filesystem::path folder = std::filesystem::path(TEXTCRS_SUITES);
  for (const char* name : {"quick", "paper", "edits"}) {
    const Suite suite = read_suite(folder / (std::string(name) + ".toml"));
    EXPECT_EQ(suite.name, name);
    EXPECT_FALSE(suite.tables.empty()) << name;
    EXPECT_FALSE(suite.figures.empty()) << name;
    EXPECT_FALSE(plan_suite(suite, {}).empty()) << name;
  }
  // The paper's matrix: four operations at three levels for both networks on all data.
  const Suite paper = read_suite(folder / "paper.toml");
  std::vector<PlannedStep> plan = plan_suite(paper, {});
  for (const char* data : {"imdb", "ag-news", "amazon"})
    for (const char* model : {"bilstm", "bert"})
      for (const char* method : {"substitute", "reorder", "insert", "delete"})
        for (const char* level : {"low", "medium", "high"})
          for (const char* verb : {"train", "evaluate", "certify"}) {
            const std::string name =
                std::string(data) + "." + model + "." + method + "." + level + "." + verb;
            EXPECT_THAT(names_of(plan), testing::Contains(name));
          }
}

TEST(SuiteFile, SaysWhichLineIsWrong) {
  // kLeast has nine lines and an empty one before them.
  EXPECT_THAT(problem_with("[[method]]\nname = \"a\"\n"),
              HasSubstr("tiny.toml:10: the name 'a' is taken"));
  EXPECT_THAT(problem_with("[[method]]\nnmae = \"b\"\n"),
              HasSubstr("tiny.toml:10: [[method]]: found no 'name'"));
  EXPECT_THAT(problem_with("[[method]]\nname = \"b\"\nnosie = \"delete:p=0.3\"\n"),
              HasSubstr("tiny.toml:12: [[method]]: found the key 'nosie', which it does not have; "
                        "did you mean 'noise'?"));
  EXPECT_THAT(problem_with("[[methods]]\nname = \"b\"\n"),
              HasSubstr("tiny.toml:10: the suite: found the key 'methods', which it does not have; "
                        "did you mean 'method'?"));
  EXPECT_THAT(problem_with("[method]\n"), HasSubstr("tiny.toml:10: "));
  EXPECT_THAT(problem_of("[data]\nname = \"d\"\n"),
              HasSubstr("tiny.toml:1: the suite: found a table for 'data', expected [[data]]"));
  EXPECT_THAT(problem_with("[[attack]]\nname = \"x\"\nmethods = [\"aa\"]\n"),
              HasSubstr("tiny.toml:10: found the method 'aa', expected one of: a"));
  EXPECT_THAT(problem_with("[[attack]]\nname = \"x\"\nmethods = [\"a\"]\nagainst = [\"a\"]\n"),
              HasSubstr("tiny.toml:10: found the method 'a', expected one of: a.low"));
  EXPECT_THAT(problem_with("[[attack]]\nname = \"x\"\n"),
              HasSubstr("tiny.toml:10: [[attack]]: found no 'methods' to attack"));
  EXPECT_THAT(problem_with("[[encoder]]\nname = \"a\"\n"),
              HasSubstr("tiny.toml:10: the name 'a' is that of a method"));
  EXPECT_THAT(problem_with("[[variant]]\nname = \"v\"\nlevels = [\"lwo\"]\n"),
              HasSubstr("tiny.toml:10: found the level 'lwo', expected one of: low; did you mean "
                        "'low'?"));
  EXPECT_THAT(
      problem_with("[[table]]\nname = \"t\"\nkind = \"benchmrk\"\n"),
      AllOf(HasSubstr("tiny.toml:10: found the kind of table 'benchmrk', expected one of: "),
            HasSubstr("did you mean 'benchmark'?")));
  EXPECT_THAT(problem_with("[[table]]\nname = \"edits\"\nthreat = \"none\"\n"),
              HasSubstr("tiny.toml:10: found the threat 'none', expected one of: substitution, "
                        "reordering, insertion, deletion, edit"));
  EXPECT_THAT(problem_with("[[figure]]\nname = \"radius\"\nthreat = \"deletoin\"\n"),
              HasSubstr("did you mean 'deletion'?"));
  EXPECT_THAT(problem_with("[[figure]]\nname = \"radius\"\noperation = \"cut\"\n"),
              HasSubstr("tiny.toml:10: found the operation 'cut', expected one of: "));
  EXPECT_THAT(problem_with("[[figure]]\nname = \"values\"\n"),
              HasSubstr("tiny.toml:10: found no 'sources', expected names of word vectors"));
  EXPECT_THAT(problem_with("[[figure]]\nname = \"radius\"\nsources = [\"glove\"]\n"),
              HasSubstr("tiny.toml:10: found 'sources', which distances and values have"));
  EXPECT_THAT(problem_with("[[method]]\nname = \"b\"\noperation = \"delete\"\n"),
              HasSubstr("tiny.toml:10: found the operation 'delete', expected one of: "));
  EXPECT_THAT(problem_with("[[method]]\nname = \"b\"\nnoise = \"none\"\nlevels = { l = \"x\" }\n"),
              HasSubstr("tiny.toml:10: found both 'noise' and 'levels'"));
  EXPECT_THAT(problem_with("[[method]]\nname = \"b\"\ndata = [\"e\"]\n"),
              HasSubstr("tiny.toml:10: found the data 'e', expected one of: d"));
  EXPECT_THAT(problem_with("[[method]]\nname = \"b\"\n[[method.for]]\nmodels = [\"mm\"]\n"),
              HasSubstr("tiny.toml:10: found the model 'mm'"));
  EXPECT_THAT(problem_with("[[method]]\nname = \"b\"\n[[method.for]]\nmodel = [\"m\"]\n"),
              HasSubstr("tiny.toml:13: [[for]]: found the key 'model', which it does not have; did "
                        "you mean 'models'?"));
}

TEST(SuiteFile, SaysWhichValueIsOfAnotherType) {
  EXPECT_THAT(problem_with("[[method]]\nname = 3\n"),
              HasSubstr("tiny.toml:11: [[method]]: found a number for 'name', expected a text"));
  EXPECT_THAT(problem_with("[[method]]\nname = \"b\"\nmodels = 1\n"),
              HasSubstr("tiny.toml:12: [[method]]: found a number for 'models', expected a list"));
  EXPECT_THAT(problem_with("[[method]]\nname = \"b\"\nmodels = [1]\n"),
              HasSubstr("tiny.toml:12: [[method]]: found a number for 'models', expected a list"));
  EXPECT_THAT(problem_with("[[method]]\nname = \"b\"\nlevels = \"low\"\n"),
              HasSubstr("tiny.toml:12: [[method]]: found a text for 'levels', expected a table"));
  EXPECT_THAT(problem_with("[[method]]\nname = \"b\"\nlevels = { low = 1 }\n"),
              HasSubstr("tiny.toml:12: [[method]]: found a number for 'low', expected a noise"));
  EXPECT_THAT(
      problem_with("[[method]]\nname = \"b\"\nevaluates = \"yes\"\n"),
      HasSubstr("tiny.toml:12: [[method]]: found a text for 'evaluates', expected true or"));
  EXPECT_THAT(problem_with("[[method]]\nname = \"b\"\ntrain = [1]\n"),
              HasSubstr("tiny.toml:12: [[method]]: found a list for 'train', expected a table of"));
  EXPECT_THAT(
      problem_with("[[method]]\nname = \"b\"\ntrain = { epochs = {} }\n"),
      HasSubstr("tiny.toml:12: [[method]]: found a table for 'epochs', expected a text, a"));
  EXPECT_THAT(problem_with("[[method]]\nname = \"b\"\ntrain = { epochs = [] }\n"),
              HasSubstr("tiny.toml:12: [[method]]: found a list for 'epochs', expected at least"));
  EXPECT_THAT(problem_with("[[method]]\nname = \"b\"\ntrain = { epochs = 2026-01-01 }\n"),
              HasSubstr("tiny.toml:12: [[method]]: found a date or time for 'epochs'"));
  EXPECT_THAT(problem_with("[[table]]\nname = \"edits\"\nradii = [\"1\"]\n"),
              HasSubstr("tiny.toml:12: [[table]]: found a text for 'radii', expected a list of"));
  EXPECT_THAT(problem_with("[defaults]\nseed = -1\n"),
              HasSubstr("tiny.toml:11: [defaults]: found a number for 'seed', expected a whole"));
  EXPECT_THAT(problem_with("[defaults]\nlimit = 1.5\n"),
              HasSubstr("tiny.toml:11: [defaults]: found a number for 'limit', expected a whole"));
  EXPECT_THAT(problem_with("[defaults]\nalpha = \"small\"\n"),
              HasSubstr("tiny.toml:11: [defaults]: found a text for 'alpha', expected a number"));
  EXPECT_THAT(problem_with("[defaults]\ndevice = \"gpu\"\n"),
              HasSubstr("tiny.toml:10: found the device 'gpu', expected one of: cpu, cuda"));
}

TEST(SuiteFile, NeedsSomethingToDo) {
  EXPECT_THAT(problem_of(""), HasSubstr("tiny.toml:1: found no [[data]], expected at least one"));
  EXPECT_THAT(problem_of("[[data]]\nname = \"d\"\n"), HasSubstr("found no [[model]]"));
  EXPECT_THAT(problem_of("[[data]]\nname = \"d\"\n[[model]]\nname = \"m\"\n"),
              HasSubstr("found no [[method]]"));
}

// Names are parts of folders' names.
TEST(SuiteFile, NamesArePlain) {
  for (const char* bad : {"..", "a.b", "a/b", "/tmp/x", "a b", "-a", "\\u0000", "ü"}) {
    EXPECT_THAT(problem_with("[[method]]\nname = \"" + std::string(bad) + "\"\n"),
                HasSubstr("tiny.toml:10: found the name '"))
        << bad;
    EXPECT_THAT(problem_with("[[method]]\nname = \"b\"\nlevels = { \"" + std::string(bad) +
                             "\" = \"none\" }\n"),
                HasSubstr("tiny.toml:12: found the name '"))
        << bad;
  }
  EXPECT_THAT(problem_with("[[method]]\nname = \"" + std::string(61, 'a') + "\"\n"),
              HasSubstr("expected up to 60 letters, digits, - _ + ="));
  EXPECT_EQ(problem_with("[[method]]\nname = \"N=1_000+a-b\"\n"), "");
}

TEST(SuiteFile, IsATomlFile) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { read_suite(folder.path() / "none.toml"); }),
              HasSubstr("none.toml: there is no such file"));
  EXPECT_THAT(error_of([&] { read_suite(folder.path()); }), HasSubstr("there is no such file"));
  EXPECT_THAT(problem_of("title = \"a\"\n[[data]\n"), HasSubstr("tiny.toml:2: "));
  EXPECT_THAT(problem_of("title = \"a\"\ntitle = \"b\"\n"), HasSubstr("tiny.toml:2: "));
  EXPECT_THAT(problem_of("a = 1\nb = \"\xff\"\n"), HasSubstr("tiny.toml:2: "));
  EXPECT_THAT(problem_of(std::string("a = \0", 5)), HasSubstr("tiny.toml:1: "));
  try {
    suite_of("=");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
  }
}

}  // namespace
}  // namespace textcrs
