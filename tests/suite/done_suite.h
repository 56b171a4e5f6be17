// A suite whose certifications were run, by a classifier that is none.
#pragma once

#include <functional>
#include <string>

#include "report/fake_classifier.h"
#include "suite_parts.h"
#include "textcrs/report/certification_run.h"

namespace textcrs {

// Three data sets' worth of steps: two models, two levels, a variant, an attack that was not run.
constexpr const char* kShown = R"(
title = "Shown"
[[data]]
name = "d"
title = "Films"
[[data]]
name = "e"
title = "News"
[[model]]
name = "m"
title = "First"
[[model]]
name = "n"
title = "Second"
train = { epochs = 2 }
[[method]]
name = "cut"
title = "deletion"
operation = "deletion"
levels = { low = "delete:p=0.3", high = "delete:p=0.7" }
[[method]]
name = "other"
operation = "deletion"
models = ["m"]
data = ["d"]
noise = "delete:p=0.5"
[[variant]]
name = "more"
methods = ["other"]
certify = { samples = 180 }
[[attack]]
name = "word-reorder"
title = "WordReorder"
methods = ["other"]
)";

class DoneSuite {
 public:
  // `texts` says of how many of its three texts a certification is.
  explicit DoneSuite(
      const std::string& more = "",
      const std::function<size_t(const SuiteStep&)>& texts = [](const SuiteStep&) { return 3; })
      : suite_(suite_of(kShown + more)) {
    std::vector<PlannedStep> plan = plan_suite(suite_, {});
    SettleOptions settle;
    settle.out = out();
    manifest_ = settle_plan(suite_, plan, settle);
    for (SuiteStep& step : manifest_.steps)
      if (step.kind == "certify") run(step, texts(step));
  }

  const Suite& suite() const { return suite_; }
  SuiteManifest& manifest() { return manifest_; }
  std::filesystem::path out() const { return folder_.path() / "out"; }

 private:
  void run(SuiteStep& step, size_t count) const {
    FakeClassifier classifier;
    classifier.description_of().noise = step.tag("noise");
    classifier.description_of().certifier.estimation_samples =
        step.tag("variant").empty() ? 90 : 180;
    Dataset texts = {"films of " + step.tag("data"),
                     {"neg", "pos"},
                     {{1, "good film", 1}, {2, "bad film of the town", 0}, {3, "good", 1}}};
    texts.examples.resize(count);
    RunOptions options;
    options.folder = folder_of(step, out());
    run_certification(classifier, texts, options, [](const RunProgress&) {});
    step.state = StepState::kDone;
  }

  TemporaryFolder folder_;
  Suite suite_;
  SuiteManifest manifest_;
};

}  // namespace textcrs
