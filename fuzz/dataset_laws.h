// What holds for every data set that is read, whatever the format.
#pragma once

#include "textcrs/data/dataset.h"

namespace textcrs::fuzz {

// Reads the file, and unless it is refused as it should be, checks the data set; written as csv and
// as jsonl it is read back with the same texts, labels and keys.
void check_dataset(const ReadOptions& options);

}  // namespace textcrs::fuzz
