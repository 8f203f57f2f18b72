//! Writes the profile: a rocpd database, and the counters as a native database beside it, merged into the first.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rocpd::counters::{
    CounterRecord, CountersTarget, CountersWriter as _, EventLayout, RocpdCountersWriter, current_node,
    current_process,
};
use rocpd::{
    AgentId, AgentInfo, AgentType, AllocationLevel, AllocationType, CodeObjectInfo, CodeStorage, CounterInfo,
    DispatchInfo, EventInfo, Guid, KernelId, KernelSymbolInfo, MemoryAllocationInfo, MemoryCopyInfo,
    MergeOptions, ProcessId, QueueId, QueueInfo, RegionInfo, Result, Storage, StorageOptions, StreamId,
    ThreadId, ThreadInfo, ValueType, Writer,
};
use sqtt_decoder::names::demangle;

use super::{Call, Counter, Dispatched, Done, Events, Profile, Side, What};

/// The agent of the host; that of device `n` is `n + 1`.
const HOST: i64 = 0;

/// Writes all.
pub(super) fn write(profile: &Profile, events: &Events) -> Result<()> {
    let storage = Storage::create(&profile.path, Guid::random(), StorageOptions::default())?;
    let mut writer = Writer::new(storage);
    let written = Rows::new(profile, events, &mut writer).and_then(|mut rows| rows.all());
    if let Err(error) = written {
        writer.discard();
        return Err(error);
    }
    writer.finish()?;
    counters(profile, events)
}

/// The rows of a database, and the keys of those that others refer to.
struct Rows<'a> {
    events: &'a Events,
    writer: &'a mut Writer,
    process: ProcessId,
    queue: QueueId,
    threads: BTreeMap<i64, ThreadId>,
    streams: BTreeMap<usize, StreamId>,
    kernels: BTreeMap<(usize, usize, String), KernelId>,
    /// The name of each call, by its number.
    calls: BTreeMap<u64, &'static str>,
}

