// Noisy copies that go through a model together.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stream.h"
#include "textcrs/text/vocabulary.h"

namespace TEXTCRS_API textcrs {

struct CopyBatch {
  std::vector<std::vector<WordId>> copies;
  // With sigma > 0, N(0, sigma^2) is added to every coordinate of every slot of copy i, drawn from
  // gaussians[i] slot by slot.
  double sigma = 0;
  std::vector<Stream> gaussians = {};
  // The own words of the text that copy i was made of (textcrs/text/vocabulary.h); empty if no copy
  // has any. Not owned.
  std::vector<std::span<const std::string>> own = {};
};

// Some neighbouring copies of a batch. One with a Gaussian, or own words, for some of its copies
// only is a std::logic_error.
struct CopyView {
  std::span<const std::vector<WordId>> copies;
  double sigma = 0;
  std::span<const Stream> gaussians;
  std::span<const std::span<const std::string>> own;

  CopyView() = default;
  CopyView(const CopyBatch& batch)  // NOLINT(google-explicit-constructor): a view of the whole
      : copies(batch.copies), sigma(batch.sigma), gaussians(batch.gaussians), own(batch.own) {
    if ((sigma > 0 || !gaussians.empty()) && gaussians.size() != copies.size())
      throw std::logic_error("CopyBatch: one Gaussian stream per copy is needed");
    if (!own.empty() && own.size() != copies.size())
      throw std::logic_error("CopyBatch: the own words of every copy are needed");
  }

  size_t size() const { return copies.size(); }
  std::span<const std::string> own_of(size_t copy) const {
    return own.empty() ? std::span<const std::string>() : own[copy];
  }
  CopyView part(size_t first, size_t count) const {
    CopyView view = *this;
    view.copies = copies.subspan(first, count);
    if (!gaussians.empty()) view.gaussians = gaussians.subspan(first, count);
    if (!own.empty()) view.own = own.subspan(first, count);
    return view;
  }
};

}  // namespace textcrs
