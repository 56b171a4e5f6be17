#include "page/page_data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "page/html.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

ordered_json radius_to_json(double radius) {
  if (std::isinf(radius)) return nullptr;
  if (radius == std::floor(radius)) return static_cast<int64_t>(radius);
  return std::floor(radius * 1e6) / 1e6;
}

ordered_json curves_to_json(const std::vector<StepCurve>& curves) {
  ordered_json list = ordered_json::array();
  for (const StepCurve& curve : curves) {
    ordered_json json = {{"operation", to_string(curve.operation)},
                         {"unit", curve.unit},
                         {"of", curve.all},
                         {"radii", ordered_json::array()},
                         {"texts", curve.texts}};
    for (const double radius : curve.radii) json["radii"].push_back(radius_to_json(radius));
    list.push_back(std::move(json));
  }
  return list;
}

ordered_json calibration_to_json(const std::vector<CalibrationBin>& bins) {
  ordered_json list = ordered_json::array();
  for (const CalibrationBin& bin : bins)
    list.push_back({{"from", bin.from},
                    {"to", bin.to},
                    {"texts", bin.texts},
                    {"right", bin.right},
                    {"pa", bin.mean_pa}});
  return list;
}

int state_of(const Certification& certification) {
  if (certification.abstained) return 1;
  return certification.by_fallback ? 2 : 0;
}

// The columns but for the texts themselves.
ordered_json columns_of(const RunView& view) {
  std::map<std::string, int> numbers;
  for (size_t i = 0; i < view.classes.size(); ++i) numbers[view.classes[i]] = static_cast<int>(i);
  const auto& records = view.run.records;
  const bool votes = view.description.is_smoothed() && view.classes.size() <= 20;
  const bool keys = std::any_of(records.begin(), records.end(),
                                [](const Record& record) { return record.key.has_value(); });
  ordered_json json = {{"id", ordered_json::array()}};
  for (const char* name : {"answer", "state", "words", "said"}) json[name] = ordered_json::array();
  for (const Record& record : records) {
    const Certification& c = record.certification;
    json["id"].push_back(record.id);
    if (keys) json["key"].push_back(record.key.value_or(""));
    if (view.labelled) json["label"].push_back(record.label ? numbers.at(*record.label) : -1);
    json["answer"].push_back(numbers.at(record.prediction));
    json["state"].push_back(state_of(c));
    json["words"].push_back(record.words);
    if (view.description.is_smoothed()) json["pa"].push_back(std::floor(c.bounds.pa * 1e4) / 1e4);
    if (votes) json["votes"].push_back(c.counts);
  }
  for (const std::string& said : view.said) json["said"].push_back(prose(said));
  json["radii"] = ordered_json::array();
  for (const StepCurve& curve : view.sound) {
    ordered_json column = {{"operation", to_string(curve.operation)}, {"unit", curve.unit}};
    for (const Record& record : records)
      column["values"].push_back(
          radius_to_json(radius_of(record, record.certification.sound, curve.operation)));
    json["radii"].push_back(std::move(column));
  }
  return json;
}

// At most what a part of a text takes in the page (script_json).
size_t bytes_in_page(std::string_view text) {
  size_t bytes = 0;
  for (const char letter : text) {
    const bool escaped = static_cast<unsigned char>(letter) < 0x20 || letter == '<' ||
                         letter == '>' || letter == '&' || letter == '\xE2';
    bytes += escaped ? 6 : letter == '"' || letter == '\\' ? 2 : 1;
  }
  return bytes;
}

// The longest cut with which the texts of all runs take at most so many bytes.
size_t cut_for(const std::vector<PageRun>& runs, size_t bytes) {
  for (size_t length = kLongestText; length > kShortestText; length = length * 4 / 5) {
    size_t sum = 0;
    for (const PageRun& run : runs)
      for (const Record& record : run.view.run.records)
        if (record.text) sum += bytes_in_page(std::string_view(*record.text).substr(0, length)) + 8;
    if (sum <= bytes) return length;
  }
  return kShortestText;
}

}  // namespace

ordered_json page_data(const std::vector<PageRun>& runs, size_t taken) {
  ordered_json list = ordered_json::array();
  size_t texts_of_all = 0;
  for (const PageRun& run : runs) {
    const RunView& view = run.view;
    ordered_json json = {{"name", view.name},
                         {"unit", view.summary.unit},
                         {"classes", view.classes},
                         {"labelled", view.labelled}};
    json["curves"] = {{"sound", curves_to_json(view.sound)}, {"paper", curves_to_json(view.paper)}};
    json["calibration"] = calibration_to_json(view.calibration);
    json["texts"] = columns_of(view);
    taken += script_json(json).size();
    texts_of_all += view.run.records.size();
    list.push_back(std::move(json));
  }
  const size_t beyond = texts_of_all - std::min(texts_of_all, kManyTexts);
  const size_t most = kMostBytes + kBytesPerTextBeyond * beyond;
  const size_t length = cut_for(runs, most - std::min(most, taken));
  for (size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].view.has_texts()) continue;
    ordered_json& texts = list[i]["texts"]["text"] = ordered_json::array();
    for (const Record& record : runs[i].view.run.records) {
      const std::string text = record.text.value_or("");
      if (text.size() > length) list[i]["cut"] = length;
      texts.push_back(start_of(text, length));
    }
  }
  return {{"runs", std::move(list)}};
}

}  // namespace textcrs
