// Keeps OpenBLAS from starting threads of its own inside ours.
#pragma once

namespace textcrs {

// While a value lives, cblas calls of the thread that made it run in that thread; afterwards
// OpenBLAS and OpenMP have the number of threads they had before. Every thread that calls cblas
// needs one, and the one that starts them too: OpenBLAS keeps its setting for the process, and its
// OpenMP build overrides it with the one OpenMP keeps for every thread. Does nothing with another
// BLAS.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  int omp_threads_before_ = 0;  // of this thread; 0 without OpenMP
};

}  // namespace textcrs
