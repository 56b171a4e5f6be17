// Both LSTM kernels against the definition in double precision.
#include "kernels/cuda/lstm.h"

#include <algorithm>

#include "card.h"
#include "kernels/lstm_cases.h"

namespace textcrs {
namespace {

// Both directions have one layer; the word of step s is row s of the text's own rows.
class LstmOnGpu : public ::testing::TestWithParam<GpuLstmKernel> {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_A_CARD();
    card_ = gpu_properties();
    if (GetParam() == GpuLstmKernel::kResident &&
        choose_lstm_kernel(card_, 1) != GpuLstmKernel::kResident)
      GTEST_SKIP() << card_.name << " can not keep the weights in its shared memory";
  }

  // What every unit's maximum is, by a head that reads them one by one: (texts, 2 units).
  std::vector<std::vector<double>> maxima(const Layer& layer, const std::vector<Sequence>& texts,
                                          int slots = 1000) {
    const GpuQueue queue;
    const auto units = static_cast<size_t>(layer.units);
    GpuLstm lstm{.kernel = GetParam(),
                 .units = layer.units,
                 .padded = padded_units(GetParam(), layer.units),
                 .classes = layer.units};
    GpuArray<GpuBf16> weights;
    weights.upload(queue, pack_weights(lstm.kernel, layer.units, layer.hh), "weights");
    std::vector<float> ones(units * static_cast<size_t>(lstm.padded));
    for (size_t u = 0; u < units; ++u) ones[u * static_cast<size_t>(lstm.padded) + u] = 1;
    GpuArray<float> head;
    head.upload(queue, ones, "head");
    std::vector<float> rows(static_cast<size_t>(lstm.row_size()));  // PAD's
    std::vector<int32_t> words, lengths;
    std::vector<int64_t> starts;
    for (const Sequence& text : texts) {
      starts.push_back(static_cast<int64_t>(words.size()));
      lengths.push_back(text.length());
      for (const std::vector<float>& gates : text.gates) {
        const size_t at = rows.size();
        words.push_back(static_cast<int32_t>(at / static_cast<size_t>(lstm.row_size())));
        rows.resize(at + static_cast<size_t>(lstm.row_size()));
        for (int gate = 0; gate < 4; ++gate)
          for (int unit = 0; unit < layer.units; ++unit)
            rows[at + static_cast<size_t>(row_place(gate, unit))] =
                gate_scale(gate) * gates[static_cast<size_t>(gate * layer.units + unit)];
      }
    }
    words.push_back(0);
    GpuArray<float> on_card, scores;
    GpuArray<int32_t> word, length, bins, order;
    GpuArray<int64_t> start;
    on_card.upload(queue, rows, "rows");
    word.upload(queue, words, "words");
    length.upload(queue, lengths, "lengths");
    start.upload(queue, starts, "starts");
    bins.reserve(static_cast<size_t>(slots) + 2, "bins");
    order.reserve(texts.size(), "order");
    scores.reserve(2 * texts.size() * units, "scores");
    GpuMemory scratch;
    scratch.reserve(lstm_scratch_bytes(card_, lstm), "scratch");
    for (int direction = 0; direction < 2; ++direction) {
      lstm.weights[direction] = weights.data();
      lstm.head[direction] = head.data();
    }
    const GpuLstmRun run{
        .copies = {static_cast<int>(texts.size()), word.data(), start.data(), 1, length.data()},
        .order = order.data(),
        .slots = slots,
        .rows = {on_card.data(), on_card.data()},
        .scores = scores.data()};
    sort_by_length(queue, run.copies, slots, bins.data(), order.data());
    run_lstm(queue, card_, lstm, run, scratch.data());
    const std::vector<float> found = scores.download(queue, 2 * texts.size() * units);
    std::vector<std::vector<double>> maxima(texts.size());
    for (size_t direction = 0; direction < 2; ++direction)
      for (size_t t = 0; t < texts.size(); ++t)
        for (size_t u = 0; u < units; ++u)
          maxima[t].push_back(found[(direction * texts.size() + t) * units + u]);
    return maxima;
  }

  // Forward and backward.
  static std::vector<double> expected(const Layer& layer, const Sequence& text) {
    std::vector<double> both = reference(layer, text, Precision::kBf16);
    Sequence reversed = text;
    std::reverse(reversed.gates.begin(), reversed.gates.end());
    std::reverse(reversed.inputs.begin(), reversed.inputs.end());
    const std::vector<double> backward = reference(layer, reversed, Precision::kBf16);
    both.insert(both.end(), backward.begin(), backward.end());
    return both;
  }

  GpuProperties card_;
};

TEST_P(LstmOnGpu, IsTheDefinitionUpToRounding) {
  std::mt19937 random(7);
  for (const int units : {1, 7, 16, 37, 64, 65, 96, 100, 128, 150, 160, 161, 300, 768}) {
    if (GetParam() == GpuLstmKernel::kResident && units > kMostResidentUnits) continue;
    const Layer layer = make_layer(random, units, 0);
    const bool large = units > 300;  // the definition takes its time
    std::vector<Sequence> texts = make_sequences(random, layer, large ? 3 : 70, large ? 9 : 60);
    std::shuffle(texts.begin(), texts.end(), random);
    const auto found = maxima(layer, texts);
    double worst = 0;
    for (size_t t = 0; t < texts.size(); ++t) {
      const std::vector<double> want = expected(layer, texts[t]);
      for (size_t u = 0; u < want.size(); ++u)
        worst = std::max(worst, std::abs(found[t][u] - want[u]));
    }
    EXPECT_LT(worst, 6e-3) << units << " units";  // a state in bf16 is off by up to 2e-3
  }
}

TEST_P(LstmOnGpu, ACopysResultIsItsOwn) {
  std::mt19937 random(8);
  const Layer layer = make_layer(random, 150, 0);
  std::vector<Sequence> texts = make_sequences(random, layer, 200);
  const auto all = maxima(layer, texts);
  for (const size_t count : {1, 2, 63, 64, 65, 129}) {
    const std::vector<Sequence> last(texts.end() - static_cast<ptrdiff_t>(count), texts.end());
    const std::vector<std::vector<double>> same(all.end() - static_cast<ptrdiff_t>(count),
                                                all.end());
    EXPECT_EQ(maxima(layer, last), same) << count;
  }
}

TEST_P(LstmOnGpu, CutsCopiesToTheSlotsAndReadsAnEmptyOneAsPad) {
  std::mt19937 random(9);
  const Layer layer = make_layer(random, 20, 0);
  Sequence text = make_sequence(random, layer, 30), cut = text, pad, empty;
  cut.gates.resize(12);
  cut.inputs.resize(12);
  pad.gates = {std::vector<float>(80)};
  pad.inputs = {{}};
  EXPECT_EQ(maxima(layer, {text}, 12), maxima(layer, {cut}, 12));
  EXPECT_EQ(maxima(layer, {empty, text}, 12)[0], maxima(layer, {pad}, 12)[0]);
}

INSTANTIATE_TEST_SUITE_P(Kernels, LstmOnGpu,
                         ::testing::Values(GpuLstmKernel::kResident, GpuLstmKernel::kStreamed),
                         [](const auto& kernel) {
                           return kernel.param == GpuLstmKernel::kResident ? "resident"
                                                                           : "streamed";
                         });

}  // namespace
}  // namespace textcrs
