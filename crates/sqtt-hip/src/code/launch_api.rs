//! Functions that launch kernels.

use sqtt_sim::KernelInfo;

use super::kernarg;
use super::occupancy::resident_blocks;
use super::register_api::{Dim3, pop, pop_arguments};
use super::registry::Kernel;
use crate::call::api;
use crate::error::{Code, Status};
use crate::message;
use crate::place::Place;
use crate::raw::In;
use crate::runtime::{Runtime, lock};
use crate::sim::Dispatch;
use crate::work::operation::{Launch, Operation};
use crate::work::submit::submit;

/// The shape of a launch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared: usize,
    pub(crate) is_cooperative: bool,
}

impl Shape {
    pub(crate) fn new(grid: Dim3, block: Dim3, shared: usize) -> Shape {
        Shape { grid: grid.array(), block: block.array(), shared, is_cooperative: false }
    }

    /// A launch over work-items, as HIP's older functions have it.
    fn over_items(items: [u32; 3], block: [u32; 3], shared: usize) -> Result<Shape, Code> {
        let mut grid = [0; 3];
        for k in 0..3 {
            grid[k] = items[k].checked_div(block[k]).ok_or(Code::INVALID_CONFIGURATION)?;
            if grid[k] * block[k] != items[k] {
                message::say_once("grids whose last workgroups are partial are not simulated");
                return Err(Code::NOT_SUPPORTED);
            }
        }
        Ok(Shape { grid, block, shared, is_cooperative: false })
    }
}

/// Refuses a shape that the kernel or the device cannot have.
fn check(state: &Runtime, info: &KernelInfo, shape: &Shape) -> Status {
    let product = |dims: [u32; 3]| dims.iter().map(|&n| u64::from(n)).product::<u64>();
    let (groups, items) = (product(shape.grid), product(shape.block));
    let is_large = |k: usize| u64::from(shape.grid[k]) * u64::from(shape.block[k]) > u64::from(u32::MAX);
    if groups == 0 || items == 0 || items > 1024 || (0..3).any(is_large) {
        return Err(Code::INVALID_CONFIGURATION);
    }
    if items > u64::from(info.max_workgroup_size) {
        message::say(&format!(
            "{}: a block of {items} work-items, and its launch bounds allow {}",
            info.name, info.max_workgroup_size
        ));
        return Err(Code::LAUNCH_FAILURE);
    }
    let lds = (info.lds_size as usize).saturating_add(shape.shared);
    if lds > state.hardware.lds {
        message::say(&format!("{}: {lds} bytes of LDS, and there are {}", info.name, state.hardware.lds));
        return Err(Code::INVALID_VALUE);
    }
    if shape.is_cooperative {
        let blocks = resident_blocks(&state.hardware, info, items as u32, shape.shared);
        if groups > u64::from(blocks) * u64::from(state.hardware.units.cast_unsigned()) {
            return Err(Code::COOPERATIVE_TOO_LARGE);
        }
    }
    Ok(())
}

/// The operation of a launch.
pub(crate) fn prepare(
    state: &mut Runtime,
    kernel: Kernel,
    shape: &Shape,
    function: usize,
    arguments: impl FnOnce(&KernelInfo) -> Result<Vec<Vec<u8>>, Code>,
    place: Place,
) -> Result<Operation, Code> {
    let info = state.info(&kernel)?;
    check(state, &info, shape)?;
    let &Shape { grid, block, is_cooperative, .. } = shape;
    let dispatch = Dispatch {
        kernel: kernel.name.clone(),
        grid,
        block,
        arguments: arguments(&info)?,
        dynamic_lds: u32::try_from(shape.shared).map_err(|_| Code::INVALID_VALUE)?,
        is_cooperative,
    };
    Ok(Operation::Launch(Launch { kernel, dispatch, function, shown: Vec::new(), place }))
}

