// Every kind of figure, of as much as a reader meets in one: several levels of noise, methods,
// data; made up, with the shapes of what real runs give.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "plot/hand_made_runs.h"
#include "textcrs/plot/embedding_figures.h"
#include "textcrs/plot/run_figures.h"

namespace textcrs::plot {

struct ExampleChart {
  std::string name;
  Chart chart;
};

class Examples {
 public:
  static constexpr uint32_t kTexts = 200;

  std::vector<ExampleChart> all() {
    return {
        {"radius", radius()},
        {"edits", edits_of_all()},
        {"frontier", frontier()},
        {"samples", samples()},
        {"toolkit", toolkit()},
        {"speed", speed()},
        {"attacks", attacks({"textfooler", "bae", "universal-trigger", "pwws", "input-reduction"})},
        {"many-attacks", many_attacks()},
        {"distances", distances()},
        {"values", values()},
        {"one-panel", one_panel()},
        {"columns", columns()}};
  }

 private:
  double uniform() { return std::uniform_real_distribution<>(0, 1)(random_); }
  double normal() { return std::normal_distribution<>()(random_); }

  // Of the texts, some 88 % are answered right, and nearly all of these certified, with radii
  // around `typical`.
  std::vector<Record> texts(Operation operation, const std::string& unit, double typical,
                            bool whole, double paper_more) {
    std::vector<Record> records;
    for (uint32_t id = 0; id < kTexts; ++id) {
      double radius = typical * std::exp(0.8 * normal()) * (uniform() < 0.9 ? 1 : 0);
      double more = radius * paper_more;
      if (whole) {
        radius = std::floor(radius);
        more = std::floor(more);
      }
      const std::vector<Guarantee> sound = {{operation, unit, radius}};
      std::vector<Guarantee> paper;
      if (paper_more > 0) paper = {{operation, unit, more}};
      const double lot = uniform();
      records.push_back(lot < 0.86   ? right(id, sound, paper)
                        : lot < 0.95 ? wrong(id, sound, paper)
                                     : abstained(id, sound, paper));
      records.back().words = static_cast<size_t>(20 + 400 * uniform() * uniform());
    }
    return records;
  }

  Chart radius() {
    std::vector<NamedRun> runs;
    double level = 3;
    for (const char* noise : {"reorder:block=16", "reorder:block=64", "reorder:block=256"})
      runs.push_back(
          run(noise, noise, texts(Operation::kReordering, kUnitDisplacement, level *= 2, true, 6)));
    level = 0.05;
    for (const char* noise : {"insert:sigma=0.1", "insert:sigma=0.2", "insert:sigma=0.3"})
      runs.push_back(run(noise, noise,
                         texts(Operation::kInsertion, kUnitEmbedding, level *= 1.5, false, 1.3)));
    level = 1;
    for (const char* noise : {"delete:p=0.3", "delete:p=0.5", "delete:p=0.7"})
      runs.push_back(
          run(noise, noise, texts(Operation::kDeletion, kUnitWords, level *= 1.5, true, 2)));
    level = 1;
    for (const char* noise :
         {"substitute:kernel=staircase,size=50", "substitute:kernel=staircase,size=100",
          "substitute:kernel=staircase,size=250"}) {
      runs.push_back(
          run(noise, noise, texts(Operation::kSubstitution, kUnitRanks, level *= 2, true, 1.4)));
      for (Record& record : runs.back().run.records)
        record.certification.sound.candidates = record.certification.paper.candidates =
            "the 50 nearest words by cosine, at least 0.5 similar";
    }
    return radius_chart(runs);
  }

  Chart edits_of_all() {
    std::vector<NamedRun> runs;
    double level = 2;
    for (const char* name :
         {"BiLSTM, universal:p=0.9", "BiLSTM, delete:p=0.9", "MiniLM-L6, universal:p=0.9", "votes",
          "votes behind a cascade", "sentences that vote", "masks:p=0.9"})
      runs.push_back(run(name, "universal:p=0.9",
                         texts(Operation::kEdit, kUnitWords, level *= 1.25, true, 0)));
    return edits_chart(runs);
  }

  Chart frontier() {
    std::vector<NamedRun> runs;
    double level = 2;
    for (const char* name : {"universal:p=0.7", "universal:p=0.8", "universal:p=0.9", "votes"}) {
      runs.push_back(run(name, name, texts(Operation::kEdit, kUnitWords, level *= 1.7, true, 0)));
      for (Record& record : runs.back().run.records) {
        CertifiedSet& set = record.certification.sound;
        const int most = static_cast<int>(set.guarantees[0].radius);
        for (int lost = 0; lost <= most && name != std::string("votes"); ++lost)
          set.frontier.emplace_back(lost, 2 * (most - lost));
      }
    }
    return frontier_chart(runs);
  }

  Chart samples() {
    std::vector<NamedRun> runs;
    for (const char* noise : {"delete:p=0.5", "delete:p=0.7"}) {
      double level = 1;
      for (const uint64_t samples : {100, 1000, 10000, 100000})
        runs.push_back(run(std::string(noise) + std::to_string(samples), noise,
                           texts(Operation::kDeletion, kUnitWords, level *= 1.5, true, 0),
                           {{"samples", samples}}));
    }
    return samples_chart(runs);
  }

