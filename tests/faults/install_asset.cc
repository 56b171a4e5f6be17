// install_asset fetch|import INTEGRITY [ARCHIVE]: what `textcrs data fetch` and `data import` do,
// for a package of the tests' own.
#include <iostream>
#include <string>

#include "textcrs/base/error.h"
#include "textcrs/data/catalogue.h"

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const textcrs::Asset asset = {"made", "made-package", "1.0.0", argv[2], "package.json", "", ""};
  const auto report = [](const std::string& line) { std::cout << line << "\n"; };
  try {
    if (std::string(argv[1]) == "fetch")
      textcrs::fetch_asset(asset, report);
    else
      textcrs::import_asset(asset, argv[3], report);
  } catch (const textcrs::Error& error) {
    std::cerr << "textcrs: error: " << error.what() << "\n";
    return error.exit_code();
  }
  return 0;
}
