// Streams, events, callbacks and graphs.
#include "check.h"
#include <thread>
#include <vector>

__global__ void add(int* data, int value) { data[threadIdx.x] += value; }

static int calls = 0;
static void called(void* data) { calls += *static_cast<int*>(data); }
static void stream_called(hipStream_t, hipError_t status, void* data) {
    CHECK(status == hipSuccess);
    calls += *static_cast<int*>(data);
}

static int first(const int* device) {
    int value;
    OK(hipMemcpy(&value, device, sizeof value, hipMemcpyDeviceToHost));
    return value;
}

static void streams(int* data) {
    hipStream_t a, b;
    hipEvent_t start, stop, quick;
    OK(hipStreamCreate(&a));
    OK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
    unsigned int flags;
    OK(hipStreamGetFlags(b, &flags));
    CHECK(flags == hipStreamNonBlocking);
    OK(hipEventCreate(&start));
    OK(hipEventCreate(&stop));
    OK(hipEventCreateWithFlags(&quick, hipEventDisableTiming));
    float time;
    FAILS(hipEventElapsedTime(&time, start, stop), hipErrorInvalidHandle);
    OK(hipEventRecord(start, a));
    add<<<1, 64, 0, a>>>(data, 5);
    OK(hipEventRecord(stop, a));
    OK(hipStreamWaitEvent(b, stop, 0));
    add<<<1, 64, 0, b>>>(data, 2);
    OK(hipEventSynchronize(stop));
    OK(hipEventQuery(stop));
    OK(hipEventElapsedTime(&time, start, stop));
    CHECK(time > 0);
    OK(hipStreamSynchronize(b));
    CHECK(first(data) == 7);
    int one = 1, ten = 10;
    OK(hipLaunchHostFunc(a, called, &one));
    OK(hipStreamAddCallback(a, stream_called, &ten, 0));
    OK(hipStreamSynchronize(a));
    CHECK(calls == 11);
    OK(hipStreamDestroy(a));
    OK(hipStreamDestroy(b));
    OK(hipEventDestroy(stop));
    FAILS(hipEventDestroy(stop), hipErrorInvalidHandle);
    FAILS(hipStreamSynchronize(a), hipErrorInvalidHandle);
}

static void captured(int* data) {
    hipStream_t a, b;
    hipEvent_t fork, join;
    OK(hipStreamCreate(&a));
    OK(hipStreamCreate(&b));
    OK(hipEventCreate(&fork));
    OK(hipEventCreate(&join));
    OK(hipMemset(data, 0, 256));
    OK(hipStreamBeginCapture(a, hipStreamCaptureModeGlobal));
    add<<<1, 64, 0, a>>>(data, 1);
    OK(hipEventRecord(fork, a));
    OK(hipStreamWaitEvent(b, fork, 0));
    add<<<1, 64, 0, b>>>(data, 10);
    OK(hipEventRecord(join, b));
    FAILS(hipStreamSynchronize(a), hipErrorStreamCaptureUnsupported);
    hipStreamCaptureStatus status;
    unsigned long long id = 0;
    const hipGraphNode_t* last = nullptr;
    size_t lasts = 0;
    OK(hipStreamGetCaptureInfo_v2(b, &status, &id, nullptr, &last, &lasts));
    CHECK(status == hipStreamCaptureStatusActive && id != 0 && lasts == 1 && last[0] != nullptr);
    OK(hipStreamWaitEvent(a, join, 0));
    add<<<1, 64, 0, a>>>(data, 100);
    hipGraph_t graph;
    OK(hipStreamEndCapture(a, &graph));
    // Nothing ran yet.
    CHECK(first(data) == 0);
    size_t count = 0, edges = 0;
    OK(hipGraphGetNodes(graph, nullptr, &count));
    OK(hipGraphGetEdges(graph, nullptr, nullptr, &edges));
    CHECK(count == 3 && edges == 3);
    hipGraphExec_t ready;
    OK(hipGraphInstantiate(&ready, graph, nullptr, nullptr, 0));
    for (int round = 0; round < 3; round++) OK(hipGraphLaunch(ready, a));
    OK(hipStreamSynchronize(a));
    CHECK(first(data) == 333);
    OK(hipGraphExecDestroy(ready));
    OK(hipGraphDestroy(graph));
    // A fork that never comes back.
    OK(hipStreamBeginCapture(a, hipStreamCaptureModeGlobal));
    OK(hipEventRecord(fork, a));
    OK(hipStreamWaitEvent(b, fork, 0));
    add<<<1, 64, 0, b>>>(data, 10);
    FAILS(hipStreamEndCapture(a, &graph), hipErrorStreamCaptureUnjoined);
}

