//! Contents of the files besides the records.

use sqtt_format::{EntryKind, Funcmap};

use super::sink::{CODE_OBJECT, ENTRY};
use super::{Plan, Writer, config};
use crate::names::NumberedObject;
use crate::trace::{Dispatch, RealTime};
use crate::write::{CodeRow, Description, DispatchEvent, EngineDescription};

pub(super) fn describe(plan: &Plan, engines: Vec<EngineDescription>) -> Description {
    let engines = (0..).zip(engines.into_iter().map(|mut engine| {
        let dispatch =
            Dispatch { time: 900, kernel: 1, me: 1, workgroup_size: [256, 1, 1], ..Dispatch::default() };
        let event =
            DispatchEvent { dispatch, code_object: CODE_OBJECT, address: ENTRY, ..DispatchEvent::default() };
        engine.dispatches.push(event);
        engine
    }));
    let mut description = Description {
        gfxip: plan.generation.gfxip(),
        engines: engines.collect(),
        kernels: [(1, b"_Z6kernelPfi".into())].into(),
        code: vec![CodeRow {
            text: "s_endpgm".to_owned(),
            line: 1,
            source: "/src/k.hip:60".to_owned(),
            code_object: CODE_OBJECT,
            address: ENTRY,
        }],
        ..Description::default()
    };
    let samples = vec![(0, 1_000_000), (21_000, 1_001_000)];
    let samples = description.engines.keys().map(|&se| (se, samples.clone())).collect();
    description.real_time = RealTime { frequency: 100_000_000, samples };
    if plan.writer == Writer::AttTool {
        description.code_objects.push(code_object(plan));
    }
    description
}

fn code_object(plan: &Plan) -> NumberedObject {
    let funcmap = Funcmap::parse(plan.funcmap().as_bytes()).map;
    let address = |kind: EntryKind| (kind == EntryKind::Kernel).then_some(ENTRY);
    let addresses = funcmap.entries().iter().map(|entry| address(entry.kind())).collect();
    NumberedObject {
        id: CODE_OBJECT,
        funcmap,
        addresses,
        access_bytes: config(plan).access_bytes().clone(),
        numeric: config(plan).numeric().cloned(),
        target: Some(plan.gpu().0.to_owned()),
        ..NumberedObject::default()
    }
}
