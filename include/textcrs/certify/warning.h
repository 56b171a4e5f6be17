#pragma once

namespace textcrs {

// Why an answer may mean little, whatever is certified about it.
enum class Warning {
  kNoWords,        // the text has no words
  kBlankDecides,   // noisy copies that hold none of its words are enough to decide
  kMostlyUnknown,  // most of its words are unknown to the model
  kTwoAnswers,     // the black box has answered a copy in two ways, of this text or an earlier one
};

}  // namespace textcrs
