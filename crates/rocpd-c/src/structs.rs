//! The C structs of registered rows, and what they become. All members have eight bytes, so that there is no
//! padding; both sides assert the sizes.

use rocpd_lib::{
    AgentId, AgentInfo, AgentType, CodeObjectId, CodeObjectInfo, CodeStorage, CounterInfo, KernelSymbolInfo,
    NodeId, NodeInfo, ProcessId, ProcessInfo, QueueInfo, ThreadId, ThreadInfo, TrackInfo, ValueType,
};

use crate::error::{Failure, Status};
use crate::raw::{self, Text};

/// Defines a struct as C lays it out, and asserts its size.
macro_rules! c_struct {
    ($(#[$doc:meta])* $name:ident $(<$life:lifetime>)?, $size:literal; $($field:ident: $type:ty),* $(,)?) => {
        $(#[$doc])*
        #[derive(Debug)]
        #[repr(C)]
        pub(crate) struct $name $(<$life>)? {
            $(pub(crate) $field: $type,)*
        }
        const _: () = assert!(size_of::<$name>() == $size);
    };
}
pub(crate) use c_struct;

fn storage(text: Text) -> Result<Option<CodeStorage>, Failure> {
    match text.get().as_deref() {
        None => Ok(None),
        Some("FILE") => Ok(Some(CodeStorage::File)),
        Some("MEMORY") => Ok(Some(CodeStorage::Memory)),
        Some(other) => {
            let message = format!("code_object.storage: {other:?} is not valid: FILE or MEMORY");
            Err(Failure::new(Status::InvalidArgument, message))
        }
    }
}

c_struct! {
    /// `rocpd_node`.
    RocpdNode, 72;
    id: i64, hash: i64, machine_id: Text, system_name: Text, hostname: Text, release: Text, version: Text, hardware_name: Text, domain_name: Text
}

impl RocpdNode {
    pub(crate) fn info(&self) -> Result<NodeInfo, Failure> {
        Ok(NodeInfo::new(self.hash, self.machine_id.required("node.machine_id")?)
            .id(raw::number(self.id))
            .system_name(self.system_name.get())
            .hostname(self.hostname.get())
            .release(self.release.get())
            .version(self.version.get())
            .hardware_name(self.hardware_name.get())
            .domain_name(self.domain_name.get()))
    }
}

c_struct! {
    /// `rocpd_process`.
    RocpdProcess, 88;
    id: i64, node: i64, pid: i64, ppid: i64, init: i64, fini: i64, start: i64, end: i64, command: Text, environment: Text, extdata: Text
}

impl RocpdProcess {
    pub(crate) fn info(&self) -> Result<ProcessInfo, Failure> {
        Ok(ProcessInfo::new(NodeId(self.node), self.pid)
            .id(raw::number(self.id))
            .ppid(raw::number(self.ppid))
            .init(raw::number(self.init))
            .fini(raw::number(self.fini))
            .start(raw::number(self.start))
            .end(raw::number(self.end))
            .command(self.command.get())
            .environment(self.environment.get())
            .extdata(self.extdata.get()))
    }
}

c_struct! {
    /// `rocpd_thread`.
    RocpdThread, 64;
    id: i64, process: i64, ppid: i64, tid: i64, name: Text, start: i64, end: i64, extdata: Text
}

impl RocpdThread {
    pub(crate) fn info(&self) -> Result<ThreadInfo, Failure> {
        Ok(ThreadInfo::new(ProcessId(self.process), self.tid)
            .id(raw::number(self.id))
            .ppid(raw::number(self.ppid))
            .name(self.name.get())
            .start(raw::number(self.start))
            .end(raw::number(self.end))
            .extdata(self.extdata.get()))
    }
}

c_struct! {
    /// `rocpd_agent`.
    RocpdAgent, 104;
    id: i64, process: i64, kind: Text, absolute_index: i64, logical_index: i64, type_index: i64, uuid: i64, name: Text, model_name: Text, vendor_name: Text, product_name: Text, user_name: Text, extdata: Text
}

impl RocpdAgent {
    pub(crate) fn info(&self) -> Result<AgentInfo, Failure> {
        Ok(AgentInfo::new(ProcessId(self.process))
            .id(raw::number(self.id))
            .kind(self.kind.get().as_deref().map(AgentType::parse).transpose()?)
            .absolute_index(raw::number(self.absolute_index))
            .logical_index(raw::number(self.logical_index))
            .type_index(raw::number(self.type_index))
            .uuid(raw::number(self.uuid))
            .name(self.name.get())
            .model_name(self.model_name.get())
            .vendor_name(self.vendor_name.get())
            .product_name(self.product_name.get())
            .user_name(self.user_name.get())
            .extdata(self.extdata.get()))
    }
}

c_struct! {
    /// `rocpd_queue`.
    RocpdQueue, 32;
    id: i64, process: i64, name: Text, extdata: Text
}

impl RocpdQueue {
    pub(crate) fn info(&self) -> Result<QueueInfo, Failure> {
        Ok(QueueInfo::new(self.id, ProcessId(self.process)).name(self.name.get()).extdata(self.extdata.get()))
    }
}

c_struct! {
    /// `rocpd_counter`.
    RocpdCounter, 144;
    id: i64, process: i64, agent: i64, target_arch: Text, event_code: i64, instance_id: i64, name: Text, symbol: Text, description: Text, long_description: Text, component: Text, units: Text, value_type: Text, block: Text, expression: Text, is_constant: i64, is_derived: i64, extdata: Text
}

impl RocpdCounter {
    pub(crate) fn info(&self) -> Result<CounterInfo, Failure> {
        Ok(CounterInfo::new(ProcessId(self.process), self.name.required("counter.name")?)
            .id(raw::number(self.id))
            .agent(raw::number(self.agent).map(AgentId))
            .target_arch(self.target_arch.get().as_deref().map(AgentType::parse).transpose()?)
            .event_code(raw::number(self.event_code))
            .instance_id(raw::number(self.instance_id))
            .symbol(self.symbol.required("counter.symbol")?)
            .description(self.description.get())
            .long_description(self.long_description.get())
            .component(self.component.get())
            .units(self.units.get())
            .value_type(self.value_type.get().as_deref().map(ValueType::parse).transpose()?)
            .block(self.block.get())
            .expression(self.expression.get())
            .is_constant(raw::number(self.is_constant).map(|flag| flag != 0))
            .is_derived(raw::number(self.is_derived).map(|flag| flag != 0))
            .extdata(self.extdata.get()))
    }
}

c_struct! {
    /// `rocpd_code_object`.
    RocpdCodeObject, 72;
    id: i64, process: i64, agent: i64, uri: Text, load_base: i64, load_size: i64, load_delta: i64, storage: Text, extdata: Text
}

impl RocpdCodeObject {
    pub(crate) fn info(&self) -> Result<CodeObjectInfo, Failure> {
        Ok(CodeObjectInfo::new(self.id, ProcessId(self.process))
            .agent(raw::number(self.agent).map(AgentId))
            .uri(self.uri.get())
            .load_base(raw::number(self.load_base))
            .load_size(raw::number(self.load_size))
            .load_delta(raw::number(self.load_delta))
            .storage(storage(self.storage)?)
            .extdata(self.extdata.get()))
    }
}

c_struct! {
    /// `rocpd_kernel_symbol`.
    RocpdKernelSymbol, 112;
    id: i64, process: i64, code_object: i64, kernel_name: Text, display_name: Text, kernel_object: i64, kernarg_segment_size: i64, kernarg_segment_alignment: i64, group_segment_size: i64, private_segment_size: i64, sgpr_count: i64, arch_vgpr_count: i64, accum_vgpr_count: i64, extdata: Text
}

impl RocpdKernelSymbol {
    pub(crate) fn info(&self) -> Result<KernelSymbolInfo, Failure> {
        Ok(KernelSymbolInfo::new(self.id, ProcessId(self.process), CodeObjectId(self.code_object))
            .kernel_name(self.kernel_name.get())
            .display_name(self.display_name.get())
            .kernel_object(raw::number(self.kernel_object))
            .kernarg_segment_size(raw::number(self.kernarg_segment_size))
            .kernarg_segment_alignment(raw::number(self.kernarg_segment_alignment))
            .group_segment_size(raw::number(self.group_segment_size))
            .private_segment_size(raw::number(self.private_segment_size))
            .sgpr_count(raw::number(self.sgpr_count))
            .arch_vgpr_count(raw::number(self.arch_vgpr_count))
            .accum_vgpr_count(raw::number(self.accum_vgpr_count))
            .extdata(self.extdata.get()))
    }
}

c_struct! {
    /// `rocpd_track`.
    RocpdTrack, 32;
    node: i64, process: i64, thread: i64, name: Text
}

impl RocpdTrack {
    pub(crate) fn info(&self) -> Result<TrackInfo, Failure> {
        Ok(TrackInfo::new(NodeId(self.node))
            .process(raw::number(self.process).map(ProcessId))
            .thread(raw::number(self.thread).map(ThreadId))
            .name(self.name.get()))
    }
}
