#include "engine/gather_votes.h"

#include <condition_variable>
#include <exception>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace textcrs {
namespace {

uint64_t copies_of(std::span<const TextSamples> texts) {
  uint64_t copies = 0;
  for (const TextSamples& text : texts) copies += text.range.end - text.range.begin;
  return copies;
}

}  // namespace

// On the stack of the thread that asks; others touch it with the lock held, or in its batch.
struct VoteGatherer::Request {
  std::span<const TextSamples> texts;
  const Noise* noise;
  uint64_t copies;
  Votes votes = {};
  std::exception_ptr error = {};
  enum class Turn { kWaits, kLeads, kDone } turn = Turn::kWaits;
  std::condition_variable changed = {};  // the turn

  void set(Turn to) {
    turn = to;
    changed.notify_one();
  }
};

VoteGatherer::Votes VoteGatherer::votes(std::span<const TextSamples> texts,
                                        const Noise& noise) const {
  if (texts.empty()) return {};
  Request mine{texts, &noise, copies_of(texts)};
  std::unique_lock lock(mutex_);
  queue_.push_back(&mine);
  if (running_) mine.changed.wait(lock, [&] { return mine.turn != Request::Turn::kWaits; });
  if (mine.turn != Request::Turn::kDone) {
    running_ = true;
    const Requests batch = take_batch();  // it begins with `mine`
    lock.unlock();
    run_batch(batch);
    lock.lock();
    for (Request* request : batch) request->set(Request::Turn::kDone);
    running_ = !queue_.empty();
    if (running_) queue_.front()->set(Request::Turn::kLeads);
  }
  lock.unlock();
  if (mine.error) std::rethrow_exception(mine.error);
  return std::move(mine.votes);
}

size_t VoteGatherer::waiting() const {
  const std::scoped_lock lock(mutex_);
  return queue_.size();
}

VoteGatherer::Requests VoteGatherer::take_batch() const {
  Requests batch;
  batch.splice(batch.end(), queue_, queue_.begin());
  const Noise* const noise = batch.front()->noise;
  uint64_t copies = batch.front()->copies;
  for (auto next = queue_.begin(); next != queue_.end();) {
    const auto request = next++;
    if ((*request)->noise != noise || copies + (*request)->copies > most_copies_) continue;
    copies += (*request)->copies;
    batch.splice(batch.end(), queue_, request);
  }
  return batch;
}

VoteGatherer::Votes VoteGatherer::run(std::span<const TextSamples> texts,
                                      const Noise& noise) const {
  Votes votes = run_(texts, noise);
  if (votes.size() != texts.size())
    throw std::logic_error("VoteGatherer: votes of another number of texts");
  return votes;
}

void VoteGatherer::run_batch(const Requests& batch) const {
  if (batch.size() == 1) return run_alone(*batch.front());
  try {
    run_together(batch);
  } catch (...) {
    for (Request* request : batch) run_alone(*request);
  }
}

void VoteGatherer::run_together(const Requests& batch) const {
  std::vector<TextSamples> texts;
  for (const Request* request : batch)
    texts.insert(texts.end(), request->texts.begin(), request->texts.end());
  Votes votes = run(texts, *batch.front()->noise);
  auto first = std::make_move_iterator(votes.begin());
  for (Request* request : batch) {
    const auto last = first + static_cast<ptrdiff_t>(request->texts.size());
    request->votes.assign(first, last);
    first = last;
  }
}

void VoteGatherer::run_alone(Request& request) const {
  try {
    request.votes = run(request.texts, *request.noise);
  } catch (...) {
    request.error = std::current_exception();
  }
}

}  // namespace textcrs
