#include "textcrs/train/teacher.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "engine/draw_copies.h"
#include "textcrs/base/error.h"
#include "textcrs/engine/engine.h"
#include "textcrs/train/prepare.h"

namespace textcrs {
namespace {

void check_teacher(const ModelConfig& teacher) {
  if (teacher.kind().casts_votes || teacher.units == Units::kSentences)
    throw usage_error(fmt::format(
        "a teacher's scores must be log probabilities; those of {} are votes",
        teacher.units == Units::kSentences ? "sentences" : "a " + teacher.architecture + " model"));
}

// Where the teacher has each of the classes.
std::vector<size_t> places_of(const std::vector<std::string>& classes,
                              const std::vector<std::string>& teachers) {
  std::vector<size_t> places;
  for (const std::string& name : classes) {
    const auto found = std::find(teachers.begin(), teachers.end(), name);
    if (found == teachers.end() || classes.size() != teachers.size())
      throw usage_error(fmt::format("the teacher's classes are {}, expected those of the texts: {}",
                                    fmt::join(teachers, ", "), fmt::join(classes, ", ")));
    places.push_back(static_cast<size_t>(found - teachers.begin()));
  }
  return places;
}

}  // namespace

double ask_teacher(const Classifier& teacher, const Dataset& data, std::vector<EncodedText>& texts,
                   int threads, StopToken stop) {
  if (texts.size() != data.examples.size())
    throw std::logic_error("ask_teacher: the texts are not those of the data");
  check_teacher(teacher.config());
  const std::vector<size_t> places = places_of(data.classes, teacher.config().classes);
  const auto engine =
      make_cpu_engine(teacher, {.threads = threads, .precision = teacher.config().precision});
  const std::vector<EncodedText> read = encode_all(data, teacher);
  const auto clean = make_noise(kNoNoise);
  size_t right = 0;
  for (size_t first = 0; first < read.size();) {
    stop.check();
    const size_t end = std::min<size_t>(read.size(), first + engine->part_size());
    std::vector<TextSamples> part;
    for (size_t i = first; i < end; ++i)
      part.push_back({read[i].text(), {.example = read[i].id, .begin = 0, .end = 1}});
    CopyBatch batch;
    SampleList(part, *clean).draw(0, part.size(), batch);
    const std::vector<double> scores = engine->scores(batch);
    const std::vector<int> answers = highest(scores, places.size());
    for (size_t i = first; i < end; ++i) {
      const double* row = scores.data() + (i - first) * places.size();
      texts[i].teacher.clear();
      for (const size_t place : places) texts[i].teacher.push_back(static_cast<float>(row[place]));
      right +=
          static_cast<size_t>(answers[i - first]) == places.at(static_cast<size_t>(texts[i].label));
    }
    first = end;
  }
  return read.empty() ? 0 : static_cast<double>(right) / static_cast<double>(read.size());
}

}  // namespace textcrs
