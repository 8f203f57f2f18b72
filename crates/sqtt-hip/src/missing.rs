//! Functions that are not there: their call is an error that names them.

use crate::call::guard;
use crate::error::Code;
use crate::message;

/// Functions that say so, and return `hipErrorNotSupported`.
macro_rules! missing {
    ($($name:ident)*) => {
        /// The names of functions that are not there.
        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(
            #[unsafe(no_mangle)]
            pub(crate) extern "C" fn $name() -> i32 {
                guard(stringify!($name), || {
                    message::say_once(concat!(
                        stringify!($name),
                        " is not simulated; `sqtt run --list-functions` says what is"
                    ));
                    Err(Code::NOT_SUPPORTED)
                })
            }
        )*
    };
}

missing! {
    hipBindTexture
    hipBindTexture2D
    hipBindTextureToArray
    hipBindTextureToMipmappedArray
    hipDestroyExternalMemory
    hipDestroyExternalSemaphore
    hipDrvGraphExecMemcpyNodeSetParams
    hipDrvGraphExecMemsetNodeSetParams
    hipDrvGraphMemcpyNodeGetParams
    hipDrvGraphMemcpyNodeSetParams
    hipEnableActivityCallback
    hipExternalMemoryGetMappedBuffer
    hipExternalMemoryGetMappedMipmappedArray
    hipFreeMipmappedArray
    hipGLGetDevices
    hipGetCmdName
    hipGetMipmappedArrayLevel
    hipGetTextureAlignmentOffset
    hipGetTextureObjectResourceViewDesc
    hipGetTextureReference
    hipGraphAddBatchMemOpNode
    hipGraphAddExternalSemaphoresSignalNode
    hipGraphAddExternalSemaphoresWaitNode
    hipGraphAddNode
    hipGraphBatchMemOpNodeGetParams
    hipGraphBatchMemOpNodeSetParams
    hipGraphExecBatchMemOpNodeSetParams
    hipGraphExecExternalSemaphoresSignalNodeSetParams
    hipGraphExecExternalSemaphoresWaitNodeSetParams
    hipGraphExecNodeSetParams
    hipGraphExternalSemaphoresSignalNodeGetParams
    hipGraphExternalSemaphoresSignalNodeSetParams
    hipGraphExternalSemaphoresWaitNodeGetParams
    hipGraphExternalSemaphoresWaitNodeSetParams
    hipGraphKernelNodeCopyAttributes
    hipGraphKernelNodeGetAttribute
    hipGraphKernelNodeSetAttribute
    hipGraphMemAllocNodeGetParams
    hipGraphNodeSetParams
    hipGraphicsGLRegisterBuffer
    hipGraphicsGLRegisterImage
    hipGraphicsMapResources
    hipGraphicsResourceGetMappedPointer
    hipGraphicsSubResourceGetMappedArray
    hipGraphicsUnmapResources
    hipGraphicsUnregisterResource
    hipImportExternalMemory
    hipImportExternalSemaphore
    hipInitActivityCallback
    hipIpcCloseMemHandle
    hipIpcGetEventHandle
    hipIpcGetMemHandle
    hipIpcOpenEventHandle
    hipIpcOpenMemHandle
    hipMallocMipmappedArray
    hipMemAddressFree
    hipMemAddressReserve
    hipMemCreate
    hipMemExportToShareableHandle
    hipMemGetAccess
    hipMemGetAllocationGranularity
    hipMemGetAllocationPropertiesFromHandle
    hipMemImportFromShareableHandle
    hipMemMap
    hipMemMapArrayAsync
    hipMemPoolExportPointer
    hipMemPoolExportToShareableHandle
    hipMemPoolImportFromShareableHandle
    hipMemPoolImportPointer
    hipMemRelease
    hipMemRetainAllocationHandle
    hipMemSetAccess
    hipMemUnmap
    hipMipmappedArrayCreate
    hipMipmappedArrayDestroy
    hipMipmappedArrayGetLevel
    hipModuleGetTexRef
    hipPointerSetAttribute
    hipRegisterActivityCallback
    hipRegisterApiCallback
    hipRemoveActivityCallback
    hipRemoveApiCallback
    hipSignalExternalSemaphoresAsync
    hipStreamBatchMemOp
    hipTexObjectCreate
    hipTexObjectDestroy
    hipTexObjectGetResourceDesc
    hipTexObjectGetResourceViewDesc
    hipTexObjectGetTextureDesc
    hipTexRefGetAddress
    hipTexRefGetAddressMode
    hipTexRefGetArray
    hipTexRefGetBorderColor
    hipTexRefGetFilterMode
    hipTexRefGetFlags
    hipTexRefGetFormat
    hipTexRefGetMaxAnisotropy
    hipTexRefGetMipMappedArray
    hipTexRefGetMipmapFilterMode
    hipTexRefGetMipmapLevelBias
    hipTexRefGetMipmapLevelClamp
    hipTexRefSetAddress
    hipTexRefSetAddress2D
    hipTexRefSetAddressMode
    hipTexRefSetArray
    hipTexRefSetBorderColor
    hipTexRefSetFilterMode
    hipTexRefSetFlags
    hipTexRefSetFormat
    hipTexRefSetMaxAnisotropy
    hipTexRefSetMipmapFilterMode
    hipTexRefSetMipmapLevelBias
    hipTexRefSetMipmapLevelClamp
    hipTexRefSetMipmappedArray
    hipUnbindTexture
    hipWaitExternalSemaphoresAsync
    hiprtcGetBitcode
    hiprtcGetBitcodeSize
    hiprtcLinkAddData
    hiprtcLinkAddFile
    hiprtcLinkComplete
    hiprtcLinkCreate
    hiprtcLinkDestroy
}