fn of_host(function: usize, shape: &Shape, arguments: In<usize>, stream: usize) -> Status {
    let place = Place::caller();
    let mut state = lock();
    let kernel = state.kernel_of(function).inspect_err(|_| {
        message::say(&format!("a launch at {place} of what is no kernel: {function:#x}"));
    })?;
    let pack = |info: &KernelInfo| kernarg::of_pointers(info, arguments);
    let operation = prepare(&mut state, kernel, shape, function, pack, place)?;
    drop(state);
    submit(stream, operation)
}

/// The two forms in which `hipModuleLaunchKernel` takes arguments.
type Arguments = (In<usize>, In<usize>);

fn of_module(function: usize, shape: &Shape, (pointers, extra): Arguments, stream: usize) -> Status {
    let place = Place::caller();
    let mut state = lock();
    let kernel = state.kernel_of_handle(function)?;
    let pack = |info: &KernelInfo| kernarg::of_either(info, pointers, extra);
    let operation = prepare(&mut state, kernel, shape, function, pack, place)?;
    drop(state);
    submit(stream, operation)
}

/// Does something between two events, which may be null.
fn between(events: (usize, usize), stream: usize, work: impl FnOnce() -> Status) -> Status {
    let record = |event| if event == 0 { Ok(()) } else { submit(stream, Operation::Record { event }) };
    record(events.0)?;
    work()?;
    record(events.1)
}

/// `hipLaunchParams`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct HostLaunch {
    function: usize,
    grid: Dim3,
    block: Dim3,
    arguments: In<usize>,
    shared: usize,
    stream: usize,
}

/// `hipFunctionLaunchParams`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct ModuleLaunch {
    function: usize,
    grid: Dim3,
    block: Dim3,
    shared: u32,
    stream: usize,
    arguments: In<usize>,
}

fn no_extra() -> In<usize> {
    In::at_address(0)
}

/// The rest of `hipExtModuleLaunchKernel`, whose grid counts work-items.
struct Extended {
    function: usize,
    items: [u32; 3],
    block: [u32; 3],
    shared: usize,
    stream: usize,
    arguments: Arguments,
    events: (usize, usize),
}

impl Extended {
    fn launch(self) -> Status {
        let shape = Shape::over_items(self.items, self.block, self.shared)?;
        between(self.events, self.stream, || of_module(self.function, &shape, self.arguments, self.stream))
    }
}

