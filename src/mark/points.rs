//! The pass's own points: at barriers and after memory operations. Put in by the late phase, when the code is what it
//! will be.

use crate::ledger::{MarkerAction, MarkerLedger, symbol};
use crate::llvm::Function;
use crate::llvm::write::Writer;
use crate::notes;
use crate::run::Run;
use crate::sites::{PointSite, Side, barrier_sites, is_open, memory_sites};
use sqtt_format::SystemPoint;

/// Writes the points.
pub(crate) fn instrument(run: Run, ledger: &mut MarkerLedger) {
    if !run.config.barriers && run.config.memory.is_none() {
        return;
    }
    let decided = |function: &Function| function.string_attribute(notes::POINTS_DECIDED).is_some();
    let open: Vec<Function> =
        run.module.definitions().into_iter().filter(|it| is_open(*it) && !decided(it)).collect();
    let mut sites = match run.config.memory {
        Some(chunks) => memory_sites(run.module, &open, chunks),
        None => Vec::new(),
    };
    if run.config.barriers {
        sites.extend(barrier_sites(run.module, &open));
    }
    // Their numbers have an order of their own.
    for point in SystemPoint::ALL {
        if sites.iter().any(|site| site.point == point) {
            ledger.intern_system(point);
        }
    }
    write(run, &sites, ledger);
    for function in &open {
        function.set_string_attribute(notes::POINTS_DECIDED, "");
    }
}

/// A point after an operation comes before the point of a barrier that follows, whichever is written first: it stands
/// right after what it tells of.
fn write(run: Run, sites: &[PointSite], ledger: &mut MarkerLedger) {
    let writer = Writer::new(run.module);
    for site in sites {
        let word = writer.symbol_word(&symbol(ledger.intern_system(site.point), MarkerAction::Point));
        match site.side {
            Side::Before => writer.before(site.inst),
            Side::Behind => writer.after(site.inst),
        }
        writer.marker_calls(word, &[]);
    }
}
