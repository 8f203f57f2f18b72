//! Trace calls → final markers: those that stand together, and the form in which they are written.

use crate::calls::tag;
use crate::config::{Boundary, ScopeForm};
use crate::emit::{Clock, Form, MarkerRecords, Placement, Record, ScopeCache, Word, address_block, markers};
use crate::known;
use crate::llvm::write::Writer;
use crate::llvm::{Inst, SourcePlace};
use crate::notes::TAG;
use crate::run::{PassError, Run};
use crate::sites::{
    AddressSite, TraceCall, behind_lds, empty_asms_beside, is_left_at_once, is_speculatable_up_to, is_sync,
    last_sync, names_m0, next_code, previous_code,
};
use crate::target::Target;
use sqtt_format::MarkerEncoding;
use std::collections::{HashMap, HashSet};

/// Markers with nothing but hints between them: they share one branch.
struct Group {
    markers: Vec<MarkerRecords>,
    /// The calls that the markers replace, in order.
    calls: Vec<Inst>,
}

/// Gives every trace call its final form; those in `addresses` announce the operation there.
pub(crate) fn place_markers(
    run: Run,
    calls: &[TraceCall],
    addresses: &HashMap<Inst, AddressSite>,
    layout: MarkerEncoding,
) -> Result<(), PassError> {
    let keeps_m0 = !calls.is_empty() && names_m0(run.module);
    // Calls come function by function.
    for calls in calls.chunk_by(|one, other| one.function == other.function) {
        place_in_function(run, calls, addresses, layout, keeps_m0)?;
    }
    Ok(())
}

/// Does the same in one function. The users' own calls stay as they are where the table does not know the target.
fn place_in_function(
    run: Run,
    calls: &[TraceCall],
    addresses: &HashMap<Inst, AddressSite>,
    layout: MarkerEncoding,
    keeps_m0: bool,
) -> Result<(), PassError> {
    let Some(TraceCall { function, .. }) = calls.first() else { return Ok(()) };
    let Some(target) = Target::of(*function) else {
        let has_ours = calls.iter().any(|traced| traced.tag.is_some());
        let error = || known::unsupported(SourcePlace::of_function(*function), *function);
        return if has_ours { Err(error()) } else { Ok(()) };
    };
    let clock = target.clock.filter(|_| layout.has_shader_clock());
    let groups = groups(calls, clock.map(|source| Clock { source, encoding: layout }))?;
    let writer = Writer::new(run.module);
    // A block of addresses has loops, past which no asm can lead.
    let branches =
        run.config.form == ScopeForm::Cfg || calls.iter().any(|traced| addresses.contains_key(&traced.call));
    let scope = &mut ScopeCache::new(&writer, *function, target, run.config.scope, branches);
    let traced: HashSet<Inst> = calls.iter().map(|traced| traced.call).collect();
    // The calls at which operations on LDS may be under way.
    let behind_lds = match run.config.boundary {
        Boundary::Fence => behind_lds(*function, |inst| traced.contains(&inst)),
        Boundary::None | Boundary::Asm => HashSet::new(),
    };
    for group in groups {
        let (Some(first), Some(last)) = (group.calls.first(), group.calls.last()) else { continue };
        let placement = Placement {
            target,
            boundary: run.config.boundary,
            form: run.config.form,
            hold_branch: false,
            may_wait_for_lds: group.calls.iter().any(|call| behind_lds.contains(call)),
            keeps_m0,
        };
        if let (Some(site), Some(header)) = (addresses.get(first), first.arguments().first()) {
            address_block(&writer, *header, site, placement, scope);
            first.erase();
            continue;
        }
        let sync_behind = next_code(*last).filter(|inst| is_sync(*inst));
        let sync_before = previous_code(*first).filter(|inst| is_sync(*inst));
        let at_sync = sync_behind.is_some() || sync_before.is_some();
        // The marker ends its own scheduling region; without an end of the sync's, other code could come to stand
        // between the two from the sync's far side.
        if let Some(next) = sync_behind.and_then(|sync| last_sync(sync, next_code).next()) {
            writer.before(next);
            writer.sched_barrier();
        }
        if let Some(sync) = sync_before {
            writer.before(last_sync(sync, previous_code));
            writer.sched_barrier();
        }
        let placement = Placement {
            // A branch beside a barrier leaves a place between marker and barrier where code may be put.
            form: if at_sync { ScopeForm::Asm } else { run.config.form },
            hold_branch: is_speculatable_up_to(*first) && is_left_at_once(*last),
            ..placement
        };
        drop_empty_asms(&writer, &group.calls);
        markers(&writer, *last, placement, scope, &group.markers);
        for call in group.calls {
            call.erase();
        }
    }
    Ok(())
}

