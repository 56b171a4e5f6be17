// The values of flags and arguments: what they are called, what is said about them, what a shell
// may offer for them. All of it is read off the command line's own definition, so that help, manual
// and completion agree with it.
#pragma once

#include <string>
#include <vector>

#include "cli11.h"

namespace textcrs::cli {

// Names of values. A value of any other name that a "|" parts is one of several words.
constexpr const char* kFile = "FILE";
constexpr const char* kFolder = "FOLDER";
constexpr const char* kNoise = "NOISE";
constexpr const char* kData = "DATA";          // a fetched data set, a file or a folder
constexpr const char* kAsset = "NAME";         // what can be fetched
constexpr const char* kVectors = "VECTORS";    // a fetched asset, or a file
constexpr const char* kSynonyms = "SYNONYMS";  // a fetched asset, or a file
constexpr const char* kEncoder = "ENCODER";    // a fetched asset, or a folder
constexpr const char* kFormat = "FORMAT";      // of data
constexpr const char* kRecipe = "RECIPE";      // of an attack
constexpr const char* kSuite = "SUITE";        // one that comes with the program, or a file
constexpr const char* kCommand = "COMMAND";    // of the program
constexpr const char* kWholeNumber = "N";
constexpr const char* kNumber = "NUMBER";

// Gives the values of the flags of a command, and of the commands in it, their names, but for those
// that were named where they were added, as arguments are.
void name_values(CLI::App& app);

bool takes_value(const CLI::Option& option);
std::string value_name(const CLI::Option& option);  // FOLDER, cpu|cuda; empty: it takes none

// "0 to 4096; default: 0", "required", or nothing.
std::string value_remarks(const CLI::Option& option);

// What stands for a value on the command line.
struct Suggestions {
  enum class Paths { kNone, kFolders, kFiles };  // files: and folders on the way to them
  Paths paths = Paths::kNone;
  std::vector<std::string> words;  // one that ends in "=" or ":" is not complete
};
Suggestions suggestions_for(const CLI::App& program, const CLI::Option& option);

}  // namespace textcrs::cli
