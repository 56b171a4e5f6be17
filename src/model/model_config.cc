#include "textcrs/model/model_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/intervals_complaint.h"
#include "text/json.h"
#include "text/json_value.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs {

using nlohmann::ordered_json;

constexpr int kFormatVersion = 1;

std::optional<std::string> units_complaint(const ModelConfig& config) {
  if (config.units == Units::kWords) return std::nullopt;
  if (config.kind().casts_votes)
    return fmt::format("units is {}, expected words: a {} model has no network that reads {}",
                       to_string(config.units), config.architecture, to_string(config.units));
  if (!config.canonical.empty())
    return fmt::format(
        "canonical is {}, expected none: another word of a cluster may cut {} "
        "otherwise",
        config.canonical, to_string(config.units));
  if (config.noise != "none")
    return fmt::format("noise is {}, expected none: {} vote without noise", config.noise,
                       to_string(config.units));
  return std::nullopt;
}

void ModelConfig::save(const std::filesystem::path& path) const {
  ordered_json json = {{"format", "textcrs-model"},
                       {"format_version", kFormatVersion},
                       {"architecture", architecture},
                       {"dimension", dimension},
                       {"hidden", hidden},
                       {"slots", slots},
                       {"input_dropout", input_dropout},
                       {"dropout", dropout},
                       {"pool_all_slots", pool_all_slots},
                       {"synonyms", synonyms},
                       {"precision", to_string(precision)},
                       {"classes", classes},
                       {"noise", noise}};
  if (units != Units::kWords) json["units"] = to_string(units);
  if (trained_vectors) json["trained_vectors"] = true;
  if (!canonical.empty()) json["canonical"] = canonical;
  if (!stop_words.empty()) json["stop_words"] = stop_words;
  if (intervals) json["intervals"] = true;
  if (noise_mean) json["noise_mean"] = true;
  if (reconstruction > 0) json["reconstruction"] = reconstruction;
  if (kind().reads_pieces)
    json["bert"] = {{"layers", bert.layers},
                    {"heads", bert.heads},
                    {"positions", bert.positions},
                    {"epsilon", bert.epsilon}};
  if (kind().casts_votes)
    json["votes"] = {{"windows", votes.windows},
                     {"window_rows", votes.window_rows},
                     {"presence", votes.presence}};
  write_file_atomically(path, json.dump(2) + "\n");
}

ModelConfig ModelConfig::load(const std::filesystem::path& path) {
  const auto fail = [&](const std::string& why) {
    throw bad_input(fmt::format("{}: {}", path.string(), why));
  };
  const auto json = read_json_file<ordered_json>(path);
  const JsonValue root(json, path.string());
  if (root.at("format").json() != "textcrs-model" ||
      root.at("format_version").json() != kFormatVersion)
    fail(fmt::format("expected format textcrs-model, version {}", kFormatVersion));
  ModelConfig config;
  config.architecture = root.at("architecture").text();
  const auto known = architecture_names();
  if (std::find(known.begin(), known.end(), config.architecture) == known.end())
    fail(fmt::format("architecture is '{}', expected one of: {}", config.architecture,
                     fmt::join(known, ", ")));
  config.dimension = root.at("dimension").whole<int>();
  config.hidden = root.at("hidden").whole<int>();
  config.slots = root.at("slots").whole<int>();
  config.input_dropout = root.at("input_dropout").number();
  config.dropout = root.at("dropout").number();
  config.pool_all_slots = root.at("pool_all_slots").flag();
  config.synonyms = root.at("synonyms").text();
  config.trained_vectors = root.flag_or("trained_vectors", false);
  config.canonical = root.text_or("canonical", "");
  config.stop_words = root.text_or("stop_words", "");
  config.intervals = root.flag_or("intervals", false);
  config.noise_mean = root.flag_or("noise_mean", false);
  if (const auto width = root.find("reconstruction")) config.reconstruction = width->whole<int>();
  const std::string units = root.text_or("units", std::string(to_string(Units::kWords)));
  if (units != to_string(Units::kWords) && units != to_string(Units::kSentences))
    fail(fmt::format("units is '{}', expected words or sentences", units));
  config.units = parse_units(units);
  config.classes = root.at("classes").texts();
  config.noise = root.at("noise").text();
  if (config.kind().reads_pieces) {
    const JsonValue bert = root.at("bert");
    config.bert.layers = bert.at("layers").whole<int>();
    config.bert.heads = bert.at("heads").whole<int>();
    config.bert.positions = bert.at("positions").whole<int>();
    config.bert.epsilon = bert.at("epsilon").number();
  }
  if (const auto votes = root.find("votes"); votes && config.kind().casts_votes) {
    config.votes.windows = votes->at("windows").whole<int>();
    config.votes.window_rows = votes->at("window_rows").whole<int>();
    config.votes.presence = votes->at("presence").flag();
  }
  const std::string precision = root.at("precision").text();
  if (precision != "fp32" && precision != "bf16")
    fail(fmt::format("precision is '{}', expected fp32 or bf16", precision));
  config.precision = parse_precision(precision);
  const auto check = [&](const char* name, double value, double low, double high) {
    if (!(value >= low && value <= high))
      fail(fmt::format("{} is {}, expected {} to {}", name, value, low, high));
  };
  check("dimension", config.dimension, 1, 10000);
  check("slots", config.slots, 1, 100000);
  check("input_dropout", config.input_dropout, 0, 0.99);
  check("dropout", config.dropout, 0, 0.99);
  if (const auto complaint = config.kind().complaint(config)) fail(*complaint);
  if (const auto complaint = units_complaint(config)) fail(*complaint);
  if (const auto complaint = intervals_complaint(config)) fail(*complaint);
  check("number of classes", static_cast<double>(config.classes.size()), 2, 10000);
  return config;
}

}  // namespace textcrs
