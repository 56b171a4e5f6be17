// The paper's theorem 5, Bernoulli deletion: docs/certificates.md, A.
#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "certify/by_bounds.h"
#include "certify/certificates.h"
#include "certify/text_difference.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {
namespace {

// The largest z with C(n,z) p^z (1-p)^(n-z) <= limit, -1 if there is none. The binomial rises up to
// its mode and falls from there: z = n has the smallest value right of the mode, and if that is too
// large the answer lies on the left, found by bisection with logarithms and settled without them.
int largest_rare_count(int n, double p, double limit) {
  if (std::pow(static_cast<long double>(p), n) <= limit) return n;
  const double all = boost::math::lgamma(n + 1.0);
  const auto seems_rare = [&](int z) {
    const double ways = all - boost::math::lgamma(z + 1.0) - boost::math::lgamma(n - z + 1.0);
    return ways + z * std::log(p) + (n - z) * std::log1p(-p) <= std::log(limit);
  };
  const int mode = std::min(n, static_cast<int>((n + 1) * p));
  int low = -1, high = mode;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (seems_rare(middle) ? low : high) = middle;
  }
  const boost::math::binomial binomial(n, p);
  const auto rare = [&](int z) { return boost::math::pdf(binomial, z) <= limit; };
  while (low >= 0 && !rare(low)) --low;
  while (low + 1 < mode && rare(low + 1)) ++low;
  return low;
}

// The largest d <= n with C(z,1), .., C(z,d) all <= pA/pB.
int largest_deletion(int n, int z, Bounds bounds) {
  long double choose = 1;  // C(z,d); exact up to 2^64, and infinite far above any pA/pB
  int d = 0;
  while (d < n) {
    choose = choose * std::max(0, z - d) / (d + 1);
    if (!(choose * bounds.pb <= bounds.pa)) break;
    ++d;
  }
  return d;
}

class TextUnderPaperDeletion final : public TextCertificate {
 public:
  // p: as sampled; slots: n.
  TextUnderPaperDeletion(Text text, double p, bool shuffled, int slots)
      : TextCertificate(text), p_(p), shuffled_(shuffled), slots_(slots) {}

 private:
  int most_deleted(Bounds bounds) const {
    return radii_.at(bounds, [&] { return radius(bounds); });
  }

  // At pB = 0 the ratio pA/pB is infinite and every word may go; where no z satisfies the theorem's
  // second condition the theorem says nothing, and the radius is 0. A text loses at most its words.
  int radius(Bounds bounds) const {
    int deleted = slots_;
    if (bounds.pb > 0) {
      const int z = largest_rare_count(slots_, p_, bounds.pb);
      deleted = z < 0 ? 0 : largest_deletion(slots_, z, bounds);
    }
    return std::min(deleted, words());
  }

  CertifiedSet promise(Bounds bounds) const override {
    CertifiedSet set;
    set.guarantees.push_back(
        {Operation::kDeletion, kUnitWords, static_cast<double>(most_deleted(bounds))});
    if (shuffled_)  // theorem 2 with lambda = n
      set.guarantees.push_back(
          {Operation::kReordering, kUnitDisplacement, slots_ * (bounds.pa - bounds.pb)});
    return set;
  }

  // Deletions alone. Behind the full shuffle the order is not looked at: theorem 5 bounds the
  // displacement too, but the noise has the same law for every order.
  Coverage compare(Bounds bounds, Text edited) const override {
    if (same_text(text(), edited)) return the_same_text(Operation::kDeletion);
    const Difference difference =
        shuffled_ ? multiset_difference(text(), edited) : ordered_difference(text(), edited);
    if (difference.none()) return another_order(Operation::kDeletion);
    if (difference.gained > 0)
      return {false, Operation::kDeletion, in_words(difference) + "; words may be lost only"};
    const int most = most_deleted(bounds);
    return {difference.lost <= most, Operation::kDeletion,
            fmt::format("{}; {} may be", in_words(difference), up_to(most))};
  }

  double p_;
  bool shuffled_;
  int slots_;
  ByBounds<int> radii_;
};

class PaperDeletion final : public Certificate {
 public:
  PaperDeletion(std::string noise, const DeletionParameters& parameters, int slots)
      : Certificate(CertificateMode::kPaper, std::move(noise)),
        parameters_(parameters),
        slots_(slots) {}

  std::vector<Operation> operations() const override {
    std::vector<Operation> all = {Operation::kDeletion};
    if (parameters_.shuffled) all.push_back(Operation::kReordering);
    return all;
  }

  bool reads_slots() const override { return true; }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderPaperDeletion>(text, sampled_probability(parameters_.p),
                                                    parameters_.shuffled, slots_);
  }

  DeletionParameters parameters_;
  int slots_;  // n
};

}  // namespace

// The theorem knows no stop words.
CertificatePtr paper_deletion(const CertificateRequest& request) {
  const DeletionParameters parameters = DeletionParameters::parse(request.spec);
  if (!parameters.stop.empty()) return nullptr;
  return std::make_unique<PaperDeletion>(request.text, parameters, request.context.slots);
}

}  // namespace textcrs
