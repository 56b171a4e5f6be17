#include "textcrs/engine/sentence_encoder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "engine/pretrained_encoder.h"

namespace textcrs {
namespace {

// The mean of rows (rows, vector.size()), at length 1.
void pool(std::span<const float> rows, std::span<float> vector) {
  std::vector<double> sum(vector.size());
  for (size_t i = 0; i < rows.size(); i += sum.size())
    for (size_t d = 0; d < sum.size(); ++d) sum[d] += rows[i + d];
  double square = 0;
  for (const double x : sum) square += x * x;
  const double length = std::sqrt(square);
  for (size_t d = 0; d < sum.size(); ++d)
    vector[d] = static_cast<float>(length > 0 ? sum[d] / length : 0);
}

void check_sizes(std::span<const float> a, std::span<const float> b) {
  if (a.size() != b.size())
    throw std::logic_error("the vectors of two texts have different widths");
}

}  // namespace

struct SentenceEncoder::Parts {
  PretrainedEncoder encoder;
  size_t longest;
  std::string fingerprint;
};

SentenceEncoder::SentenceEncoder(const std::filesystem::path& folder, const EngineOptions& options,
                                 int longest) {
  if (longest < 3) throw std::logic_error("SentenceEncoder: longest is below 3");
  const Isa isa = parse_isa(options.isa, options.precision);
  PretrainedEncoder encoder(PretrainedBert(folder, /*seed=*/1), isa, options.precision);
  longest = std::min(longest, encoder.positions());
  std::string fingerprint =
      fmt::format("{} {} {}", encoder.fingerprint(), to_string(options.precision), longest);
  parts_ = std::make_unique<const Parts>(
      Parts{std::move(encoder), static_cast<size_t>(longest), std::move(fingerprint)});
}

SentenceEncoder::~SentenceEncoder() = default;

int SentenceEncoder::width() const { return static_cast<int>(parts_->encoder.width()); }

const std::string& SentenceEncoder::fingerprint() const { return parts_->fingerprint; }

std::vector<float> SentenceEncoder::encode(std::span<const std::vector<std::string>> texts) const {
  const auto& [encoder, longest, fingerprint] = *parts_;
  const size_t width = encoder.width();
  std::vector<float> vectors(texts.size() * width);
  PretrainedEncoder::Work work;
  for (size_t begin = 0, end = 0; begin < texts.size(); begin = end) {
    work.clear();
    for (; end < texts.size() && work.rows() < CpuBertEncoder::kRowsAtATime; ++end) {
      std::vector<int32_t> pieces =
          encoder.wordpiece().encode(fmt::to_string(fmt::join(texts[end], " ")));
      if (pieces.size() > longest) {
        pieces.resize(longest);
        pieces.back() = encoder.wordpiece().sep();
      }
      encoder.add(pieces, work);
    }
    encoder.run(work);
    for (size_t k = begin; k < end; ++k) {
      const size_t first = work.starts[k - begin], last = work.starts[k - begin + 1];
      pool(std::span(work.states).subspan(first * width, (last - first) * width),
           std::span(vectors).subspan(k * width, width));
    }
  }
  return vectors;
}

double cosine_similarity(std::span<const float> a, std::span<const float> b) {
  check_sizes(a, b);
  double product = 0;
  for (size_t d = 0; d < a.size(); ++d) product += static_cast<double>(a[d]) * b[d];
  return std::clamp(product, -1.0, 1.0);
}

// By the lengths of difference and sum, which is exact where the arc cosine is not: at small
// angles.
double angular_similarity(std::span<const float> a, std::span<const float> b) {
  check_sizes(a, b);
  double apart = 0, together = 0;
  for (size_t d = 0; d < a.size(); ++d) {
    const double x = a[d], y = b[d];
    apart += (x - y) * (x - y);
    together += (x + y) * (x + y);
  }
  return 1 - 2 * std::atan2(std::sqrt(apart), std::sqrt(together)) / std::numbers::pi;
}

}  // namespace textcrs
