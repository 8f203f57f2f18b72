//! Operations: all that can stand in a stream or in a graph.

use std::time::Instant;

use sqtt_sim::{KernelInfo, RunResult};

use super::event::Recorded;
use crate::code::lines;
use crate::code::registry::Kernel;
use crate::digest;
use crate::error::{Code, Status};
use crate::memory::allocate::{self, Request};
use crate::memory::allocations::Kind;
use crate::memory::copies::Copy;
use crate::memory::fills::Fill;
use crate::message;
use crate::place::Place;
use crate::profile;
use crate::raw::callback::{HostFunction, StreamCallback};
use crate::raw::span;
use crate::runtime::{Runtime, lock};
use crate::sim::{self, Dispatch};
use crate::trace;

/// A launch of a kernel.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    pub(crate) kernel: Kernel,
    pub(crate) dispatch: Dispatch,
    /// The function by which the program names the kernel.
    pub(crate) function: usize,
    /// The addresses of the arguments, for C.
    pub(crate) shown: Vec<usize>,
    pub(crate) place: Place,
}

impl Launch {
    /// The note of its run.
    fn noted(&self, device: usize, kernel: KernelInfo, result: &RunResult) -> profile::What {
        profile::What::Dispatch(Box::new(profile::Dispatched {
            device,
            module: self.kernel.module,
            kernel,
            grid: self.dispatch.grid,
            block: self.dispatch.block,
            dynamic_lds: self.dispatch.dynamic_lds,
            counts: result.counts,
            cycles: result.cycles,
        }))
    }
}

/// An operation.
#[derive(Debug, Clone)]
pub(crate) enum Operation {
    Launch(Launch),
    Copy(Copy),
    Fill(Fill),
    Host {
        function: HostFunction,
        argument: usize,
    },
    Callback {
        function: StreamCallback,
        stream: usize,
        argument: usize,
    },
    Record {
        event: usize,
    },
    Wait {
        event: usize,
    },
    Child {
        graph: usize,
    },
    /// Memory that is there since the operation was made.
    Allocate,
    Free {
        address: usize,
        place: Place,
    },
    /// A value of 4 or 8 bytes into memory.
    Write {
        address: usize,
        value: u64,
        bytes: usize,
    },
    Empty,
}

impl Operation {
    /// Refuses what the call that submits it has to refuse.
    pub(crate) fn check(&self, state: &Runtime) -> Status {
        match self {
            Operation::Copy(copy) => copy.check(state, "hipMemcpy"),
            Operation::Fill(fill) => fill.check(state),
            Operation::Record { event } | Operation::Wait { event } => {
                state.events.get(event).map(|_| ()).ok_or(Code::INVALID_HANDLE)
            }
            _ => Ok(()),
        }
    }

    /// Does it, for a device.
    pub(crate) fn run(&self, device: usize) -> Status {
        match self {
            Operation::Launch(launch) => return run_launch(launch, device),
            Operation::Copy(copy) => {
                profile::note(|| (copy.run(), copy.noted()));
                lock().mark_written(copy.to.address, copy.to.reach(copy.width, copy.height, copy.depth));
            }
            Operation::Fill(fill) => {
                fill.run();
                lock().mark_written(fill.to.address, fill.to.reach(fill.width, fill.height, fill.depth));
            }
            Operation::Host { function, argument } => function.call(*argument),
            Operation::Callback { function, stream, argument } => {
                let status = lock().check(device).map_or_else(|Code(code)| code, |()| 0);
                function.call(*stream, status, *argument);
            }
            Operation::Record { event } => {
                let mut state = lock();
                let event = state.events.get_mut(event).ok_or(Code::INVALID_HANDLE)?;
                event.recorded = Recorded::At(Instant::now());
            }
            Operation::Child { graph } => {
                let list = lock().graphs.in_order(*graph)?;
                list.iter().try_for_each(|(_, operation)| operation.run(device))?;
            }
            Operation::Free { address, place } => {
                let kinds = [Kind::Device, Kind::Managed];
                allocate::release(&mut lock(), *address, &kinds, "hipFreeAsync", *place)?;
            }
            Operation::Write { address, value, bytes } => {
                span::write(*address, &value.to_le_bytes()[..*bytes]);
                lock().mark_written(*address, Some(*bytes));
            }
            Operation::Allocate | Operation::Wait { .. } | Operation::Empty => {}
        }
        Ok(())
    }
}

/// Runs a kernel. A fault is the device's error from then on, and no error of the launch.
fn run_launch(launch: &Launch, device: usize) -> Status {
    let mut state = lock();
    let loaded = state.loaded(launch.kernel.module, device)?;
    let simulated = state.devices[device].simulated.clone();
    let settings = state.settings.clone();
    let ready = state.ready(launch.kernel.module)?;
    let info = state.info(&launch.kernel)?;
    let asks = info.args.iter().any(|arg| matches!(&*arg.kind, "hidden_hostcall_buffer" | "hidden_heap_v1"));
    let services = if asks { Some(state.services(device)?) } else { None };
    drop(state);
    let ran = profile::note(|| {
        let ran = simulated.launch(&loaded, &launch.dispatch, &settings, services.clone());
        let noted = ran.as_ref().ok().map(|outcome| launch.noted(device, info, &outcome.result));
        (ran, noted)
    });
    let stopped = match ran {
        Ok(outcome) => {
            if let Some(folder) = &settings.trace {
                trace::write(folder, &ready, &launch.dispatch.kernel, &outcome.result);
            }
            outcome.stopped
        }
        Err(error) => Some(error),
    };
    let Some(error) = stopped else {
        return match &settings.digests {
            Some(path) => digest::append(path, &mut lock(), &launch.kernel, device),
            None => Ok(()),
        };
    };
    let has_failed = services.is_some_and(|services| {
        let has_failed = services.take_assertion();
        services.reset();
        has_failed
    });
    let mut state = lock();
    let mut text = format!("device {device}, launched at {}: {error}", launch.place);
    if let sqtt_sim::SimError::Execution(at) = &error
        && let Some(line) = lines::line(&ready.bytes, at.pc)
    {
        text.push_str(&format!(" at {line}"));
    }
    let address = sim::fault_address(&error);
    if let Some(address) = address {
        text.push_str(&format!(" ({})", state.memory.describe(address as usize)));
        let owner = state.memory.at(address as usize).map(|allocation| allocation.device);
        if let Some(owner) = owner.filter(|&owner| owner != device) {
            text.push_str(&format!(
                ", memory of device {owner}, which hipDeviceEnablePeerAccess lets others see"
            ));
        }
    }
    message::say(&text);
    let code = match error {
        sqtt_sim::SimError::Execution(_) if has_failed => Code::ASSERT,
        sqtt_sim::SimError::Execution(_) if address.is_some() => Code::ILLEGAL_ADDRESS,
        sqtt_sim::SimError::Execution(_) => Code::LAUNCH_FAILURE,
        // The launch never began.
        _ => return Err(Code::INVALID_VALUE),
    };
    state.devices[device].fault = Some(code);
    Ok(())
}

/// An allocation in a stream: its address is known at once, and belongs to it from then on.
pub(crate) fn allocate_in_stream(
    state: &mut Runtime,
    request: &Request,
    place: Place,
) -> Result<(usize, Operation), Code> {
    let address = allocate::allocate(state, request, place)?;
    Ok((address, Operation::Allocate))
}
