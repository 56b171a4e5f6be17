// What an attack leaves alone. What is pointed to must outlive the constraint.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "textcrs/attack/attack.h"
#include "textcrs/text/parts_of_speech.h"

namespace textcrs {

// These words are neither replaced, deleted nor moved.
std::unique_ptr<const Constraint> make_stop_word_constraint(std::span<const std::string> words);

// A word is edited once.
std::unique_ptr<const Constraint> make_once_constraint();

// At most this share of the original words is edited, or `least` words if these are more.
std::unique_ptr<const Constraint> make_most_edits_constraint(double share, size_t least);

// A word is replaced by one of a common part of speech.
std::unique_ptr<const Constraint> make_part_of_speech_constraint(const PartsOfSpeech& parts);

}  // namespace textcrs
