// In front of functions that both the host and a GPU run: these call nothing of the standard
// library but what CUDA has, too.
#pragma once

#ifdef __CUDACC__
#define TEXTCRS_HOST_DEVICE __host__ __device__
#else
#define TEXTCRS_HOST_DEVICE
#endif
