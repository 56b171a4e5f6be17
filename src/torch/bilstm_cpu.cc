#include "torch/bilstm_cpu.h"

#include <cblas.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "textcrs/base/parallel.h"
#include "torch/libtorch_threads.h"
#include "torch/lstm_gates.h"

namespace textcrs {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kShardRows = 64;  // rows of one recurrent product; fixes the order of additions

// The steps of one direction over packed rows: which step comes before which.
struct Timeline {
  explicit Timeline(const std::vector<int64_t>& sizes) : batch_sizes(sizes) {
    for (int64_t size : sizes) {
      offsets.push_back(rows);
      rows += size;
    }
  }
  int64_t steps() const { return static_cast<int64_t>(batch_sizes.size()); }
  int64_t copies() const { return batch_sizes[0]; }
  // The step the state comes from, -1 at the start.
  int64_t before(int64_t t, bool backwards) const {
    return backwards ? (t + 1 < steps() ? t + 1 : -1) : t - 1;
  }

  const std::vector<int64_t>& batch_sizes;
  std::vector<int64_t> offsets;
  int64_t rows = 0;
};

// Rows [first, first + count) of a direction's steps; independent of all other rows.
struct Shard {
  const Timeline& timeline;
  bool backwards;
  int64_t first, count;

  int64_t active(int64_t t) const {
    return t < 0 ? 0 : std::clamp<int64_t>(timeline.batch_sizes[t] - first, 0, count);
  }
  int64_t row(int64_t t) const { return timeline.offsets[t] + first; }
};

// Runs work(i), i < count, on threads of which each runs BLAS alone.
void run_tasks(int64_t count, int threads, const std::function<void(int64_t)>& work) {
  parallel_for(static_cast<size_t>(count), threads, [&](size_t i) {
    const LibTorchThreads alone(1);
    work(static_cast<int64_t>(i));
  });
}

void for_each_shard(const Timeline& timeline, int threads,
                    const std::function<void(const Shard&)>& work) {
  const int64_t shards = (timeline.copies() + kShardRows - 1) / kShardRows;
  run_tasks(2 * shards, threads, [&](int64_t task) {
    const int64_t first = task / 2 * kShardRows;
    work({timeline, task % 2 == 1, first, std::min(kShardRows, timeline.copies() - first)});
  });
}

// One direction's tensors; rows as packed.
struct Direction {
  float* gates;            // (R, 4H)
  float* cell;             // (R, H)
  float* hidden;           // (R, H)
  const float* weight_hh;  // (4H, H)
};

void run_forward(const Shard& shard, const Direction& d, int64_t units, float* best,
                 int32_t* best_time) {
  const int64_t steps = shard.timeline.steps();
  for (int64_t i = 0; i < steps; ++i) {
    const int64_t t = shard.backwards ? steps - 1 - i : i;
    const int64_t n = shard.active(t);
    if (n == 0) continue;
    const int64_t before = shard.timeline.before(t, shard.backwards);
    const int64_t carried = std::min(n, shard.active(before));
    const int64_t row = shard.row(t), row_before = before < 0 ? 0 : shard.row(before);
    if (carried > 0)
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, carried, 4 * units, units, 1.0f,
                  d.hidden + row_before * units, units, d.weight_hh, units, 1.0f,
                  d.gates + row * 4 * units, 4 * units);
    lstm_gates_forward({static_cast<int>(n), static_cast<int>(carried), static_cast<int>(units),
                        static_cast<int32_t>(t)},
                       d.gates + row * 4 * units, d.cell + row_before * units, d.cell + row * units,
                       d.hidden + row * units, best, best_time);
  }
}

// Leaves the gradients of the pre-activations in d.gates and the hidden state before each row in
// `previous` (R, H).
void run_backward(const Shard& shard, const Direction& d, int64_t units, const float* d_best,
                  const int32_t* best_time, float* previous) {
  const int64_t steps = shard.timeline.steps();
  std::vector<float> d_hidden(shard.count * units), d_cell(shard.count * units);
  for (int64_t i = 0; i < steps; ++i) {
    const int64_t t = shard.backwards ? i : steps - 1 - i;
    const int64_t n = shard.active(t);
    if (n == 0) continue;
    const int64_t before = shard.timeline.before(t, shard.backwards);
    const int64_t carried = std::min(n, shard.active(before));
    const int64_t row = shard.row(t), row_before = before < 0 ? 0 : shard.row(before);
    lstm_gates_backward({static_cast<int>(n), static_cast<int>(carried), static_cast<int>(units),
                         static_cast<int32_t>(t)},
                        d.gates + row * 4 * units, d.cell + row_before * units,
                        d.cell + row * units, d_hidden.data(), d_cell.data(), d_best, best_time);
    std::copy_n(d.hidden + row_before * units, carried * units, previous + row * units);
    std::fill_n(previous + (row + carried) * units, (n - carried) * units, 0.0f);
    if (carried > 0)
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, carried, units, 4 * units, 1.0f,
                  d.gates + row * 4 * units, 4 * units, d.weight_hh, units, 0.0f, d_hidden.data(),
                  units);
  }
}

