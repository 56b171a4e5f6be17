#include "textcrs/noise/noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "noise/kinds.h"
#include "noise/noise_name.h"
#include "textcrs/base/nearest_name.h"

namespace textcrs {
namespace {

struct Registered {
  NoiseKind kind;
  std::unique_ptr<Noise> (*make)(const Spec&, const NoiseContext&);
};

const std::vector<Registered>& registry() {
  static const std::vector<Registered> noises = {
      {{"none", "none", "the text as it is"}, make_none},
      {{"substitute",
        "substitute:kernel=uniform|staircase|cluster|graph[,size=S][,eps=E][,reach=R]",
        "each word becomes itself or a synonym"},
       make_substitute},
      {{"reorder", "reorder:full | reorder:block=L[,order=shuffled|sorted] | reorder:groups=L",
        "words change places: all of them, inside blocks at a random offset, or inside random "
        "groups"},
       make_reorder},
      {{"insert", "insert:sigma=S",
        "all slots of the model shuffled, and Gaussian noise on every embedding coordinate"},
       make_insert},
      {{"gaussian", "gaussian:sigma=S",
        "Gaussian noise on every embedding coordinate of every word; the words stay in place"},
       make_gaussian},
      {{"delete", "delete:p=P[,order=kept|shuffled][,stop=LIST]",
        "each word is removed with probability P, a stop word always, and the others close up"},
       make_delete},
      {{"universal", "universal:p=P[,stop=LIST]",
        "each word is removed with probability P, a stop word always, and the others are shuffled"},
       make_delete},
      {{"adapt", "adapt:keep=K[,least=P][,most=P][,growth=G][,order=kept|shuffled]",
        "each word is removed with a probability that leaves about K words of a text, whatever its "
        "length, and the others close up"},
       make_adapt},
      {{"mask", "mask:p=P", "each word is replaced by <mask> with probability P"}, make_mask},
      {{"hash", "hash:buckets=K,functions=T",
        "the words that one of T fixed hash functions puts in one of K buckets, in a fixed order"},
       make_hash},
  };
  return noises;
}

}  // namespace

void Noise::sample_bag(Text text, const Stream& fresh, Words& out) const {
  Stream stream = fresh;
  sample(text, stream, out);
}

double Noise::law_size(Text) const { return std::numeric_limits<double>::infinity(); }

void Noise::outcome(Text, uint64_t, Words&) const {
  throw std::logic_error("Noise::outcome: " + spec() + " does not enumerate its outcomes");
}

const std::vector<NoiseKind>& noise_kinds() {
  static const std::vector<NoiseKind> kinds = [] {
    std::vector<NoiseKind> list;
    for (const Registered& noise : registry()) list.push_back(noise.kind);
    return list;
  }();
  return kinds;
}

void check_noise_name(const Spec& spec) {
  std::vector<std::string> known;
  for (const NoiseKind& kind : noise_kinds()) known.push_back(kind.name);
  if (std::find(known.begin(), known.end(), spec.name()) != known.end()) return;
  spec.fail(fmt::format("unknown noise '{}', expected one of: {}{}", spec.name(),
                        fmt::join(known, ", "), did_you_mean(spec.name(), known)));
}

int slots_of(const Spec& spec, const NoiseContext& context) {
  if (context.slots < 1)
    spec.fail(fmt::format("the model has {} slots, expected at least 1", context.slots));
  return context.slots;
}

std::unique_ptr<Noise> make_noise(std::string_view text, const NoiseContext& context) {
  const Spec spec = Spec::parse(text);
  check_noise_name(spec);
  const auto noise = std::find_if(registry().begin(), registry().end(), [&](const Registered& one) {
    return one.kind.name == spec.name();
  });
  return noise->make(spec, context);
}

}  // namespace textcrs
