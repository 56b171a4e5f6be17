// The CNN on the CPU: a table of what every word adds to the windows (kernels/cnn.h).
#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "engine/cpu_model.h"
#include "engine/cpu_slot_map.h"
#include "engine/linear_head.h"
#include "engine/word_rows.h"
#include "kernels/cnn.h"
#include "kernels/normals.h"
#include "textcrs/noise/noise.h"

namespace textcrs {
namespace {

CnnFilters make_filters(const Classifier& classifier, Isa isa) {
  std::array<std::vector<float>, kCnnWidths.size()> weights, biases;
  std::array<CnnFilters::Width, kCnnWidths.size()> widths;
  for (size_t i = 0; i < widths.size(); ++i) {
    const std::string name = "conv" + std::to_string(kCnnWidths[i]);
    weights[i] = values_of(classifier, name + ".weight");
    biases[i] = values_of(classifier, name + ".bias");
    widths[i] = {weights[i], biases[i]};
  }
  return {isa, static_cast<int>(biases[0].size()), classifier.config().dimension, widths};
}

class CpuCnn : public CpuModel {
 public:
  CpuCnn(const Classifier& classifier, Isa isa)
      : isa_(isa),
        slots_(static_cast<size_t>(classifier.config().slots)),
        dimension_(static_cast<size_t>(classifier.config().dimension)),
        no_word_(classifier.vocabulary().size()),
        vectors_(values_of(classifier, classifier.config().kind().embedding)),
        slot_map_(classifier, isa, Precision::kFp32),
        filters_(make_filters(classifier, isa)),
        head_(classifier),
        rows_(no_word_ + 1, static_cast<size_t>(filters_.row_size()),
              [this](WordId word, float* row) { make_row(word, row); }) {}

  void score(const CopyView& copies, std::span<double> scores) const override {
    check_scores(copies, head_.classes(), scores);
    // Noise is drawn for one copy at a time: it is much larger than the copy.
    const size_t at_a_time = copies.sigma > 0 ? 1 : kAtATime;
    Work work;
    for (size_t begin = 0; begin < copies.size(); begin += at_a_time) {
      const CopyView some = copies.part(begin, std::min(at_a_time, copies.size() - begin));
      look_up(some, work);
      if (some.sigma > 0) draw(some.copies[0], some.gaussians[0], some.sigma, work);
      filter(work);
      const auto features = static_cast<size_t>(filters_.features());
      for (size_t k = 0; k < some.size(); ++k)
        head_.score({work.features.data() + k * features, features},
                    scores.subspan((begin + k) * head_.classes(), head_.classes()));
    }
  }

 private:
  static constexpr size_t kAtATime = 128;

  // The buffers of one call.
  struct Work {
    std::vector<int> lengths;
    std::vector<const float*> rows;           // of the words of all copies
    std::vector<const float* const*> starts;  // of the copies in `rows`
    std::vector<float> noise, features;
    AlignedBytes scratch;
    CpuSlotMap::Work of_map;
  };

  std::span<const float> vector(WordId word) const {
    return vectors_.subspan(static_cast<size_t>(word) * dimension_, dimension_);
  }

  void make_row(WordId word, float* row) const {
    std::vector<float> mapped(dimension_);
    if (word != no_word_) {
      const std::span<const float> from = vector(word);
      std::copy(from.begin(), from.end(), mapped.begin());
      CpuSlotMap::Work work;
      slot_map_.apply(mapped, work);
    }
    filters_.make_row(mapped, row);
  }

  // A noisy vector is multiplied as it comes, so its row is that of no word.
  void look_up(const CopyView& copies, Work& work) const {
    const bool noisy = copies.sigma > 0;
    work.lengths.clear();
    work.rows.clear();
    for (const Words& copy : copies.copies) {
      const size_t length = std::min(copy.size(), slots_);
      for (size_t s = 0; s < length; ++s) work.rows.push_back(rows_.of(noisy ? no_word_ : copy[s]));
      if (length == 0) work.rows.push_back(rows_.of(noisy ? no_word_ : kPad));
      work.lengths.push_back(static_cast<int>(std::max<size_t>(length, 1)));
    }
    work.starts.clear();
    const float* const* start = work.rows.data();
    for (const int length : work.lengths) {
      work.starts.push_back(start);
      start += length;
    }
  }

  // The noisy vectors of a copy, through the map of the slots. The certificate
  // (docs/certificates.md, B5) needs a classifier of vector + noise, so the sum goes on as a whole.
  void draw(const Words& copy, const Stream& gaussian, double sigma, Work& work) const {
    const size_t slots = work.rows.size();
    work.noise.resize(slots * dimension_);
    normals_at(isa_, gaussian, 0, work.noise);
    for (size_t s = 0; s < slots; ++s) {
      const std::span<const float> from = vector(copy.empty() ? kPad : copy[s]);
      float* const noisy = work.noise.data() + s * dimension_;
      for (size_t d = 0; d < dimension_; ++d)
        noisy[d] = from[d] + static_cast<float>(sigma) * noisy[d];
    }
    slot_map_.apply(work.noise, work.of_map);
  }

  // With noise in the work, there is one copy in it.
  void filter(Work& work) const {
    work.features.resize(work.lengths.size() * static_cast<size_t>(filters_.features()));
    const float* const noise = work.noise.data();
    CnnTexts texts;
    texts.count = static_cast<int>(work.lengths.size());
    texts.lengths = work.lengths.data();
    texts.rows = work.starts.data();
    texts.noise = work.noise.empty() ? nullptr : &noise;
    texts.features = work.features.data();
    filters_.run(texts, work.scratch);
  }

  Isa isa_;
  size_t slots_, dimension_;
  WordId no_word_;                  // the row of the zero vector is its
  std::span<const float> vectors_;  // (V, D), the classifier's
  CpuSlotMap slot_map_;
  CnnFilters filters_;
  LinearHead head_;
  WordRows rows_;
};

}  // namespace

// The precision changes nothing: no product is left at run time but those with noisy vectors, of
// the slots' map and the filters, which are computed in fp32.
std::unique_ptr<CpuModel> make_cpu_cnn(const Classifier& classifier, Isa isa, Precision) {
  return std::make_unique<CpuCnn>(classifier, isa);
}

}  // namespace textcrs