api! {
    /// Launches a kernel by its host function.
    fn hipLaunchKernel | hipLaunchKernel_spt (
        function: usize, grid: Dim3, block: Dim3, arguments: In<usize>, shared: usize, stream: usize,
    ) {
        of_host(function, &Shape::new(grid, block, shared), arguments, stream)
    }

    /// Launches a kernel by its host function, between two events.
    fn hipExtLaunchKernel(
        function: usize, grid: Dim3, block: Dim3, arguments: In<usize>, shared: usize, stream: usize,
        start: usize, stop: usize, _flags: i32,
    ) {
        let shape = Shape::new(grid, block, shared);
        between((start, stop), stream, || of_host(function, &shape, arguments, stream))
    }

    /// Launches a kernel whose workgroups may wait for each other.
    fn hipLaunchCooperativeKernel | hipLaunchCooperativeKernel_spt (
        function: usize, grid: Dim3, block: Dim3, arguments: In<usize>, shared: u32, stream: usize,
    ) {
        let shape = Shape { is_cooperative: true, ..Shape::new(grid, block, shared as usize) };
        of_host(function, &shape, arguments, stream)
    }

    /// Launches a kernel with what `hipConfigureCall` and `hipSetupArgument` kept.
    fn hipLaunchByPtr(function: usize) {
        let (grid, block, shared, stream) = pop().ok_or(Code::MISSING_CONFIGURATION)?;
        let (arguments, place) = (pop_arguments(), Place::caller());
        let mut state = lock();
        let kernel = state.kernel_of(function)?;
        let pack = |info: &KernelInfo| Ok(kernarg::of_buffer(info, &arguments));
        let operation = prepare(&mut state, kernel, &Shape::new(grid, block, shared), function, pack, place)?;
        drop(state);
        submit(stream, operation)
    }

    /// Launches a kernel of a module.
    fn hipModuleLaunchKernel(
        function: usize, gx: u32, gy: u32, gz: u32, bx: u32, by: u32, bz: u32, shared: u32, stream: usize,
        arguments: In<usize>, extra: In<usize>,
    ) {
        let (grid, block) = (Dim3 { x: gx, y: gy, z: gz }, Dim3 { x: bx, y: by, z: bz });
        of_module(function, &Shape::new(grid, block, shared as usize), (arguments, extra), stream)
    }

    /// Launches a kernel of a module whose workgroups may wait for each other.
    fn hipModuleLaunchCooperativeKernel(
        function: usize, gx: u32, gy: u32, gz: u32, bx: u32, by: u32, bz: u32, shared: u32, stream: usize,
        arguments: In<usize>,
    ) {
        let (grid, block) = (Dim3 { x: gx, y: gy, z: gz }, Dim3 { x: bx, y: by, z: bz });
        let shape = Shape { is_cooperative: true, ..Shape::new(grid, block, shared as usize) };
        of_module(function, &shape, (arguments, no_extra()), stream)
    }

    /// Launches a kernel over work-items, between two events.
    fn _Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j
        | hipExtModuleLaunchKernel (
        function: usize, gx: u32, gy: u32, gz: u32, bx: u32, by: u32, bz: u32, shared: usize, stream: usize,
        arguments: In<usize>, extra: In<usize>, start: usize, stop: usize, _flags: u32,
    ) {
        let (items, block) = ([gx, gy, gz], [bx, by, bz]);
        let (arguments, events) = ((arguments, extra), (start, stop));
        Extended { function, items, block, shared, stream, arguments, events }.launch()
    }

    /// Launches a kernel over work-items, between two events: the older name.
    fn _Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_
        | hipHccModuleLaunchKernel (
        function: usize, gx: u32, gy: u32, gz: u32, bx: u32, by: u32, bz: u32, shared: usize, stream: usize,
        arguments: In<usize>, extra: In<usize>, start: usize, stop: usize,
    ) {
        let (items, block) = ([gx, gy, gz], [bx, by, bz]);
        let (arguments, events) = ((arguments, extra), (start, stop));
        Extended { function, items, block, shared, stream, arguments, events }.launch()
    }

    /// Launches kernels on several devices.
    fn hipExtLaunchMultiKernelMultiDevice(list: In<HostLaunch>, count: i32, _flags: u32) {
        for launch in list.list(usize::try_from(count).map_err(|_| Code::INVALID_VALUE)?)? {
            let shape = Shape::new(launch.grid, launch.block, launch.shared);
            of_host(launch.function, &shape, launch.arguments, launch.stream)?;
        }
        Ok(())
    }

    /// Launches kernels on several devices whose workgroups may wait for those of the same device.
    fn hipLaunchCooperativeKernelMultiDevice(list: In<HostLaunch>, count: i32, _flags: u32) {
        for launch in list.list(usize::try_from(count).map_err(|_| Code::INVALID_VALUE)?)? {
            let plain = Shape::new(launch.grid, launch.block, launch.shared);
            let shape = Shape { is_cooperative: true, ..plain };
            of_host(launch.function, &shape, launch.arguments, launch.stream)?;
        }
        Ok(())
    }

    /// Launches kernels of modules on several devices whose workgroups may wait for those of the same device.
    fn hipModuleLaunchCooperativeKernelMultiDevice(list: In<ModuleLaunch>, count: u32, _flags: u32) {
        for launch in list.list(count as usize)? {
            let plain = Shape::new(launch.grid, launch.block, launch.shared as usize);
            let shape = Shape { is_cooperative: true, ..plain };
            of_module(launch.function, &shape, (launch.arguments, no_extra()), launch.stream)?;
        }
        Ok(())
    }
}
