//! From a launch to initial memory and registers.

use crate::counts::Counts;
use crate::env::{PRIVATE_APERTURE, SCRATCH_BASE, SHARED_APERTURE};
use crate::error::{ExecutionError, Fault, SimError};
use crate::inst::sreg;
use crate::launch::{Arg, Launch};
use crate::load::metadata::{KernelArg, KernelInfo};
use crate::memory::Memory;
use crate::program::Program;
use crate::wave::{Mode, State, TEMP_ROWS, Wave, ZERO};

/// Stack for kernels whose need the compiler could not bound, per lane.
const DYNAMIC_STACK: u32 = 16 << 10;
/// Segments of arguments are multiples of this, as a runtime allocates them: LLVM widens the last scalar load.
const KERNARG_ALIGN: u32 = 64;
/// Spare rows behind the named registers, so that no operand's tail leaves the file.
const SPARE_ROWS: usize = 16;

/// A launch made ready: memory filled, everything resolved.
pub(crate) struct Dispatch<'p> {
    pub(crate) program: &'p Program,
    /// The address of the program's image.
    pub(crate) base: u64,
    pub(crate) kernel: &'p KernelInfo,
    pub(crate) grid: [u32; 3],
    block: [u32; 3],
    entry: usize,
    kernarg: u64,
    packet: u64,
    queue: u64,
    kernarg_bytes: Vec<u8>,
    pub(crate) lds: u32,
    private: u32,
    /// Waves per workgroup.
    pub(crate) waves: u32,
    /// `(argument, address)` of the buffers.
    pub(crate) buffers: Vec<(usize, u64)>,
    pub(crate) cooperative: bool,
}