fn signed(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn agent(device: Option<usize>) -> AgentId {
    AgentId(device.map_or(HOST, |device| signed(device) + 1))
}

fn gpu(profile: &Profile, process: ProcessId, device: usize) -> AgentInfo {
    AgentInfo::new(process)
        .kind(AgentType::Gpu)
        .absolute_index(agent(Some(device)).0)
        .logical_index(signed(device))
        .type_index(signed(device))
        .name(profile.target.to_owned())
        .model_name(format!("{} (simulated)", profile.product))
        .vendor_name("AMD".to_owned())
        .product_name(profile.product.to_owned())
}

fn described(process: ProcessId, counter: &Counter) -> CounterInfo {
    CounterInfo::new(process, counter.name.to_owned())
        .description(counter.description.to_owned())
        .block("SQ".to_owned())
}

impl<'a> Rows<'a> {
    fn new(profile: &'a Profile, events: &'a Events, writer: &'a mut Writer) -> Result<Rows<'a>> {
        let node = writer.register_node(&current_node())?;
        let mut info = current_process();
        info.node = node;
        let process = writer.register_process(&info)?;
        let host = AgentInfo::new(process)
            .kind(AgentType::Cpu)
            .absolute_index(HOST)
            .logical_index(0)
            .type_index(0)
            .name(std::env::consts::ARCH.to_owned());
        writer.register_agent(&host)?;
        for device in 0..profile.devices {
            let id = writer.register_agent(&gpu(profile, process, device))?;
            for counter in &profile.counters {
                let info = described(process, counter).agent(id).target_arch(AgentType::Gpu);
                writer
                    .register_counter(&info.component("rocm".to_owned()).value_type(ValueType::Absolute))?;
            }
        }
        let queue = writer.register_queue(&QueueInfo::new(0, process).name("simulated".to_owned()))?;
        let calls = events.calls.iter().map(|call| (call.number, call.name)).collect();
        let mut rows = Rows {
            events,
            writer,
            process,
            queue,
            threads: BTreeMap::new(),
            streams: BTreeMap::new(),
            kernels: BTreeMap::new(),
            calls,
        };
        rows.registered()?;
        Ok(rows)
    }

    /// Threads, streams, code objects, kernels.
    fn registered(&mut self) -> Result<()> {
        let of_calls = self.events.calls.iter().map(|call| call.thread);
        let threads: BTreeSet<i64> =
            of_calls.chain(self.events.done.iter().map(|done| done.thread)).collect();
        for tid in threads {
            let id = self.writer.register_thread(&ThreadInfo::new(self.process, tid))?;
            self.threads.insert(tid, id);
        }
        let streams: BTreeSet<usize> = self.events.done.iter().map(|done| done.stream).collect();
        for (number, stream) in streams.into_iter().enumerate() {
            let name = if number == 0 { "default stream".to_owned() } else { format!("stream {number}") };
            let id = self.writer.register_stream(&QueueInfo::new(signed(stream), self.process).name(name))?;
            self.streams.insert(stream, id);
        }
        let mut code = BTreeMap::new();
        for (number, loaded) in self.events.code.iter().enumerate() {
            let info = CodeObjectInfo::new(signed(number) + 1, self.process)
                .agent(agent(Some(loaded.device)))
                .uri(format!("memory://{}#{}", std::process::id(), loaded.name))
                .load_base(signed(loaded.address))
                .load_size(signed(loaded.size))
                .load_delta(signed(loaded.address))
                .storage(CodeStorage::Memory);
            code.insert((loaded.device, loaded.module), self.writer.register_code_object(&info)?);
        }
        for done in &self.events.done {
            let What::Dispatch(dispatch) = &done.what else { continue };
            let key = (dispatch.device, dispatch.module, dispatch.kernel.name.clone());
            let Some(&code_object) = code.get(&(dispatch.device, dispatch.module)) else { continue };
            if self.kernels.contains_key(&key) {
                continue;
            }
            let kernel = &dispatch.kernel;
            let shown = demangle(kernel.name.as_bytes()).unwrap_or_else(|| kernel.name.clone());
            let info = KernelSymbolInfo::new(signed(self.kernels.len()) + 1, self.process, code_object)
                .kernel_name(kernel.name.clone())
                .display_name(shown)
                .kernarg_segment_size(i64::from(kernel.kernarg_size))
                .group_segment_size(i64::from(kernel.lds_size))
                .private_segment_size(i64::from(kernel.private_size))
                .arch_vgpr_count(i64::from(kernel.vgpr_count));
            let id = self.writer.register_kernel_symbol(&info)?;
            self.kernels.insert(key, id);
        }
        Ok(())
    }

    fn all(&mut self) -> Result<()> {
        for call in &self.events.calls {
            self.call(call)?;
        }
        let mut dispatches = 0;
        for done in &self.events.done {
            match &done.what {
                What::Dispatch(dispatch) => {
                    dispatches += 1;
                    self.dispatch(done, dispatch, dispatches)?;
                }
                What::Copy { to, from, size } => self.copy(done, (to, from), *size)?,
                What::Allocate { device, address, size } => {
                    self.allocation(done, AllocationType::Alloc, *device, (*address, *size))?;
                }
                What::Free { device, address, size } => {
                    self.allocation(done, AllocationType::Free, *device, (*address, *size))?;
                }
            }
        }
        Ok(())
    }

    fn call(&mut self, call: &Call) -> Result<()> {
        let event = EventInfo::default().category("HIP_RUNTIME_API").stack_id(call.number.cast_signed());
        let event = self.writer.insert_event(&event)?;
        let Some(&thread) = self.threads.get(&call.thread) else { return Ok(()) };
        let region = RegionInfo::new(self.process, thread, call.name).start(call.times[0]).end(call.times[1]);
        self.writer.insert_region(&region.event(event))
    }

    /// The event of what happened in a call.
    fn event(&mut self, done: &Done, category: &'static str, more: Option<&str>) -> Result<rocpd::EventId> {
        let event = EventInfo::default().category(category).stack_id(done.call.cast_signed()).extdata(more);
        self.writer.insert_event(&event)
    }

    fn region_name(&self, done: &Done) -> String {
        self.calls.get(&done.call).copied().unwrap_or_default().to_owned()
    }

    fn dispatch(&mut self, done: &Done, dispatch: &Dispatched, number: i64) -> Result<()> {
        let key = (dispatch.device, dispatch.module, dispatch.kernel.name.clone());
        let (Some(&kernel), Some(&stream)) = (self.kernels.get(&key), self.streams.get(&done.stream)) else {
            return Ok(());
        };
        let cycles = format!("{{\"simulated_cycles\":{}}}", dispatch.cycles);
        let event = self.event(done, "KERNEL_DISPATCH", Some(&cycles))?;
        let block = dispatch.block.map(i64::from);
        let grid = [0, 1, 2].map(|k| i64::from(dispatch.grid[k]) * block[k]);
        let lds = i64::from(dispatch.kernel.lds_size) + i64::from(dispatch.dynamic_lds);
        let info =
            DispatchInfo::new(number, self.process, agent(Some(dispatch.device)), kernel, self.queue, stream)
                .start(done.times[0])
                .end(done.times[1])
                .workgroup_size(block)
                .grid_size(grid)
                .thread(self.threads.get(&done.thread).copied())
                .private_segment_size(i64::from(dispatch.kernel.private_size))
                .group_segment_size(lds)
                .region_name(self.region_name(done))
                .event(event);
        self.writer.insert_dispatch(&info)
    }

    fn copy(&mut self, done: &Done, (to, from): (&Side, &Side), size: usize) -> Result<()> {
        let event = self.event(done, "MEMORY_COPY", None)?;
        let side = |side: &Side| if side.device.is_some() { "DEVICE" } else { "HOST" };
        let name = format!("MEMORY_COPY_{}_TO_{}", side(from), side(to));
        let info = MemoryCopyInfo::new(self.process, name)
            .start(done.times[0])
            .end(done.times[1])
            .size(signed(size))
            .thread(self.threads.get(&done.thread).copied())
            .destination_agent(agent(to.device))
            .destination(signed(to.address))
            .source_agent(agent(from.device))
            .source(signed(from.address))
            .queue(self.queue)
            .stream(self.streams.get(&done.stream).copied())
            .region_name(self.region_name(done))
            .event(event);
        self.writer.insert_memory_copy(&info)
    }

    fn allocation(
        &mut self,
        done: &Done,
        kind: AllocationType,
        device: Option<usize>,
        (address, size): (usize, usize),
    ) -> Result<()> {
        let event = self.event(done, "MEMORY_ALLOCATION", None)?;
        let info = MemoryAllocationInfo::new(self.process, kind, AllocationLevel::Real)
            .start(done.times[0])
            .end(done.times[1])
            .size(signed(size))
            .thread(self.threads.get(&done.thread).copied())
            .agent(agent(device))
            .address(signed(address))
            .stream(self.streams.get(&done.stream).copied())
            .event(event);
        self.writer.insert_memory_allocation(&info)
    }
}

/// Writes the counters beside the database, as ROCm's native tool does, and merges them into it.
fn counters(profile: &Profile, events: &Events) -> Result<()> {
    if profile.counters.is_empty() {
        return Ok(());
    }
    let folder = profile.path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let target = CountersTarget::current(folder.unwrap_or(Path::new(".")));
    let mut writer = Box::new(RocpdCountersWriter::create(&target, EventLayout::default())?);
    for device in 0..profile.devices {
        writer.add_agent(agent(Some(device)).0.cast_unsigned(), &gpu(profile, ProcessId(0), device))?;
    }
    for (number, counter) in profile.counters.iter().enumerate() {
        writer.add_counter(number as u64 + 1, &described(ProcessId(0), counter))?;
    }
    let mut kernels = BTreeMap::new();
    let dispatches = events.done.iter().filter_map(|done| match &done.what {
        What::Dispatch(dispatch) => Some(dispatch),
        _ => None,
    });
    for (number, dispatch) in dispatches.enumerate() {
        let next = kernels.len() as u64 + 1;
        let kernel_id =
            *kernels.entry((dispatch.device, dispatch.module, &dispatch.kernel.name)).or_insert(next);
        let records = profile.counters.iter().enumerate().map(|(k, counter)| CounterRecord {
            dispatch_id: number as u64 + 1,
            agent: agent(Some(dispatch.device)).0.cast_unsigned(),
            kernel_id,
            lds_size: dispatch.kernel.lds_size + dispatch.dynamic_lds,
            counter: k as u64 + 1,
            value: (counter.value)(&dispatch.counts) as f64,
        });
        writer.write_counters(&records.collect::<Vec<_>>())?;
    }
    if let Some(native) = writer.finish()? {
        rocpd::merge(&profile.path, &native, MergeOptions::default(), &mut rocpd::silent)?;
    }
    Ok(())
}
