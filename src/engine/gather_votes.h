// Votes that many threads ask for, run in few large batches.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/engine/engine.h"

namespace TEXTCRS_API textcrs {

// One batch is run at a time, by one of the threads that ask: there is no thread of its own. What
// is asked meanwhile waits; the thread that has waited longest then runs all of it as one batch.
class VoteGatherer {
 public:
  using Votes = std::vector<std::vector<int64_t>>;
  // One count per class for each text. They must depend on the samples alone, so that the batch
  // they are in makes no difference. Never called by two threads at once.
  using Run = std::function<Votes(std::span<const TextSamples>, const Noise&)>;

  // A batch has at most `most_copies` copies, unless a single request asks for more.
  VoteGatherer(Run run, uint64_t most_copies) : run_(std::move(run)), most_copies_(most_copies) {}
  VoteGatherer(const VoteGatherer&) = delete;
  VoteGatherer& operator=(const VoteGatherer&) = delete;

  // What run() says of these texts. Requests with the same Noise object share batches. Where a
  // batch of several requests fails, each of them is run once more, alone: an exception is about
  // the caller's own texts. Thread-safe; the object must outlive the calls.
  Votes votes(std::span<const TextSamples> texts, const Noise& noise) const;

  size_t waiting() const;  // requests that are in no batch yet

 private:
  struct Request;
  using Requests = std::list<Request*>;

  // run_() with its number of results checked.
  Votes run(std::span<const TextSamples> texts, const Noise& noise) const;
  Requests take_batch() const;                  // with the lock held
  void run_batch(const Requests& batch) const;  // never throws
  void run_together(const Requests& batch) const;
  void run_alone(Request& request) const;  // never throws

  Run run_;
  uint64_t most_copies_;
  mutable std::mutex mutex_;
  mutable Requests queue_;        // in the order of arrival
  mutable bool running_ = false;  // a batch; its thread hands over to the first of the queue
};

}  // namespace textcrs
