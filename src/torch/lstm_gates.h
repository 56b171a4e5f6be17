// The elementwise half of an LSTM step, on the CPU, vectorised for the machine it runs on.
#pragma once

#include <cstdint>

namespace textcrs {

// One time step of n rows of `units` units each. Gates lie as i, f, g, o (PyTorch's order).
struct GateStep {
  int rows;
  int previous_rows;  // the first of the rows that have a state before this step
  int units;
  int32_t time;
};

// gates (n, 4 units): pre-activations in, activations out. cell, hidden (n, units): out.
// best, best_time (n, units): the running maximum of `hidden` and its time.
// Absolute error of every activation against exact arithmetic: below 3e-7.
void lstm_gates_forward(const GateStep& step, float* gates, const float* previous_cell, float* cell,
                        float* hidden, float* best, int32_t* best_time);

// The reverse: gates (n, 4 units): activations in, gradients of the pre-activations out. d_hidden,
// d_cell (n, units): gradients that came from the step after this one; d_cell leaves as the
// gradient for the step before. d_best (n, units) reaches the units whose best_time is this step.
void lstm_gates_backward(const GateStep& step, float* gates, const float* previous_cell,
                         const float* cell, const float* d_hidden, float* d_cell,
                         const float* d_best, const int32_t* best_time);

}  // namespace textcrs
