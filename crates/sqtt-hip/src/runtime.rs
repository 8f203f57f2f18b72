//! The state of the process: one lock around all that calls change.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use crate::code::registry::Registry;
use crate::device::hardware::Hardware;
use crate::error::{Code, Status};
use crate::memory::allocations::Allocations;
use crate::memory::arrays::Array;
use crate::memory::pools::Pool;
use crate::memory::textures::Objects;
use crate::message;
use crate::profile;
use crate::raw::exit;
use crate::services::Services;
use crate::settings::Settings;
use crate::sim::Simulated;
use crate::work::event::Event;
use crate::work::graph::Graphs;
use crate::work::stream::Stream;

/// One simulated device.
pub(crate) struct Device {
    pub(crate) simulated: Arc<Simulated>,
    /// Devices whose memory its kernels see.
    pub(crate) peers: Vec<usize>,
    /// The error of a kernel that could not go on: all calls return it until the device is reset.
    pub(crate) fault: Option<Code>,
    /// The pool of `hipMallocAsync`.
    pub(crate) pool: usize,
    pub(crate) flags: u32,
    pub(crate) is_active: bool,
    pub(crate) limits: HashMap<i32, usize>,
    /// Set up for the first kernel that asks the host for something.
    pub(crate) services: Option<Arc<Services>>,
}

/// All state.
pub(crate) struct Runtime {
    pub(crate) settings: Settings,
    pub(crate) hardware: Hardware,
    pub(crate) devices: Vec<Device>,
    pub(crate) memory: Allocations,
    pub(crate) code: Registry,
    pub(crate) streams: HashMap<usize, Stream>,
    pub(crate) events: HashMap<usize, Event>,
    pub(crate) graphs: Graphs,
    pub(crate) arrays: HashMap<usize, Array>,
    /// Texture and surface objects.
    pub(crate) objects: Objects,
    pub(crate) pools: HashMap<usize, Pool>,
    handles: usize,
}

static RUNTIME: LazyLock<Mutex<Runtime>> = LazyLock::new(|| Mutex::new(Runtime::new()));

/// The state, locked.
pub(crate) fn lock() -> MutexGuard<'static, Runtime> {
    // A call that panicked changed one thing at a time: the state holds.
    RUNTIME.lock().unwrap_or_else(PoisonError::into_inner)
}

thread_local! {
    static DEVICE: Cell<usize> = const { Cell::new(0) };
    static CONTEXTS: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// The thread's device.
pub(crate) fn current_device() -> usize {
    DEVICE.get()
}

/// Changes the thread's device.
pub(crate) fn set_current_device(device: usize) {
    DEVICE.set(device);
}

/// The devices that `hipCtxPushCurrent` put aside.
pub(crate) fn contexts<T>(change: impl FnOnce(&mut Vec<usize>) -> T) -> T {
    CONTEXTS.with_borrow_mut(change)
}

/// The first handle: an address that no process has, so that a program that looks behind one fails at once.
const HANDLES: usize = 0x0100_0000_0000_0000;

/// `hipLimitMallocHeapSize`.
const HEAP_LIMIT: i32 = 2;

/// Bytes for the device's `malloc`.
fn heap_limit(asked: Option<usize>) -> usize {
    asked.unwrap_or(128 << 20).clamp(16 << 20, 64 << 30)
}

impl Runtime {
    fn new() -> Runtime {
        let (settings, wrong) = Settings::from_variables(|name| std::env::var_os(name));
        wrong.iter().for_each(|text| message::say(text));
        let hardware = Hardware::of(settings.target);
        profile::start(&settings, hardware.product);
        let device = |_| Device {
            simulated: Arc::new(Simulated::new()),
            peers: Vec::new(),
            fault: None,
            pool: 0,
            flags: 0,
            is_active: false,
            limits: HashMap::new(),
            services: None,
        };
        Runtime {
            hardware,
            devices: (0..settings.devices).map(device).collect(),
            settings,
            memory: Allocations::new(),
            code: Registry::default(),
            streams: HashMap::new(),
            events: HashMap::new(),
            graphs: Graphs::default(),
            arrays: HashMap::new(),
            objects: Objects::new(),
            pools: HashMap::new(),
            handles: HANDLES,
        }
    }

    /// A new handle.
    pub(crate) fn handle(&mut self) -> usize {
        self.handles += 16;
        self.handles
    }

    /// The services of a device, for kernels that ask the host for something.
    pub(crate) fn services(&mut self, device: usize) -> Result<Arc<Services>, Code> {
        let own = self.devices.get(device).ok_or(Code::INVALID_DEVICE)?;
        if let Some(services) = &own.services {
            return Ok(services.clone());
        }
        let pool = heap_limit(own.limits.get(&HEAP_LIMIT).copied());
        let services = Arc::new(Services::new(self, device, pool)?);
        self.devices[device].services = Some(services.clone());
        Ok(services)
    }

    /// A device by the number that C passed.
    pub(crate) fn device(&self, device: i32) -> Result<usize, Code> {
        let number = usize::try_from(device).ok().filter(|&number| number < self.devices.len());
        number.ok_or(Code::INVALID_DEVICE)
    }

    /// Notes that the host wrote memory, where reads of what nothing wrote are errors.
    pub(crate) fn mark_written(&self, address: usize, size: Option<usize>) {
        if let (true, Some(size)) = (self.settings.check_uninitialized, size) {
            self.devices.iter().for_each(|device| device.simulated.mark_written(address, size));
        }
    }

    /// Sets the error of a device whose kernel could not go on, or that is well again.
    pub(crate) fn set_fault(&mut self, device: usize, fault: Option<Code>) {
        self.devices[device].fault = fault;
        exit::set_faulted(self.devices.iter().filter(|device| device.fault.is_some()).count());
    }

    /// The error of a device that faulted.
    pub(crate) fn check(&self, device: usize) -> Status {
        match self.devices.get(device).and_then(|device| device.fault) {
            Some(code) => Err(code),
            None => Ok(()),
        }
    }
}