/// The header's numeric markers have empty asms beside them, for compiles without the plugin. To LLVM they write all
/// memory, of which loads that are the same for all lanes would become vector loads; a hint holds as much.
fn drop_empty_asms(writer: &Writer<'_>, calls: &[Inst]) {
    let users = calls.iter().filter(|call| call.call_string_attribute(TAG).is_none());
    for asm in users.flat_map(|call| empty_asms_beside(*call)).collect::<HashSet<Inst>>() {
        writer.before(asm);
        writer.wave_barrier();
        asm.erase();
    }
}

/// Calls in module order → headers with their payloads → groups.
///
/// LLVM may move code to between a header and its payload, and points of that code come there. A marker is written at its
/// last call, so they come before it.
fn groups(calls: &[TraceCall], clock: Option<Clock>) -> Result<Vec<Group>, PassError> {
    let mut groups: Vec<Group> = Vec::new();
    let mut open: Option<Unpaid> = None;
    for traced in calls {
        let tag = traced.tag.as_deref();
        let (header, marker, done) = match open.take() {
            Some(mut unpaid) if tag == Some(tag::PAYLOAD) && unpaid.is_in_block_of(traced) => {
                unpaid.marker.records.push(Record { form: Form::M0, ..record(traced, None) });
                unpaid.calls.push(traced.call);
                if unpaid.calls.len() <= tag::payload_count(unpaid.header.tag.as_deref()) {
                    open = Some(unpaid);
                    continue;
                }
                (unpaid.header, unpaid.marker, unpaid.calls)
            }
            unpaid => {
                let marker = MarkerRecords { records: vec![record(traced, clock)] };
                let opens = tag::payload_count(tag) > 0;
                if let Some(unpaid) = unpaid.as_ref().filter(|it| opens || !it.is_in_block_of(traced)) {
                    return Err(unpaid.lost());
                }
                if opens {
                    open = Some(Unpaid { header: traced, marker, calls: vec![traced.call] });
                    continue;
                }
                open = unpaid;
                (traced, marker, vec![traced.call])
            }
        };
        let addresses = |call: Option<&Inst>| {
            call.and_then(|call| call.call_string_attribute(TAG)).is_some_and(|tag| tag == tag::ADDRESSES)
        };
        let joined = groups
            .last_mut()
            .filter(|group| !addresses(group.calls.last()) && header.tag.as_deref() != Some(tag::ADDRESSES))
            .filter(|group| group.calls.last().is_some_and(|last| next_code(*last) == Some(header.call)));
        match joined {
            Some(group) => {
                group.markers.push(marker);
                group.calls.extend(done);
            }
            None => groups.push(Group { markers: vec![marker], calls: done }),
        }
    }
    open.map_or(Ok(groups), |unpaid| Err(unpaid.lost()))
}

/// A header of which payload is still to come.
struct Unpaid<'a> {
    header: &'a TraceCall,
    marker: MarkerRecords,
    calls: Vec<Inst>,
}

impl Unpaid<'_> {
    fn is_in_block_of(&self, other: &TraceCall) -> bool {
        self.header.call.block() == other.call.block()
    }

    fn lost(&self) -> PassError {
        let what = "internal error: a data marker lost its payload on the way".to_owned();
        PassError::at(SourcePlace::of(self.header.call), what)
    }
}

/// The record of a trace call. A clock goes into headers that the pass made, and into every bare exit, which looks like
/// one of these. The user's other words stay as they are.
fn record(traced: &TraceCall, clock: Option<Clock>) -> Record {
    let form = match (traced.tag.is_some(), traced.immediate) {
        (true, _) => Form::Shortest,
        (false, true) => Form::Immediate,
        // The user chose the instruction, and with it how the record looks in the trace.
        (false, false) => Form::M0,
    };
    let word = traced.word();
    let is_header = traced.tag.is_some() || word.as_int() == Some(u64::from(sqtt_format::Marker::EXIT_FLAG));
    Record { word: Word::Value(word), form, clock: clock.filter(|_| is_header) }
}