static void built(int* data) {
    hipGraph_t graph;
    OK(hipGraphCreate(&graph, 0));
    hipGraphNode_t clear, launch, copy, call;
    hipMemsetParams fill = {};
    fill.dst = data;
    fill.elementSize = 4;
    fill.value = 40;
    fill.width = 64;
    fill.height = 1;
    OK(hipGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill));
    int value = 2, host[64] = {};
    void* arguments[] = {&data, &value};
    hipKernelNodeParams kernel = {};
    kernel.func = reinterpret_cast<void*>(add);
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(64);
    kernel.kernelParams = arguments;
    OK(hipGraphAddKernelNode(&launch, graph, &clear, 1, &kernel));
    OK(hipGraphAddMemcpyNode1D(&copy, graph, &launch, 1, host, data, sizeof host, hipMemcpyDeviceToHost));
    int hundred = 100;
    hipHostNodeParams function = {called, &hundred};
    OK(hipGraphAddHostNode(&call, graph, &copy, 1, &function));
    hipGraphNodeType type;
    OK(hipGraphNodeGetType(launch, &type));
    CHECK(type == hipGraphNodeTypeKernel);
    hipKernelNodeParams told = {};
    OK(hipGraphKernelNodeGetParams(launch, &told));
    CHECK(told.func == kernel.func && told.blockDim.x == 64 && told.gridDim.z == 1);
    CHECK(*static_cast<int**>(told.kernelParams[0]) == data && *static_cast<int*>(told.kernelParams[1]) == 2);
    hipMemcpy3DParms parms = {};
    OK(hipGraphMemcpyNodeGetParams(copy, &parms));
    CHECK(parms.dstPtr.ptr == host && parms.srcPtr.ptr == data && parms.extent.width == sizeof host);
    hipGraphExec_t ready;
    OK(hipGraphInstantiate(&ready, graph, nullptr, nullptr, 0));
    calls = 0;
    OK(hipGraphLaunch(ready, nullptr));
    OK(hipDeviceSynchronize());
    CHECK(host[0] == 42 && host[63] == 42 && calls == 100);
    value = 5;
    OK(hipGraphExecKernelNodeSetParams(ready, launch, &kernel));
    OK(hipGraphLaunch(ready, nullptr));
    CHECK(host[5] == 45 && calls == 200);
    FAILS(hipGraphExecMemsetNodeSetParams(ready, launch, &fill), hipErrorInvalidValue);
}

static void addresses() {
#if HIP_VERSION_MAJOR >= 6
    hipError_t (*count)(int*) = nullptr;
    hipDriverProcAddressQueryResult result;
    OK(hipGetProcAddress("hipGetDeviceCount", reinterpret_cast<void**>(&count), 600, 0, &result));
    int devices = 0;
    CHECK(count(&devices) == hipSuccess && devices == 1);
    FAILS(hipGetProcAddress("none", reinterpret_cast<void**>(&count), 600, 0, &result), hipErrorNotFound);
#endif
}

static void threads(int* data) {
    OK(hipMemset(data, 0, 256));
    std::vector<std::thread> all;
    for (int t = 0; t < 4; t++)
        all.emplace_back([=] {
            for (int i = 0; i < 20; i++) add<<<1, 64>>>(data, 1);
            OK(hipDeviceSynchronize());
        });
    for (auto& thread : all) thread.join();
    CHECK(first(data) == 80);
}

int main() {
    int* data;
    OK(hipMalloc(&data, 64 * sizeof(int)));
    OK(hipMemset(data, 0, 256));
    streams(data);
    captured(data);
    built(data);
    threads(data);
    addresses();
    std::puts("all right");
    return 0;
}
