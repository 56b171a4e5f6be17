// The flags of textcrs train for better training under noise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(NoisyTraining, IsRecordedAndTheSavedFlagsMakeTheSameModelAgain) {
  const std::string out = workspace().path("noisy"), again = workspace().path("noisy-again");
  const Result result =
      run(workspace().training(out) + Arguments{"--copies", "2", "--consistency", "5",
                                                "--consistency-entropy", "0.5", "--vary-noise",
                                                "0.2..0.4", "--distil", workspace().model(),
                                                "--distil-weight", "0.3", "--average", "0.99"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("the teacher " + workspace().model() + " answers "));
  const auto training = json_of(read(out + "/training.json"));
  EXPECT_EQ(training["copies"], 2);
  EXPECT_EQ(training["consistency"], 5);
  EXPECT_EQ(training["consistency_entropy"], 0.5);
  EXPECT_EQ(training["noise_levels"], (std::vector<double>{0.2, 0.4}));
  EXPECT_EQ(training["average"], 0.99);
  EXPECT_EQ(training["teacher"]["folder"], workspace().model());
  EXPECT_EQ(training["teacher"]["weight"], 0.3);
  EXPECT_EQ(training["teacher"]["temperature"], 2);
  EXPECT_GT(training["teacher"]["accuracy"], 0.5);
  EXPECT_EQ(json_of(read(out + "/config.json"))["noise"], "universal:p=0.3");

  const Result same =
      run({"train", "--config", out + "/train.toml", "--out", again, "--loader-threads", "3"});
  ASSERT_EQ(same.exit_code, 0) << same.err;
  EXPECT_EQ(read(again + "/model.safetensors"), read(out + "/model.safetensors"));
  EXPECT_NE(read(out + "/model.safetensors"), read(workspace().model() + "/model.safetensors"));
  const auto plain = json_of(read(workspace().model() + "/training.json"));
  for (const char* key : {"copies", "noise_levels", "teacher", "average"})
    EXPECT_FALSE(plain.contains(key)) << key;
}

TEST(NoisyTraining, LevelsGoWithANoiseThatIsChosen) {
  const std::string out = workspace().path("noisy-chosen");
  const Arguments command = {"train",
                             "--data",
                             workspace().texts(),
                             "--vectors",
                             workspace().vectors(),
                             "--hidden",
                             "8",
                             "--epochs",
                             "1",
                             "--out",
                             out,
                             "--vary-noise",
                             "0.6..0.8"};
  const Result result = run(command);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Result none = run(command + Arguments{"--overwrite", "--for", "reordering"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("noise reorder:full has no level"));
}

TEST(NoisyTraining, RefusesWhatDoesNotGoTogether) {
  const std::string out = workspace().path("noisy-refused");
  const auto refused = [&](const Arguments& extra, const std::string& what, int exit_code = 2) {
    const Result result = run(workspace().training(out) + extra);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(what));
    EXPECT_FALSE(std::filesystem::exists(out));
  };
  refused({"--consistency", "5"}, "--copies 2");
  refused({"--copies", "0"}, "--copies");
  refused({"--average", "1"}, "--average");
  refused({"--distil-weight", "1.5"}, "--distil-weight");
  refused({"--distil-temperature", "0"}, "--distil-temperature");
  refused({"--distil-weight", "0.3"}, "need --distil");
  for (const char* levels : {"0.5", "0.2..", "..0.5", "0.2..x", "0.2...5x", "a..b"})
    refused({"--vary-noise", levels}, "LOW..HIGH");
  refused({"--vary-noise", "0.5..0.2"}, "0.5 to 0.2");
  refused({"--vary-noise", "0.5..1"}, "universal:p=1");
  refused({"--distil", workspace().path("no-such-model")}, "no-such-model", 3);
}

TEST(NoisyTraining, VotesTakeNeitherCopiesNorATeacher) {
  const auto refused = [&](const Arguments& kind, const Arguments& extra, const std::string& what) {
    const Result result = run(Arguments{"train", "--data", workspace().texts(), "--out",
                                        workspace().path("noisy-votes")} +
                              kind + extra);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(what));
  };
  const Arguments copies = {"--copies", "2"}, teacher = {"--distil", workspace().model()},
                  levels = {"--vary-noise", "0.2..0.3"};
  const Arguments votes = {"--architecture", "votes"};
  refused(votes, copies, "a votes model can not be trained with several noisy copies");
  refused(votes, teacher, "a votes model can not be trained with a teacher");
  refused(votes, levels, "noise none has no level");
  const Arguments linear = {"--architecture", "linear", "--noise", "delete:p=0.3"};
  refused(linear, copies, "a linear model can not be trained with several noisy copies");
  refused(linear, teacher, "a linear model can not be trained with a teacher");
  const Arguments sentences = {"--units", "sentences"};
  refused(sentences, copies, "sentences that vote can not be trained with several noisy copies");
  refused(sentences, teacher, "sentences that vote can not be trained with a teacher");
  refused(sentences, levels, "noise none has no level");
}

TEST(NoisyTraining, ATeacherOfOtherClassesIsRefused) {
  const std::string file =
      workspace().write("other-classes.csv", "label,text\nham,good film\nspam,bad film\n");
  const Result result =
      run({"train", "--data", file, "--vectors", workspace().vectors(), "--hidden", "8", "--noise",
           "delete:p=0.3", "--out", workspace().path("untaught"), "--distil", workspace().model()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("neg, pos"));
  EXPECT_THAT(result.err, HasSubstr("ham, spam"));
  EXPECT_THAT(result.err, Not(HasSubstr("--resume")));
}

}  // namespace
}  // namespace textcrs::cli_test