impl<'p> Dispatch<'p> {
    /// Resolves a launch, and puts what it brings along into memory.
    pub(crate) fn new(
        program: &'p Program,
        base: u64,
        launch: &Launch,
        memory: &mut Memory,
    ) -> Result<Dispatch<'p>, SimError> {
        let kernel = program.kernel(&launch.kernel)?;
        let bad = |reason: String| SimError::Launch { kernel: kernel.name.clone(), reason };
        let items = product(launch.block).filter(|&n| n > 0 && n <= u64::from(kernel.max_workgroup_size));
        let items = items.ok_or_else(|| {
            bad(format!(
                "a block of {:?} work-items; 1 to {} are possible",
                launch.block, kernel.max_workgroup_size
            ))
        })?;
        let groups = product(launch.grid).filter(|&n| n > 0 && n <= 1 << 24);
        groups.ok_or_else(|| {
            bad(format!("a grid of {:?} workgroups; 1 to {} are possible", launch.grid, 1 << 24))
        })?;
        let entry = program.code.find(kernel.descriptor.entry).ok_or_else(|| {
            bad(format!("its entry {:#x} is not the start of an instruction", kernel.descriptor.entry))
        })? as usize;
        let d = &kernel.descriptor;
        if d.rsrc1 >> 12 & 0xf != 0 || d.rsrc1 >> 26 & 1 != 0 {
            return Err(bad(
                "its MODE asks for another rounding or for f16 overflow clamping, which are not simulated"
                    .to_owned(),
            ));
        }
        if d.rsrc2 >> 10 & 1 != 0 {
            return Err(bad("it asks for the workgroup-info register, which is not simulated".to_owned()));
        }
        let lds = kernel.lds_size.checked_add(launch.dynamic_lds).filter(|&n| n <= 160 << 10);
        let lds =
            lds.ok_or_else(|| bad(format!("{} bytes of dynamic LDS are too many", launch.dynamic_lds)))?;
        let private =
            kernel.private_size.div_ceil(4) * 4 + if kernel.dynamic_stack { DYNAMIC_STACK } else { 0 };
        if private > 1 << 20 {
            return Err(bad(format!("{private} bytes of scratch per lane; at most 1 MiB is possible")));
        }
        let mut dispatch = Dispatch {
            program,
            base,
            kernel,
            grid: launch.grid,
            block: launch.block,
            entry,
            kernarg: 0,
            packet: 0,
            queue: 0,
            kernarg_bytes: vec![0; kernel.kernarg_size.min(1 << 16).next_multiple_of(KERNARG_ALIGN) as usize],
            lds,
            private,
            waves: u32::try_from(items.div_ceil(u64::from(kernel.wave_size))).unwrap_or(u32::MAX),
            buffers: Vec::new(),
            cooperative: launch.cooperative,
        };
        let mut queue = vec![0u8; 256];
        // amd_queue_t: group_segment_aperture_base_hi at 64, private_segment_aperture_base_hi at 68.
        queue[64..68].copy_from_slice(&((SHARED_APERTURE >> 32) as u32).to_le_bytes());
        queue[68..72].copy_from_slice(&((PRIVATE_APERTURE >> 32) as u32).to_le_bytes());
        dispatch.queue = memory.add("the queue structure".to_owned(), &queue, false);
        dispatch.fill_args(launch, memory).map_err(bad)?;
        dispatch.kernarg = memory.add("the kernarg segment".to_owned(), &dispatch.kernarg_bytes, false);
        let packet = dispatch.packet_bytes();
        dispatch.packet = memory.add("the dispatch packet".to_owned(), &packet, false);
        Ok(dispatch)
    }

    /// The regions that this launch brought into memory.
    pub(crate) fn own_regions(&self) -> impl Iterator<Item = u64> {
        let buffers = self.buffers.iter().map(|&(_, address)| address);
        [self.queue, self.kernarg, self.packet].into_iter().chain(buffers)
    }

    fn fill_args(&mut self, launch: &Launch, memory: &mut Memory) -> Result<(), String> {
        let kernel = self.kernel;
        let explicit: Vec<&KernelArg> = kernel.args.iter().filter(|a| !a.is_hidden()).collect();
        if explicit.len() != launch.args.len() {
            return Err(format!(
                "{} arguments given, the kernel takes {}",
                launch.args.len(),
                explicit.len()
            ));
        }
        for (index, (arg, given)) in explicit.iter().zip(&launch.args).enumerate() {
            let bytes = match given {
                Arg::Value(bytes) => bytes.clone(),
                Arg::Null => vec![0; 8],
                Arg::Buffer(content) => {
                    let address = memory.add(format!("buffer argument {index}"), content, true);
                    self.buffers.push((index, address));
                    address.to_le_bytes().to_vec()
                }
            };
            if bytes.len() != arg.size as usize {
                return Err(format!(
                    "argument {index}{} is {} of {} bytes, {} bytes given",
                    arg.name.as_ref().map_or_else(String::new, |n| format!(" (`{n}`)")),
                    arg.kind,
                    arg.size,
                    bytes.len()
                ));
            }
            self.put(arg.offset, &bytes)?;
        }
        for arg in kernel.args.iter().filter(|a| a.is_hidden()) {
            let value = self.hidden(&arg.kind, launch)?;
            let bytes = value.to_le_bytes();
            self.put(
                arg.offset,
                bytes.get(..arg.size as usize).ok_or_else(|| format!("size of {}", arg.kind))?,
            )?;
        }
        Ok(())
    }

    fn put(&mut self, offset: u32, bytes: &[u8]) -> Result<(), String> {
        let start = offset as usize;
        let room = self.kernarg_bytes.get_mut(start..start.saturating_add(bytes.len()));
        room.ok_or_else(|| format!("an argument at offset {offset} lies outside the kernarg segment"))?
            .copy_from_slice(bytes);
        Ok(())
    }

    /// Hidden arguments of code object v5 and v6.
    fn hidden(&self, kind: &str, launch: &Launch) -> Result<u64, String> {
        let (grid, block) = (launch.grid.map(u64::from), launch.block.map(u64::from));
        let dimensions = (0..3).rev().find(|&k| grid[k] * block[k] > 1).map_or(1, |k| k as u64 + 1);
        Ok(match kind {
            "hidden_block_count_x" => grid[0],
            "hidden_block_count_y" => grid[1],
            "hidden_block_count_z" => grid[2],
            "hidden_group_size_x" => block[0],
            "hidden_group_size_y" => block[1],
            "hidden_group_size_z" => block[2],
            "hidden_grid_dims" => dimensions,
            "hidden_dynamic_lds_size" => u64::from(launch.dynamic_lds),
            "hidden_private_base" => PRIVATE_APERTURE >> 32,
            "hidden_shared_base" => SHARED_APERTURE >> 32,
            "hidden_queue_ptr" => self.queue,
            "hidden_hostcall_buffer" => launch.services.hostcall,
            "hidden_heap_v1" => launch.services.heap,
            "hidden_printf_buffer" => launch.services.printf,
            "hidden_multigrid_sync_arg" => launch.services.multigrid,
            // Whole workgroups only, no offset, no queue of the device's own.
            "hidden_remainder_x"
            | "hidden_remainder_y"
            | "hidden_remainder_z"
            | "hidden_global_offset_x"
            | "hidden_global_offset_y"
            | "hidden_global_offset_z"
            | "hidden_none"
            | "hidden_default_queue"
            | "hidden_completion_action" => 0,
            other => return Err(format!("hidden argument `{other}` is not known")),
        })
    }

    /// `hsa_kernel_dispatch_packet_t`
    fn packet_bytes(&self) -> Vec<u8> {
        let mut p = vec![0u8; 64];
        let mut put = |at: usize, bytes: &[u8]| p[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, &0x1502u16.to_le_bytes());
        put(2, &3u16.to_le_bytes());
        for k in 0..3 {
            put(4 + 2 * k, &(self.block[k] as u16).to_le_bytes());
            put(12 + 4 * k, &(self.grid[k].wrapping_mul(self.block[k])).to_le_bytes());
        }
        put(24, &self.private.to_le_bytes());
        put(28, &self.lds.to_le_bytes());
        put(40, &self.kernarg.to_le_bytes());
        p
    }

    /// The coordinates of the `n`-th workgroup, x fastest.
    pub(crate) fn workgroup(&self, n: u64) -> [u32; 3] {
        let (x, y) = (u64::from(self.grid[0]), u64::from(self.grid[1]));
        [(n % x) as u32, (n / x % y) as u32, (n / (x * y)) as u32]
    }

    /// A wave before its first instruction.
    pub(crate) fn wave(&self, index: u32, group: [u32; 3], ids: (u32, u32), start: u64) -> Wave {
        let traits = self.program.image.target.traits();
        let n = self.kernel.wave_size as usize;
        let full = if n == 64 { u64::MAX } else { 0xffff_ffff };
        // Relative addressing reaches registers that no instruction names.
        let temp = self.program.code.rows.max(self.kernel.vgpr_count.min(512) as usize) + SPARE_ROWS;
        let r1 = self.kernel.descriptor.rsrc1;
        // Kernel descriptor: rounding 15:12, denormals 19:16, DX10_CLAMP 21, IEEE 23 → MODE 3:0, 7:4, 8, 9.
        let old = traits.generation < 12;
        let flags = if old { (r1 >> 21 & 1) << 8 | (r1 >> 23 & 1) << 9 } else { 0 };
        let mode = r1 >> 12 & 0xff | flags;
        let mut wave = Wave {
            n,
            full,
            s: [0; sreg::COUNT],
            scc: false,
            v: vec![ZERO; temp + TEMP_ROWS],
            temp,
            pc: self.entry,
            time: start,
            state: State::Running,
            mode: Mode::from_raw(mode, traits.generation),
            generation: traits.generation,
            scratch: vec![0; self.private as usize / 4 * n],
            barrier_target: 0,
            gpr_index: 0,
            index,
            hw_id: ids.0,
            hw_id2: ids.1,
            markers: Vec::new(),
            accesses: Vec::new(),
            counts: Counts::of_one_wave(),
        };
        self.vectors(&mut wave);
        self.scalars(&mut wave, group);
        wave
    }

    fn vectors(&self, w: &mut Wave) {
        let [bx, by, bz] = self.block.map(u64::from);
        let ids = self.kernel.descriptor.rsrc2 >> 11 & 3;
        let mut exec = 0;
        for l in 0..w.n {
            let item = u64::from(w.index) * w.n as u64 + l as u64;
            if item >= bx * by * bz {
                break;
            }
            exec |= 1 << l;
            let (x, y, z) = ((item % bx) as u32, (item / bx % by) as u32, (item / (bx * by)) as u32);
            let (y, z) = (if ids >= 1 { y } else { 0 }, if ids >= 2 { z } else { 0 });
            if self.program.image.target.traits().packed_ids {
                w.v[0][l] = x | y << 10 | z << 20;
            } else {
                w.v[0][l] = x;
                w.v[1][l] = y;
                w.v[2][l] = z;
            }
        }
        w.set_exec(exec);
    }

    fn scalars(&self, w: &mut Wave, group: [u32; 3]) {
        let traits = self.program.image.target.traits();
        let d = &self.kernel.descriptor;
        let enabled = |bit: u32| d.properties >> bit & 1 != 0;
        let size = w.scratch.len() as u32 * 4;
        let mut next = 0;
        let mut push = |w: &mut Wave, words: &[u32]| {
            for &word in words {
                if next < 106 {
                    w.s[next] = word;
                }
                next += 1;
            }
        };
        let two = |a: u64| [a as u32, (a >> 32) as u32];
        if enabled(0) {
            // Swizzled by lane: stride fields are implied, ADD_TID_ENABLE marks the descriptor.
            let [lo, hi] = two(SCRATCH_BASE);
            push(w, &[lo, hi | 1 << 31, u32::MAX, 1 << 23]);
        }
        if enabled(1) {
            push(w, &two(self.packet));
        }
        if enabled(2) {
            push(w, &two(self.queue));
        }
        if enabled(3) {
            push(w, &two(self.kernarg));
        }
        if enabled(4) {
            push(w, &[1, 0]);
        }
        if enabled(5) {
            push(w, &two(SCRATCH_BASE));
        }
        if enabled(6) {
            push(w, &[self.private]);
        }
        let (length, offset) = (d.preload & 0x7f, d.preload >> 7);
        for k in 0..usize::from(length) {
            let at = 4 * (usize::from(offset) + k);
            let word = self
                .kernarg_bytes
                .get(at..at + 4)
                .map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            push(w, &[word]);
        }
        let mut next = (d.rsrc2 >> 1 & 0x1f) as usize;
        if !traits.ids_in_ttmp {
            for (k, &id) in group.iter().enumerate() {
                if d.rsrc2 >> (7 + k) & 1 != 0 {
                    w.s[next] = id;
                    next += 1;
                }
            }
            if d.rsrc2 & 1 != 0 && !traits.architected_scratch {
                w.s[next] = w.index * size;
            }
        } else {
            let ttmp = sreg::TTMP0 as usize;
            w.s[ttmp + 9] = group[0];
            w.s[ttmp + 7] = group[1] & 0xffff | group[2] << 16;
            w.s[ttmp + 8] = w.index << 25;
        }
        let pairs = [
            (sreg::FLAT_SCRATCH, SCRATCH_BASE + u64::from(w.index) * u64::from(size)),
            (sreg::SHARED_BASE, SHARED_APERTURE),
            (sreg::SHARED_LIMIT, SHARED_APERTURE + crate::env::APERTURE_SIZE - 1),
            (sreg::PRIVATE_BASE, PRIVATE_APERTURE),
            (sreg::PRIVATE_LIMIT, PRIVATE_APERTURE + crate::env::APERTURE_SIZE - 1),
        ];
        for (reg, value) in pairs {
            w.s[reg as usize] = value as u32;
            w.s[reg as usize + 1] = (value >> 32) as u32;
        }
    }

    /// Wraps a fault with where it happened.
    pub(crate) fn error(&self, group: [u32; 3], wave: u32, at: usize, cause: Fault) -> SimError {
        let line =
            self.program.code.lines.get(at).map_or_else(|| "<no instruction>".to_owned(), |l| l.text.clone());
        let pc = self.program.code.pc(at);
        SimError::Execution(Box::new(ExecutionError {
            kernel: self.kernel.name.clone(),
            workgroup: group,
            wave,
            pc,
            line,
            cause,
        }))
    }
}

fn product(dims: [u32; 3]) -> Option<u64> {
    dims.iter().try_fold(1u64, |n, &d| n.checked_mul(u64::from(d)))
}
