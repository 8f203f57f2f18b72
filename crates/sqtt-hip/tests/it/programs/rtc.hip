// Kernels compiled at run time, and modules.
#include "check.h"
#include <hip/hiprtc.h>
#include <string>
#include <vector>

#define RTC(call) CHECK((call) == HIPRTC_SUCCESS)

static const char* source = R"(
#include "factor.h"
template <typename T> __global__ void scale(T* data, T by) { data[threadIdx.x + blockIdx.x * blockDim.x] *= by * FACTOR; }
namespace inner { __device__ int total = 3; }
extern "C" __global__ void plain(int* out, char small, double large) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, 1);
    __syncthreads();
    out[threadIdx.x] = sum + small + int(large) + inner::total;
}
)";

int main() {
    hiprtcProgram program;
    const char* header = "#define FACTOR 2\n";
    const char* name = "factor.h";
    RTC(hiprtcCreateProgram(&program, source, "kernels.cu", 1, &header, &name));
    RTC(hiprtcAddNameExpression(program, "scale<float>"));
    RTC(hiprtcAddNameExpression(program, "&scale<int>"));
    RTC(hiprtcAddNameExpression(program, "&inner::total"));
    const char* lowered;
    CHECK(hiprtcGetLoweredName(program, "scale<float>", &lowered) == HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    hipDeviceProp_t properties;
    OK(hipGetDeviceProperties(&properties, 0));
    const std::string arch = std::string("--gpu-architecture=") + properties.gcnArchName;
    const char* options[] = {arch.c_str(), "-DUNUSED"};
    RTC(hiprtcCompileProgram(program, 2, options));
    size_t size;
    RTC(hiprtcGetCodeSize(program, &size));
    std::vector<char> code(size);
    RTC(hiprtcGetCode(program, code.data()));

    hipModule_t module;
    hipFunction_t scale, plain;
    OK(hipModuleLoadData(&module, code.data()));
    RTC(hiprtcGetLoweredName(program, "scale<float>", &lowered));
    OK(hipModuleGetFunction(&scale, module, lowered));
    OK(hipModuleGetFunction(&plain, module, "plain"));
    FAILS(hipModuleGetFunction(&plain, module, "none"), hipErrorNotFound);
    RTC(hiprtcGetLoweredName(program, "&inner::total", &lowered));
    CHECK(!std::strcmp(lowered, "_ZN5inner5totalE"));
    hipDeviceptr_t total;
    OK(hipModuleGetGlobal(&total, &size, module, lowered));
    CHECK(size == 4);
    OK(hipMemsetD32(total, 1000, 1));
    RTC(hiprtcDestroyProgram(&program));

    float host[128], *floats;
    for (int i = 0; i < 128; i++) host[i] = i;
    OK(hipMalloc(&floats, sizeof host));
    OK(hipMemcpy(floats, host, sizeof host, hipMemcpyHostToDevice));
    float by = 1.5f;
    void* arguments[] = {&floats, &by};
    OK(hipModuleLaunchKernel(scale, 2, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    OK(hipMemcpy(host, floats, sizeof host, hipMemcpyDeviceToHost));
    CHECK(host[100] == 300);

    // All arguments in one buffer, with the padding of a structure.
    int results[64], *out;
    OK(hipMalloc(&out, sizeof results));
    struct {
        int* out;
        char small;
        double large;
    } packed = {out, 5, 20.9};
    size_t length = sizeof packed;
    void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &length,
                     HIP_LAUNCH_PARAM_END};
    OK(hipModuleLaunchKernel(plain, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
    OK(hipMemcpy(results, out, sizeof results, hipMemcpyDeviceToHost));
    CHECK(results[0] == 64 + 5 + 20 + 1000 && results[63] == results[0]);
    OK(hipModuleUnload(module));
    FAILS(hipModuleUnload(module), hipErrorInvalidHandle);

    RTC(hiprtcCreateProgram(&program, "__global__ void broken() { nothing; }", "broken.cu", 0, nullptr, nullptr));
    CHECK(hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_ERROR_COMPILATION);
    RTC(hiprtcGetProgramLogSize(program, &size));
    std::vector<char> log(size);
    RTC(hiprtcGetProgramLog(program, log.data()));
    CHECK(std::strstr(log.data(), "broken.cu:1:") && std::strstr(log.data(), "undeclared identifier 'nothing'"));
    CHECK(!std::strcmp(hiprtcGetErrorString(HIPRTC_ERROR_COMPILATION), "HIPRTC_ERROR_COMPILATION"));
    char garbage[64] = "this is no module";
    FAILS(hipModuleLoadData(&module, garbage), hipErrorInvalidImage);
    FAILS(hipModuleLoad(&module, "no such file.co"), hipErrorFileNotFound);
    std::puts("all right");
    return 0;
}
