#include "assumptions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "textcrs/base/counted.h"

namespace textcrs::cli {

std::vector<std::string> assumptions(const CertificateFlags& flags, const WordNeeds& needs,
                                     const GivenCertificate& given, std::optional<int> words) {
  std::vector<std::string> list = {fmt::format(
      "pA and pB, which are given and not measured, hold for the text under the noise{}",
      flags.has_model() ? " and the model" : "")};
  if (const std::string& noise = given.certificate().noise();
      noise.starts_with("insert") || noise.starts_with("gaussian"))
    list.push_back("the Gaussian is one of real numbers (the program draws it in float32)");
  if (words)
    list.push_back(fmt::format("the model cuts the text into {}", counted(*words, "word")));
  if (flags.has_model()) return list;
  if (!words)
    list.push_back("words are cut as the lstm and cnn models cut them (a bert cuts otherwise)");
  if (given.certificate().reads_slots())
    list.push_back(fmt::format("the model has {}", counted(given.slots(), "slot")));
  if (!needs.stop_words.empty())
    list.push_back(fmt::format("the model's stop words are those of {}", needs.stop_words));
  if (needs.vectors)
    list.push_back(fmt::format("the model knows every word of the text and has the vectors of {}",
                               flags.words.vectors));
  if (needs.neighbours)
    list.push_back(
        "it knows the most frequent words of these vectors, whose neighbours are counted");
  if (needs.synonyms)
    list.push_back(fmt::format("the noise draws from {}, and the model knows every word of it",
                               flags.words.synonyms.source));
  return list;
}

std::string in_words(const std::vector<std::string>& assumptions) {
  return fmt::format("assumes: {}\n", fmt::join(assumptions, "; "));
}

}  // namespace textcrs::cli
