//! HIP's error codes, with the names and texts that `hipGetErrorName` and `hipGetErrorString` give.

use std::ffi::CStr;

/// A value of `hipError_t` other than success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Code(pub(crate) i32);

/// The result of a call.
pub(crate) type Status = Result<(), Code>;

/// A row of the table of errors: number, name, text.
type Row = (i32, &'static CStr, &'static CStr);

macro_rules! codes {
    ($($number:literal $constant:ident $name:literal $text:literal)*) => {
        impl Code {
            $(#[expect(clippy::allow_attributes, reason = "some codes are the program's to ask for alone")]
            #[allow(dead_code, reason = "some codes are the program's to ask for alone")]
            pub(crate) const $constant: Code = Code($number);)*
        }
        const CODES: &[Row] = &[$(($number, $name, $text)),*];
    };
}

codes! {
    1 INVALID_VALUE c"hipErrorInvalidValue" c"invalid argument"
    2 OUT_OF_MEMORY c"hipErrorOutOfMemory" c"out of memory"
    3 NOT_INITIALIZED c"hipErrorNotInitialized" c"initialization error"
    4 DEINITIALIZED c"hipErrorDeinitialized" c"driver shutting down"
    5 PROFILER_DISABLED c"hipErrorProfilerDisabled" c"profiler disabled"
    6 PROFILER_NOT_INITIALIZED c"hipErrorProfilerNotInitialized" c"profiler not initialized"
    7 PROFILER_STARTED c"hipErrorProfilerAlreadyStarted" c"profiler already started"
    8 PROFILER_STOPPED c"hipErrorProfilerAlreadyStopped" c"profiler already stopped"
    9 INVALID_CONFIGURATION c"hipErrorInvalidConfiguration" c"invalid configuration argument"
    12 INVALID_PITCH c"hipErrorInvalidPitchValue" c"invalid pitch argument"
    13 INVALID_SYMBOL c"hipErrorInvalidSymbol" c"invalid device symbol"
    17 INVALID_DEVICE_POINTER c"hipErrorInvalidDevicePointer" c"invalid device pointer"
    21 INVALID_DIRECTION c"hipErrorInvalidMemcpyDirection" c"invalid copy direction for memcpy"
    35 INSUFFICIENT_DRIVER c"hipErrorInsufficientDriver" c"driver version is insufficient for runtime version"
    52 MISSING_CONFIGURATION c"hipErrorMissingConfiguration" c"__global__ function call is not configured"
    53 PRIOR_LAUNCH_FAILURE c"hipErrorPriorLaunchFailure" c"unspecified launch failure in prior launch"
    98 INVALID_FUNCTION c"hipErrorInvalidDeviceFunction" c"invalid device function"
    100 NO_DEVICE c"hipErrorNoDevice" c"no ROCm-capable device is detected"
    101 INVALID_DEVICE c"hipErrorInvalidDevice" c"invalid device ordinal"
    200 INVALID_IMAGE c"hipErrorInvalidImage" c"device kernel image is invalid"
    201 INVALID_CONTEXT c"hipErrorInvalidContext" c"invalid device context"
    202 CONTEXT_CURRENT c"hipErrorContextAlreadyCurrent" c"context is already current context"
    205 MAP_FAILED c"hipErrorMapFailed" c"mapping of buffer object failed"
    206 UNMAP_FAILED c"hipErrorUnmapFailed" c"unmapping of buffer object failed"
    207 ARRAY_IS_MAPPED c"hipErrorArrayIsMapped" c"array is mapped"
    208 ALREADY_MAPPED c"hipErrorAlreadyMapped" c"resource already mapped"
    209 NO_BINARY c"hipErrorNoBinaryForGpu" c"no kernel image is available for execution on the device"
    210 ALREADY_ACQUIRED c"hipErrorAlreadyAcquired" c"resource already acquired"
    211 NOT_MAPPED c"hipErrorNotMapped" c"resource not mapped"
    212 NOT_MAPPED_AS_ARRAY c"hipErrorNotMappedAsArray" c"resource not mapped as array"
    213 NOT_MAPPED_AS_POINTER c"hipErrorNotMappedAsPointer" c"resource not mapped as pointer"
    214 ECC c"hipErrorECCNotCorrectable" c"uncorrectable ECC error encountered"
    215 UNSUPPORTED_LIMIT c"hipErrorUnsupportedLimit" c"limit is not supported on device"
    216 CONTEXT_IN_USE c"hipErrorContextAlreadyInUse" c"exclusive-thread device already in use by a different thread"
    217 PEER_UNSUPPORTED c"hipErrorPeerAccessUnsupported" c"peer access is not supported between these two devices"
    218 INVALID_KERNEL_FILE c"hipErrorInvalidKernelFile" c"invalid kernel file"
    219 INVALID_GRAPHICS c"hipErrorInvalidGraphicsContext" c"invalid OpenGL or DirectX context"
    300 INVALID_SOURCE c"hipErrorInvalidSource" c"device kernel image is invalid"
    301 FILE_NOT_FOUND c"hipErrorFileNotFound" c"file not found"
    302 SHARED_SYMBOL c"hipErrorSharedObjectSymbolNotFound" c"shared object symbol not found"
    303 SHARED_INIT c"hipErrorSharedObjectInitFailed" c"shared object initialization failed"
    304 OPERATING_SYSTEM c"hipErrorOperatingSystem" c"OS call failed or operation not supported on this OS"
    400 INVALID_HANDLE c"hipErrorInvalidHandle" c"invalid resource handle"
    401 ILLEGAL_STATE c"hipErrorIllegalState" c"the operation cannot be performed in the present state"
    500 NOT_FOUND c"hipErrorNotFound" c"named symbol not found"
    600 NOT_READY c"hipErrorNotReady" c"device not ready"
    700 ILLEGAL_ADDRESS c"hipErrorIllegalAddress" c"an illegal memory access was encountered"
    701 OUT_OF_RESOURCES c"hipErrorLaunchOutOfResources" c"too many resources requested for launch"
    702 TIMED_OUT c"hipErrorLaunchTimeOut" c"the launch timed out and was terminated"
    704 PEER_ENABLED c"hipErrorPeerAccessAlreadyEnabled" c"peer access is already enabled"
    705 PEER_NOT_ENABLED c"hipErrorPeerAccessNotEnabled" c"peer access has not been enabled"
    708 ACTIVE_PROCESS c"hipErrorSetOnActiveProcess" c"cannot set while device is active in this process"
    709 CONTEXT_DESTROYED c"hipErrorContextIsDestroyed" c"context is destroyed"
    710 ASSERT c"hipErrorAssert" c"device-side assert triggered"
    712 HOST_REGISTERED c"hipErrorHostMemoryAlreadyRegistered" c"part or all of the requested memory range is already mapped"
    713 HOST_NOT_REGISTERED c"hipErrorHostMemoryNotRegistered" c"pointer does not correspond to a registered memory region"
    719 LAUNCH_FAILURE c"hipErrorLaunchFailure" c"unspecified launch failure"
    720 COOPERATIVE_TOO_LARGE c"hipErrorCooperativeLaunchTooLarge" c"too many blocks in cooperative launch"
    801 NOT_SUPPORTED c"hipErrorNotSupported" c"operation not supported"
    900 CAPTURE_UNSUPPORTED c"hipErrorStreamCaptureUnsupported" c"operation not permitted when stream is capturing"
    901 CAPTURE_INVALIDATED c"hipErrorStreamCaptureInvalidated" c"operation failed due to a previous error during capture"
    902 CAPTURE_MERGE c"hipErrorStreamCaptureMerge" c"operation would result in a merge of separate capture sequences"
    903 CAPTURE_UNMATCHED c"hipErrorStreamCaptureUnmatched" c"capture was not ended in the same stream as it began"
    904 CAPTURE_UNJOINED c"hipErrorStreamCaptureUnjoined" c"capturing stream has unjoined work"
    905 CAPTURE_ISOLATION c"hipErrorStreamCaptureIsolation" c"dependency created on uncaptured work in another stream"
    906 CAPTURE_IMPLICIT c"hipErrorStreamCaptureImplicit" c"operation would make the legacy stream depend on a capturing blocking stream"
    907 CAPTURED_EVENT c"hipErrorCapturedEvent" c"operation not permitted on an event last recorded in a capturing stream"
    908 CAPTURE_THREAD c"hipErrorStreamCaptureWrongThread" c"attempt to terminate a thread-local capture sequence from another thread"
    910 GRAPH_UPDATE c"hipErrorGraphExecUpdateFailure" c"the graph update was not performed because it included changes which violated constraints specific to instantiated graph update"
    911 INVALID_CHANNEL c"hipErrorInvalidChannelDescriptor" c"invalid channel descriptor"
    912 INVALID_TEXTURE c"hipErrorInvalidTexture" c"invalid texture"
    999 UNKNOWN c"hipErrorUnknown" c"unknown error"
    1052 RUNTIME_MEMORY c"hipErrorRuntimeMemory" c"runtime memory call returned error"
    1053 RUNTIME_OTHER c"hipErrorRuntimeOther" c"runtime call other than memory returned error"
}

/// The name and the text of an error code.
pub(crate) fn texts(code: i32) -> (&'static CStr, &'static CStr) {
    match CODES.iter().find(|row| row.0 == code) {
        _ if code == 0 => (c"hipSuccess", c"no error"),
        Some(row) => (row.1, row.2),
        None => (c"hipErrorUnknown", c"unknown error"),
    }
}