  Chart toolkit() {
    std::vector<NamedRun> runs;
    for (const char* variant : {"plain", "with OGN", "with ESR", "with PLT", "all of them"})
      for (const char* noise : {"insert:sigma=0.1", "insert:sigma=0.2", "insert:sigma=0.3"})
        runs.push_back(
            run(variant, noise, texts(Operation::kInsertion, kUnitEmbedding, 0.3, false, 1.2)));
    return toolkit_chart(runs);
  }

  Chart speed() {
    std::vector<NamedRun> runs;
    double per_word = 2e-6;
    for (const char* name : {"BiLSTM", "MiniLM-L6", "votes"}) {
      runs.push_back(
          run(name, "delete:p=0.5", texts(Operation::kDeletion, kUnitWords, 2, true, 0)));
      for (Record& record : runs.back().run.records) {
        record.certification.samples = name == std::string("votes") ? 0 : 10000;
        record.seconds = std::max(1u, record.certification.samples) * per_word *
                         static_cast<double>(record.words + 10) * (0.8 + 0.4 * uniform());
      }
      per_word *= 20;
    }
    return speed_chart(runs);
  }

  Chart many_attacks() {
    std::vector<std::string> names;
    for (const char* method : {"staircase", "reordering", "deletion", "insertion, OGN, ESR, PLM"})
      for (const char* attack : {"TextFooler", "WordReorder", "SynonymInsert", "InputReduction"})
        names.push_back(std::string(method) + ", " + attack);
    return attacks(names);
  }

  Chart attacks(const std::vector<std::string>& names) {
    std::vector<NamedAttack> made;
    for (const std::string& name : names) {
      made.push_back({name, {}});
      const double strength = uniform();
      for (uint32_t id = 0; id < kTexts; ++id) {
        AttackRecord record;
        record.id = id;
        record.label = record.after = "pos";
        record.status = uniform() < 0.88 ? AttackStatus::kFailed : AttackStatus::kSkipped;
        if (record.attempted() && uniform() < strength) record.status = AttackStatus::kSucceeded;
        if (record.succeeded()) record.after = "neg";
        for (const char* model : {"the target", "votes"}) {
          if (!record.attempted()) break;
          const bool kept = uniform() < 0.7;
          record.models.push_back(
              {model, "pos", kept ? "pos" : "neg", false, false, uniform() < 0.6, false, ""});
        }
        made.back().records.push_back(record);
      }
    }
    return attack_chart(made);
  }

  // Words in clusters, as real ones lie.
  WordMatrix matrix(const std::string& name, size_t words, size_t dimension, double spread) {
    WordMatrix made{name, dimension, {}};
    std::vector<double> means, centre(dimension);
    for (size_t i = 0; i < dimension; ++i) means.push_back(spread * normal());
    for (size_t word = 0; word < words; ++word) {
      if (word % 20 == 0)
        for (double& value : centre) value = spread * normal();
      const double own = 0.2 + 0.8 * uniform();
      for (size_t i = 0; i < dimension; ++i)
        made.values.push_back(static_cast<float>(means[i] + centre[i] + own * spread * normal()));
    }
    return made;
  }

  Chart distances() {
    DistanceOptions options;
    options.title = "Distance between a word and its k nearest";
    options.words = 200;
    return distance_chart({matrix("glove", 3000, 100, 0.4), matrix("minilm", 3000, 64, 0.05)},
                          options);
  }

  Chart values() {
    ValueOptions options;
    options.title = "Elements of word vectors in ten dimensions";
    return value_chart({matrix("glove", 3000, 100, 0.4), matrix("minilm", 3000, 64, 0.05)},
                       options);
  }

  Chart one_panel() {
    std::vector<NamedRun> runs;
    double level = 1;
    for (const char* noise : {"delete:p=0.3", "delete:p=0.5", "delete:p=0.7"})
      runs.push_back(
          run(noise, noise, texts(Operation::kDeletion, kUnitWords, level *= 1.5, true, 2)));
    return radius_chart(runs);
  }

  // As a suite puts panels of several data sets beside each other, with long names.
  Chart columns() {
    Chart chart;
    chart.title = "Certified accuracy against words deleted";
    chart.columns = 3;
    for (const char* data : {"IMDB", "AG News", "Amazon 评论"}) {
      std::vector<NamedRun> runs;
      double level = 2;
      for (const char* name : {"BiLSTM, p=0.9", "MiniLM-L6, all of the toolkit, p=0.9",
                               "RanMASK as its authors trained it, on 90 % of the words"})
        runs.push_back(run(name, "delete:p=0.9",
                           texts(Operation::kDeletion, kUnitWords, level *= 1.5, true, 2)));
      chart.panels.push_back(radius_chart(runs).panels[0]);
      chart.panels.back().title = std::string(data) + ": deletion";
    }
    return chart;
  }

  std::mt19937 random_{7};
};

}  // namespace textcrs::plot
