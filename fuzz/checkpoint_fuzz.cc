// An interrupted training run: state.json, and behind a NUL state.safetensors.
#include "fuzz.h"
#include "train/checkpoint.h"

namespace {

bool same(const textcrs::EpochChoice::Epoch& a, const textcrs::EpochChoice::Epoch& b) {
  return a.number == b.number && a.accuracy == b.accuracy;
}

bool same(const textcrs::Checkpoint& a, const textcrs::Checkpoint& b) {
  return a.run == b.run && a.epoch == b.epoch && a.batch == b.batch && a.steps == b.steps &&
         a.loss_sum == b.loss_sum && same(a.choice.best, b.choice.best) &&
         same(a.choice.kept, b.choice.kept) && a.tensors == b.tensors;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  constexpr const char* kRun = "run";
  const fuzz::Halves halves(fuzz::text_of(data, size));
  const auto folder = fuzz::file_with(halves.first, "state.json").parent_path();
  fuzz::file_with(halves.second, "state.safetensors");
  const auto checkpoint = fuzz::accepted([&] { return Checkpoint::load(folder, kRun); },
                                         {ErrorKind::kBadInput, ErrorKind::kUsage});
  if (!checkpoint) return 0;
  const auto copy = folder / "copy";
  checkpoint->save(copy);
  fuzz::require(same(Checkpoint::load(copy, kRun), *checkpoint), "a checkpoint is read back");

  const Weights parameters = checkpoint->of_kind("p.");
  fuzz::accepted([&] {
    checkpoint->check(folder, 3, 10, parameters, {"p.", "m.", "v."});
    fuzz::require(checkpoint->of_kind("m.").size() >= parameters.size(),
                  "a checkpoint that passes has all moments");
    return true;
  });
  return 0;
}
