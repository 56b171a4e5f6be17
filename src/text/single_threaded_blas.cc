#include "text/single_threaded_blas.h"

#include <dlfcn.h>

#include <mutex>

namespace textcrs {
namespace {

// Looked up when the program runs: which BLAS it got, and whether with OpenMP, is known only then.
template <typename Function>
Function* loaded(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

struct Controls {
  void (*set_blas)(int) = loaded<void(int)>("openblas_set_num_threads");
  int (*get_blas)() = loaded<int()>("openblas_get_num_threads");
  void (*set_omp)(int) = loaded<void(int)>("omp_set_num_threads");
  int (*get_omp)() = loaded<int()>("omp_get_max_threads");
  bool has_openblas() const { return set_blas != nullptr && get_blas != nullptr; }
  bool has_openmp() const { return set_omp != nullptr && get_omp != nullptr; }
};

const Controls& controls() {
  static const Controls found;
  return found;
}

std::mutex mutex;
int holders = 0;
int blas_threads_before = 1;

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  const Controls& control = controls();
  if (!control.has_openblas()) return;
  if (control.has_openmp()) omp_threads_before_ = control.get_omp();
  {
    const std::scoped_lock lock(mutex);
    if (holders++ == 0) {
      blas_threads_before = control.get_blas();
      control.set_blas(1);
    }
  }
  if (omp_threads_before_ > 0) control.set_omp(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  const Controls& control = controls();
  if (!control.has_openblas()) return;
  {
    const std::scoped_lock lock(mutex);
    if (--holders == 0) control.set_blas(blas_threads_before);
  }
  if (omp_threads_before_ > 0) control.set_omp(omp_threads_before_);  // set_blas sets it as well
}

}  // namespace textcrs
