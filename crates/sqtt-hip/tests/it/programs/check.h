// What the test programs share: a condition that fails ends the program, with its line.
#pragma once
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(condition)                                                                   \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);   \
            std::exit(3);                                                                  \
        }                                                                                  \
    } while (0)

// A call that succeeds, and one that fails with an error.
#define OK(call)                                                                                             \
    do {                                                                                                     \
        const hipError_t error_ = (call);                                                                    \
        if (error_ != hipSuccess) {                                                                          \
            std::fprintf(stderr, "%s:%d: %s gives %s\n", __FILE__, __LINE__, #call, hipGetErrorName(error_)); \
            std::exit(3);                                                                                    \
        }                                                                                                    \
    } while (0)
// The kind of memory, whose name differs between HIP 5 and 6.
#if HIP_VERSION_MAJOR < 6
#define KIND(attributes) ((attributes).memoryType)
#else
#define KIND(attributes) ((attributes).type)
#endif
#define FAILS(call, expected) CHECK((call) == (expected))
