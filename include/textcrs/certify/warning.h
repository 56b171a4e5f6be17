#pragma once

namespace textcrs {

// Why an answer may mean little, whatever is certified about it.
enum class Warning {
  kNoWords,        // the text has no words
  kMostlyBlank,    // most of its noisy copies hold none of its words
  kMostlyUnknown,  // most of its words are unknown to the model
};

}  // namespace textcrs
