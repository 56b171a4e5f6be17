#include "textcrs/certified/tune_votes.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>

#include "text/json.h"
#include "text/json_value.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/base/hash.h"
#include "textcrs/base/parallel.h"
#include "textcrs/certified/voting_classifier.h"
#include "train/hold_out.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

// The trials that are done, on disk after each.
class TrialFile {
 public:
  // A trial's curve has so many points.
  TrialFile(std::filesystem::path path, std::string run, size_t points)
      : path_(std::move(path)), run_(run) {
    if (path_.empty() || !std::filesystem::exists(path_)) return;
    const auto json = read_json_file<ordered_json>(path_);
    const JsonValue root(json, path_.string());
    if (root.at("run").text() != run_)
      throw usage_error(fmt::format("{}: belongs to another run", path_.string()));
    for (const JsonValue& one : root.at("trials").list()) {
      VoteTrial trial{{one.at("edits").number(), one.at("temperature").number()}, {}};
      for (const JsonValue& share : one.at("certified").list(points))
        trial.certified.push_back(share.number());
      trials_.push_back(std::move(trial));
    }
  }

  std::optional<VoteTrial> find(const VoteSetting& setting) const {
    for (const VoteTrial& trial : trials_)
      if (trial.setting == setting) return trial;
    return std::nullopt;
  }

  void add(const VoteTrial& trial) {
    trials_.push_back(trial);
    if (path_.empty()) return;
    ordered_json json = {{"run", run_}, {"trials", ordered_json::array()}};
    for (const VoteTrial& one : trials_)
      json["trials"].push_back({{"edits", one.setting.edits},
                                {"temperature", one.setting.temperature},
                                {"certified", one.certified}});
    std::filesystem::create_directories(path_.parent_path());
    write_file_atomically(path_, json.dump(2) + "\n");
  }

 private:
  std::filesystem::path path_;
  std::string run_;
  std::vector<VoteTrial> trials_;
};

std::string describe(const Classifier& classifier, const std::vector<EncodedText>& texts,
                     const TuneOptions& options) {
  uint64_t hash = kHashStart;
  for (const EncodedText& text : texts) {
    hash = fnv1a(bytes_of(&text.label, 1), hash);
    hash = fnv1a(bytes_of(text.words.data(), text.words.size()), hash);
  }
  const TrainOptions& o = options.training;
  hash = hash_bulk(bytes_of(o.votes.word_vectors.data(), o.votes.word_vectors.size()), hash);
  return fmt::format("{} {:016x} {} {} {} {} {} {} {} {} {} {}", classifier.fingerprint(), hash,
                     o.epochs, o.batch_size, o.learning_rate, o.warm_up, o.seed, o.votes.decay,
                     o.votes.hidden, o.votes.network_rate, options.held_out, options.most_edits);
}

VoteTrial try_setting(const Classifier& like, const Split& split, const VoteSetting& setting,
                      const TuneOptions& options, StopToken stop) {
  TrainOptions training = options.training;
  training.votes.edits = setting.edits;
  training.votes.temperature = setting.temperature;
  training.checkpoint.clear();
  training.resume = false;
  training.validation_share = 0;
  const std::shared_ptr<Classifier> classifier =
      Classifier::fresh(like.config(), like.vocabulary(), like.spelled_synonyms());
  train(*classifier, split.train, {}, training, {}, stop);
  const VotingClassifier votes(classifier);
  VoteTrial trial{setting, std::vector<double>(static_cast<size_t>(options.most_edits) + 1)};
  for (const EncodedText& text : split.validation) {
    const std::optional<double> harmless = votes.harmless_edits(text.words, text.label);
    for (size_t edits = 0; harmless && edits < trial.certified.size(); ++edits)
      if (static_cast<double>(edits) <= *harmless) trial.certified[edits] += 1;
  }
  for (double& share : trial.certified) share /= static_cast<double>(split.validation.size());
  return trial;
}

}  // namespace

double VoteTrial::area() const {
  return std::accumulate(certified.begin(), certified.end(), 0.0) /
         static_cast<double>(certified.size());
}

std::vector<VoteSetting> settings_to_try(int words, bool with_candidates) {
  std::vector<VoteSetting> settings;
  if (with_candidates) {
    for (const double edits : {0.0, 0.25, 0.5, 1.0})
      for (const double temperature : {1.5, 3.0}) settings.push_back({edits, temperature});
    return settings;
  }
  for (const double edits : {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0}) {
    if (edits > 1 && edits > words / 8.0) continue;
    for (const double temperature : {5.0, 10.0, 20.0}) settings.push_back({edits, temperature});
  }
  return settings;
}

std::vector<VoteTrial> tune_votes(const Classifier& classifier,
                                  const std::vector<EncodedText>& texts,
                                  const std::vector<VoteSetting>& settings,
                                  const TuneOptions& options,
                                  const std::function<void(const TuneProgress&)>& report,
                                  StopToken stop) {
  const Split split = hold_out(texts, options.held_out, options.training.seed);
  if (split.validation.empty())
    throw usage_error(fmt::format(
        "{} texts are too few to hold some out for a choice; give the edits", texts.size()));
  TrialFile file(options.file, describe(classifier, texts, options),
                 static_cast<size_t>(options.most_edits) + 1);
  std::vector<VoteTrial> trials(settings.size());
  std::mutex mutex;  // of the file and the progress
  TuneProgress progress{0, settings.size()};
  const auto done = [&] {
    ++progress.done;
    if (report) report(progress);
  };
  std::vector<size_t> open;
  for (size_t i = 0; i < settings.size(); ++i) {
    const std::optional<VoteTrial> known = file.find(settings[i]);
    if (!known) {
      open.push_back(i);
      continue;
    }
    trials[i] = *known;
    done();
  }
  const int threads = options.threads > 0 ? options.threads : available_cores();
  parallel_for(open.size(), threads, [&](size_t k) {
    stop.check();
    VoteTrial trial = try_setting(classifier, split, settings[open[k]], options, stop);
    const std::lock_guard lock(mutex);
    file.add(trial);
    trials[open[k]] = std::move(trial);
    done();
  });
  return trials;
}

const VoteTrial& best_of(const std::vector<VoteTrial>& trials) {
  return *std::max_element(
      trials.begin(), trials.end(),
      [](const VoteTrial& a, const VoteTrial& b) { return a.area() < b.area(); });
}

bool is_on_frontier(const VoteTrial& trial, const std::vector<VoteTrial>& trials) {
  return std::none_of(trials.begin(), trials.end(), [&](const VoteTrial& other) {
    bool everywhere = true, somewhere = false;
    for (size_t i = 0; i < trial.certified.size(); ++i) {
      everywhere = everywhere && other.certified[i] >= trial.certified[i];
      somewhere = somewhere || other.certified[i] > trial.certified[i];
    }
    return everywhere && somewhere;
  });
}

}  // namespace textcrs