class BiLstmMaxPool : public torch::autograd::Function<BiLstmMaxPool> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& words,
                            const std::vector<int64_t>& batch_sizes, const at::Tensor& ih,
                            const at::Tensor& hh, const at::Tensor& bias_ih,
                            const at::Tensor& bias_hh, const at::Tensor& ih_back,
                            const at::Tensor& hh_back, const at::Tensor& bias_ih_back,
                            const at::Tensor& bias_hh_back, int64_t threads) {
    const at::Tensor weights[8] = {ih,      hh.contiguous(),      bias_ih,      bias_hh,
                                   ih_back, hh_back.contiguous(), bias_ih_back, bias_hh_back};
    const Timeline timeline(batch_sizes);
    const int64_t units = weights[1].size(1), copies = timeline.copies();
    at::Tensor gates[2], cell[2], hidden[2], best[2], best_time[2];
    run_tasks(2, static_cast<int>(threads), [&](int64_t d) {
      const at::NoGradGuard no_grad;
      gates[d] = at::addmm(weights[4 * d + 2] + weights[4 * d + 3], words, weights[4 * d].t());
      cell[d] = at::empty({timeline.rows, units}, at::kFloat);
      hidden[d] = at::empty({timeline.rows, units}, at::kFloat);
      best[d] = at::full({copies, units}, -std::numeric_limits<float>::infinity(), at::kFloat);
      best_time[d] = at::zeros({copies, units}, at::kInt);
    });
    for_each_shard(timeline, static_cast<int>(threads), [&](const Shard& shard) {
      const int d = shard.backwards;
      run_forward(shard,
                  {gates[d].data_ptr<float>(), cell[d].data_ptr<float>(),
                   hidden[d].data_ptr<float>(), weights[4 * d + 1].data_ptr<float>()},
                  units, best[d].data_ptr<float>() + shard.first * units,
                  best_time[d].data_ptr<int32_t>() + shard.first * units);
    });
    if (context != nullptr) {
      context->save_for_backward({words, weights[0], weights[1], weights[4], weights[5]});
      for (int d = 0; d < 2; ++d) {
        const std::string suffix = std::to_string(d);
        context->saved_data["gates" + suffix] = gates[d];
        context->saved_data["cell" + suffix] = cell[d];
        context->saved_data["hidden" + suffix] = hidden[d];
        context->saved_data["best_time" + suffix] = best_time[d];
      }
      context->saved_data["batch_sizes"] = batch_sizes;
      context->saved_data["threads"] = threads;
    }
    return at::cat({best[0], best[1]}, 1);
  }

  static variable_list backward(AutogradContext* context, variable_list outputs) {
    const std::vector<int64_t> batch_sizes = context->saved_data["batch_sizes"].toIntVector();
    const Timeline timeline(batch_sizes);
    const auto threads = static_cast<int>(context->saved_data["threads"].toInt());
    const variable_list saved = context->get_saved_variables();
    const at::Tensor& words = saved[0];
    const int64_t units = saved[2].size(1);
    at::Tensor gates[2], cell[2], hidden[2], best_time[2], previous[2], d_best[2];
    for (int d = 0; d < 2; ++d) {
      const std::string suffix = std::to_string(d);
      gates[d] = context->saved_data["gates" + suffix].toTensor();
      cell[d] = context->saved_data["cell" + suffix].toTensor();
      hidden[d] = context->saved_data["hidden" + suffix].toTensor();
      best_time[d] = context->saved_data["best_time" + suffix].toTensor();
      previous[d] = at::empty_like(hidden[d]);
      d_best[d] = outputs[0].narrow(1, d * units, units).contiguous();
    }
    for_each_shard(timeline, threads, [&](const Shard& shard) {
      const int d = shard.backwards;
      run_backward(shard,
                   {gates[d].data_ptr<float>(), cell[d].data_ptr<float>(),
                    hidden[d].data_ptr<float>(), saved[2 * d + 2].data_ptr<float>()},
                   units, d_best[d].data_ptr<float>() + shard.first * units,
                   best_time[d].data_ptr<int32_t>() + shard.first * units,
                   previous[d].data_ptr<float>());
    });
    variable_list gradients(11);
    if (words.requires_grad())
      gradients[0] = at::mm(gates[0], saved[1]) + at::mm(gates[1], saved[3]);
    run_tasks(2, threads, [&](int64_t d) {
      const at::NoGradGuard no_grad;
      const at::Tensor transposed = gates[d].t();
      gradients[2 + 4 * d] = at::mm(transposed, words);
      gradients[3 + 4 * d] = at::mm(transposed, previous[d]);
      gradients[4 + 4 * d] = gates[d].sum(0);
      gradients[5 + 4 * d] = gradients[4 + 4 * d];
    });
    return gradients;
  }
};

}  // namespace

at::Tensor bilstm_max_pool_cpu(const at::Tensor& words, const std::vector<int64_t>& batch_sizes,
                               const std::vector<at::Tensor>& weights, int threads) {
  const auto& w = weights;
  return at::GradMode::is_enabled()
             ? BiLstmMaxPool::apply(words, batch_sizes, w[0], w[1], w[2], w[3], w[4], w[5], w[6],
                                    w[7], int64_t{threads})
             : BiLstmMaxPool::forward(nullptr, words, batch_sizes, w[0], w[1], w[2], w[3], w[4],
                                      w[5], w[6], w[7], threads);
}

}  // namespace textcrs
