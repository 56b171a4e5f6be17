// What goes wrong with a card is an Error with the reason.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>

#include "card.h"
#include "model/expect_error.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/engine/cuda_backend.h"
#include "trap.h"

namespace textcrs {
namespace {

using testing::HasSubstr;

// Ends the process, with the message of the Error that `work` throws.
template <typename Work>
[[noreturn]] void end_with_error_of(const Work& work) {
  try {
    work();
    std::fprintf(stderr, "no error");
  } catch (const Error& error) {
    std::fprintf(stderr, "%d %s", error.exit_code(), error.what());
  }
  std::_Exit(0);
}

std::unique_ptr<Classifier> model(const TemporaryFolder& folder, int hidden = 20) {
  ModelConfig config = small_config("bilstm");
  config.hidden = hidden;
  return small_classifier(folder.path(), config);
}

// Runs on machines without a card, too.
TEST(WithoutACard, TheEngineSaysSo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto ask = [] {
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    const TemporaryFolder folder;
    const auto classifier = model(folder);
    end_with_error_of([&] { cuda_backend().engine(*classifier); });
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(0), "2 device is cuda, but no usable GPU was found");
}

TEST_F(OnGpu, MemoryThatIsNotThere) {
  GpuMemory memory;
  EXPECT_THAT(expect_error(ErrorKind::kFailed, [&] { memory.reserve(size_t{1} << 50, "a test"); }),
              HasSubstr("no memory left for a test"));
  memory.reserve(1000, "a test");
  const GpuQueue queue;
  clear_on_gpu(queue, memory.data(), 1000);
  queue.wait();
}

// A kernel that fails takes the card away from this process for good.
TEST(ACardThatDisappears, IsAnError) {
  SKIP_WITHOUT_A_CARD();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto ask = [] {
    const TemporaryFolder folder;
    const auto classifier = model(folder);
    const auto engine = cuda_backend().engine(*classifier);
    const auto noise = make_noise("reorder:full");
    const SampleRange range = {.seed = 1, .end = 100};
    const Words text = {3, 4, 5};
    engine->votes(text, *noise, range);
    break_the_card();
    end_with_error_of([&] { engine->votes(text, *noise, range); });
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(0), "1 the GPU did not");
}

TEST_F(OnGpu, ScoresThatOverflowNeverVote) {
  const TemporaryFolder folder;
  const auto classifier = small_classifier(folder.path(), small_config("cnn"), 2);
  const Words text = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const auto noise = make_noise("delete:p=0.3");
  const SampleRange range = {.seed = 1, .end = 100};
  EXPECT_NO_THROW(cuda_backend().engine(*classifier)->votes(text, *noise, range));
  FloatTensor weight = classifier->weights().at("conv3.weight");
  // (hidden, 6, 3), finite: the middle word's first number is multiplied by it.
  std::fill(weight.values.begin(), weight.values.end(), 0.0f);
  for (size_t i = 1; i < weight.values.size(); i += 18) weight.values[i] = 3e38f;
  classifier->assign({{"conv3.weight", weight}});
  const auto engine = cuda_backend().engine(*classifier);
  EXPECT_THAT(expect_error(ErrorKind::kFailed, [&] { engine->votes(text, *noise, range); }),
              HasSubstr("not finite"));
}

TEST_F(OnGpu, ModelsItDoesNotRunAreRefused) {
  const TemporaryFolder folder;
  ModelConfig config = small_config("bilstm");
  config.precision = Precision::kFp32;
  const auto classifier = small_classifier(folder.path(), config);
  EXPECT_THAT(expect_error(ErrorKind::kUsage, [&] { cuda_backend().engine(*classifier); }),
              HasSubstr("bf16"));
}

}  // namespace
}  // namespace textcrs
