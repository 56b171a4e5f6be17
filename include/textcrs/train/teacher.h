// Distillation: a trained model whose answers on the texts as they are teach another one, which
// reads them through noise.
#pragma once

#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/data/dataset.h"
#include "textcrs/model/classifier.h"
#include "textcrs/train/trainer.h"

namespace TEXTCRS_API textcrs {

// Gives texts[i] the teacher's scores on data.examples[i], without noise, by the cpu engine in the
// teacher's precision. The teacher reads the text by itself, so its words and its vocabulary may
// differ. The order of the scores is that of data.classes. Returns the share of the texts whose
// label the teacher answers with.
//
// A usage Error unless the teacher has the same classes, in any order, and scores that are log
// probabilities: not one whose words or sentences vote. An Error of kind kInterrupted once `stop`
// asks for it. 0 threads: all cores.
double ask_teacher(const Classifier& teacher, const Dataset& data, std::vector<EncodedText>& texts,
                   int threads = 0, StopToken stop = {});

}  // namespace textcrs
