// The words that a shell may offer for a value, from the lists of what is built in. They do not
// depend on the machine: the scripts with them are installed with the program.
#pragma once

#include <string>
#include <vector>

namespace textcrs::cli {

std::vector<std::string> noise_words();  // universal:p=, reorder:full, ..; to be gone on with
std::vector<std::string> asset_words();  // all that can be fetched
std::vector<std::string> data_words();   // the data sets among it
std::vector<std::string> vectors_words();
std::vector<std::string> synonyms_words();
std::vector<std::string> encoder_words();
std::vector<std::string> format_words();
std::vector<std::string> recipe_words();
std::vector<std::string> suite_words();  // those that come with the program
std::vector<std::string> isa_words();

}  // namespace textcrs::cli
