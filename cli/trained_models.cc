#include "trained_models.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/text/json_file.h"
#include "train_flags.h"

namespace textcrs::cli {
namespace {

namespace fs = std::filesystem;
using Lines = std::map<std::string, std::string>;  // as config_to_str() writes them

// key="value" and key=value, the value without its quotes.
Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const size_t sign = line.find('=');
    if (sign == std::string::npos) continue;
    std::string value = line.substr(sign + 1);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
    lines[line.substr(0, sign)] = value;
  }
  return lines;
}

struct Resolved {
  Lines lines;
  std::set<std::string> given;
  Architecture architecture;
};

// What `train` would save; nothing where it would refuse the flags.
std::optional<Resolved> resolve(const SuiteFlags& flags) {
  CLI::App command;
  command.option_defaults()->always_capture_default();
  TrainFlags train;
  train.add(command);
  std::vector<std::string> arguments = {"--out=x"};
  Resolved resolved;
  for (const SuiteFlag& flag : flags) {
    resolved.given.insert(flag.name);
    if (flag.values.empty()) arguments.push_back("--" + flag.name);
    for (const std::string& value : flag.values)
      arguments.push_back("--" + flag.name + "=" + value);
  }
  std::reverse(arguments.begin(), arguments.end());
  try {
    command.parse(arguments);
    train.settle(command);
  } catch (const CLI::Error&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
  resolved.lines = lines_of(command.config_to_str(true));
  resolved.architecture = train.prepare.model.kind();
  return resolved;
}

std::string tail(const std::string& path) {
  const fs::path parts = fs::path(path).lexically_normal();
  return (parts.parent_path().filename() / parts.filename()).string();
}

bool same_value(const std::string& key, const std::string& wanted, const std::string& saved) {
  if (wanted == saved) return true;
  if (key == "data" || key == "validation")
    return wanted.find('/') != std::string::npos && saved.find('/') != std::string::npos &&
           tail(wanted) == tail(saved);
  if (key == "start-from" || key == "distil")
    return !wanted.empty() && fs::path(wanted).filename() == fs::path(saved).filename();
  return false;
}

// What depends on the number of texts is as train would choose it for so many.
bool is_recommended(const Lines& saved, const Resolved& wanted, const fs::path& folder) {
  const std::optional<double> counted = number_member(folder / "training.json", "texts");
  if (!counted || !(*counted >= 0 && *counted < 1e12)) return false;
  const double texts = *counted;
  const double share = std::stod(saved.at("validation-share"));
  const auto trained = static_cast<int64_t>(texts - std::round(texts * share));
  constexpr int64_t kRounding = 20;  // a share is taken of every class
  for (int64_t n = std::max<int64_t>(1, trained - kRounding); n <= trained + kRounding; ++n) {
    auto best = TrainOptions::recommended(wanted.architecture, static_cast<size_t>(n));
    if (wanted.architecture.casts_votes && !saved.at("synonyms").empty()) best.epochs *= 3;
    if (saved.at("intervals") == "true") best.epochs *= 2;
    if ((wanted.given.contains("epochs") || std::to_string(best.epochs) == saved.at("epochs")) &&
        (wanted.given.contains("batch-size") ||
         std::to_string(best.batch_size) == saved.at("batch-size")))
      return true;
  }
  return false;
}

}  // namespace

bool was_trained_so(const fs::path& folder, const std::string& verb, const SuiteFlags& flags) {
  static const std::set<std::string> kPlaces = {"out",       "device", "threads", "loader-threads",
                                                "overwrite", "resume"};
  const fs::path file = folder / "train.toml";
  std::error_code ignored;
  if (verb != "train" || !fs::is_regular_file(file, ignored) ||
      !fs::is_regular_file(folder / "training.json", ignored))
    return false;
  const std::optional<Resolved> wanted = resolve(flags);
  if (!wanted) return false;
  Lines saved = lines_of(read_file(file));
  for (const auto& [key, value] : wanted->lines) {
    const bool by_texts = (key == "epochs" || key == "batch-size") && !wanted->given.contains(key);
    if (kPlaces.contains(key) || by_texts) continue;
    const auto found = saved.find(key);
    if (found == saved.end() || !same_value(key, value, found->second)) return false;
  }
  try {
    return is_recommended(saved, *wanted, folder);
  } catch (const std::exception&) {  // no number, or no such key: not a file of ours
    return false;
  }
}

}  // namespace textcrs::cli
