// A model's config.json: what is read and written is read again, as the same model.
#include "fuzz.h"
#include "textcrs/base/files.h"
#include "textcrs/model/model_config.h"

namespace {

// Everything that decides what the model is.
bool same(const textcrs::ModelConfig& a, const textcrs::ModelConfig& b) {
  return a.architecture == b.architecture && a.dimension == b.dimension && a.hidden == b.hidden &&
         a.bert == b.bert && a.votes == b.votes && a.slots == b.slots &&
         a.input_dropout == b.input_dropout && a.dropout == b.dropout && a.classes == b.classes &&
         a.units == b.units && a.noise == b.noise && a.pool_all_slots == b.pool_all_slots &&
         a.synonyms == b.synonyms && a.canonical == b.canonical && a.stop_words == b.stop_words &&
         a.intervals == b.intervals && a.noise_mean == b.noise_mean &&
         a.reconstruction == b.reconstruction && a.trained_vectors == b.trained_vectors &&
         a.precision == b.precision;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  const auto path = fuzz::file_with(fuzz::text_of(data, size), "config.json");
  const auto config = fuzz::accepted([&] { return ModelConfig::load(path); });
  if (!config) return 0;
  config->save(path);
  const std::string written = read_file(path);
  const ModelConfig again = ModelConfig::load(path);
  fuzz::require(same(*config, again), "a model's configuration is read back");
  again.save(path);
  fuzz::require(read_file(path) == written, "it is written the same");
  return 0;
}
