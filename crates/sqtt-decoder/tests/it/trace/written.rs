//! Trace folders that are written are read back, in either style.

use crate::traces;
use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use sqtt_decoder::names::NumberedObject;
use sqtt_decoder::trace::{Dispatch, EngineEvent, EngineEventKind, Origin, RealTime, SlotId};
use sqtt_decoder::write::{
    CodeRow, Description, DispatchEvent, KernelAddress, NewFolder, RecordFiles, Style, WaveEdge, WriteError,
};
use sqtt_decoder::{Record, RecordFlags};
use sqtt_format::{Entry, Funcmap, MarkerEncoding};

/// A name that would break JSON, HTML and tables, were it not escaped.
const HOSTILE: &[u8] = b"a\"b\\c\n</script>\x01\xFF;@ 12";

fn description() -> Description {
    let mut funcmap = Funcmap::new();
    funcmap.push(Entry::kernel("kernel"));
    funcmap.push(Entry::function(1, "_Z5innerf").at("k.hip:3"));
    funcmap.push(Entry::data(2, HOSTILE));
    let mut description = Description {
        gfxip: 12,
        kernels: [(1, b"kernel".into()), (2, b"8 / 0x10".into())].into(),
        code_objects: vec![NumberedObject {
            id: 7,
            funcmap,
            addresses: vec![Some(4096), Some(4608)],
            access_bytes: BTreeMap::from([(2, 4)]),
            numeric: Some([40, 41].into_iter().collect()),
            target: Some("gfx1200".to_owned()),
            ..NumberedObject::default()
        }],
        kernel_symbols: vec![KernelAddress { code_object: 8, address: 16, name: b"_Z5otherv".into() }],
        code: vec![CodeRow { text: "; kernel".to_owned(), code_object: 7, ..CodeRow::default() }],
        real_time: RealTime { frequency: 100, samples: [(0, vec![(0, 5), (10, 9)])].into() },
        ..Description::default()
    };
    let engine = description.engines.entry(3).or_default();
    let origin = Origin { me: 1, pipe: 2, workgroup: Some(9), cluster: Some(4) };
    let wave = WaveEdge { cu: 129, simd: 2, slot: 5, kernel: 1, origin, ..WaveEdge::default() };
    engine.waves = vec![WaveEdge { time: -5, start: true, ..wave }, WaveEdge { time: 900, ..wave }];
    let dispatch = Dispatch { time: -6, kernel: 1, me: 1, pipe: 2, lds_size: 64, ..Dispatch::default() };
    engine.dispatches =
        vec![DispatchEvent { dispatch, code_object: 7, address: 4096, ..DispatchEvent::default() }];
    engine.events = vec![
        EngineEvent { time: 800, kind: EngineEventKind::PacketLoss }.into(),
        EngineEvent { time: 1, kind: EngineEventKind::CodeObjectLoad(Some(7)) }.into(),
    ];
    description
}

fn write(target: &Path, style: Style, limit: u64) {
    let new = NewFolder::create(target).unwrap();
    let mut description = description();
    let mut files = RecordFiles::new(new.path(), 3, style).with_limit(limit);
    let slot = SlotId { se: 3, cu: 129, simd: 2, slot: 5 };
    for (time, value, flags) in [(0, 1 << 2 | 2, 0), (10, 2 << 2, 0), (9, 0xFFFF_FFFF, 0), (20, 1, 1)] {
        files.push(slot, Record { time, value, flags: RecordFlags::from_bits(flags) }).unwrap();
    }
    description.engines.get_mut(&3).unwrap().files = files.finish().unwrap();
    description.write(new.path(), style).unwrap();
    assert!(!target.exists());
    new.publish().unwrap();
}

#[test]
fn what_is_written_is_read() {
    for (style, limit, files) in
        [(Style::Rocprofv3, 3, 2), (Style::Compact, 3, 2), (Style::AttTool, u64::MAX, 1)]
    {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("ui_x");
        write(&target, style, limit);
        let json = |name: &str| -> Value {
            serde_json::from_slice(&std::fs::read(target.join(name)).unwrap()).unwrap()
        };
        assert_eq!(json("filenames.json")["version"], style.version());
        assert_eq!(json("filenames.json")["gfxv"], "navi");
        assert_eq!(json("shaderdata_3_0.json")["records_count"], limit.min(4));
        let listed = &json("filenames.json")["shaderdata_filenames"]["3"];
        assert_eq!(listed.as_array().unwrap().len(), files);
        assert_eq!(listed[0][1], 0);

        let folder = traces::load(root.path());
        let (lines, ledger) = traces::events(&folder);
        let name = String::from_utf8_lossy(HOSTILE);
        assert_eq!(
            lines,
            [
                "wave SE3/CU129/SIMD2/W5 0".to_owned(),
                "0 Enter _Z5innerf".to_owned(),
                format!("10 Point {name} [4294967295]"),
                "20 Exit -_Z5innerf:0..20 20 marker".to_owned(),
            ]
        );
        let engine = &folder.engines[&3];
        let wave = folder.waves().next().unwrap();
        assert_eq!((wave.launch.unwrap().time, wave.retired()), (-5, Some(900)));
        assert_eq!(folder.real_time.as_ref().unwrap().samples[&0], [(0, 5), (10, 9)]);
        if style != Style::Rocprofv3 {
            assert_eq!(json("occupancy.json")["3"][0].to_string(), "[-5,129,2,5,1,1,1,2,1,9,4]");
            let origin = Origin { me: 1, pipe: 2, workgroup: Some(9), cluster: Some(4) };
            assert_eq!(wave.launch.unwrap().origin, Some(origin));
            assert_eq!(wave.dispatch().unwrap().lds_size, 64);
            assert_eq!(
                engine.events.iter().map(|event| (event.time, event.kind)).collect::<Vec<_>>(),
                [(1, EngineEventKind::CodeObjectLoad(Some(7))), (800, EngineEventKind::PacketLoss)]
            );
            assert_eq!(json("occupancy.json")["events"]["3"][0]["entry_point"]["code_object_id"], 7);
            assert_eq!(json("code.json")["kernels"][0]["demangled"], "other()");
        } else {
            assert!(engine.events.is_empty() && ledger.is_empty(), "{ledger}");
        }
        let code = json("code.json");
        assert_eq!(code["sqtt_funcmap"][1].to_string(), r#"[7,1,"F","_Z5innerf","k.hip:3",4608]"#);
        assert_eq!(code["sqtt_funcmap_payloads"].to_string(), "[[7,2,1]]");
        assert_eq!(code["sqtt_access_bytes"].to_string(), "[[7,2,4]]");
        assert_eq!(code["sqtt_targets"].to_string(), r#"[[7,"gfx1200"]]"#);
        let map = wave.map().unwrap();
        assert_eq!(code["sqtt_numeric"].to_string(), r#"[[7,"40-41"]]"#);
        assert!(map.is_numeric(40) && !map.is_numeric(42));
        assert_eq!((map.access_bytes(2), map.target()), (Some(4), Some("gfx1200")));
        assert_eq!(code["sqtt_funcmap_layout"], Value::Null);
    }
}

#[test]
fn a_layout_without_names_is_a_row() {
    let mut funcmap = Funcmap::new();
    funcmap.set_marker_encoding(MarkerEncoding::new(12, 4).unwrap());
    let description = Description {
        code_objects: vec![NumberedObject { id: 7, funcmap, ..NumberedObject::default() }],
        ..Description::default()
    };
    let root = tempfile::tempdir().unwrap();
    description.write(root.path(), Style::Rocprofv3).unwrap();
    let code: Value = serde_json::from_slice(&std::fs::read(root.path().join("code.json")).unwrap()).unwrap();
    assert_eq!(code["sqtt_funcmap_layout"].to_string(), "[[7,12,4]]");
    assert_eq!(code.get("sqtt_funcmap"), None);
}

#[test]
fn a_folder_is_new_and_whole_or_not_there() {
    let root = tempfile::tempdir().unwrap();
    let target = root.path().join("ui_x");
    let begun = NewFolder::create(&target).unwrap();
    std::fs::write(begun.path().join("half"), "x").unwrap();
    drop(begun);
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);

    let first = NewFolder::create(&target).unwrap();
    let second = NewFolder::create(&target).unwrap();
    std::fs::write(first.path().join("mine"), "x").unwrap();
    first.publish().unwrap();
    assert!(matches!(second.publish(), Err(WriteError::Exists { .. })));
    assert!(matches!(NewFolder::create(&target), Err(WriteError::Exists { .. })));
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 1);
    assert_eq!(std::fs::read(target.join("mine")).unwrap(), b"x");
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let plain = root.path().join("plain");
        std::fs::create_dir(&plain).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&target), mode(&plain));
        let dangling = root.path().join("dangling");
        symlink("nowhere", &dangling).unwrap();
        assert!(matches!(NewFolder::create(&dangling), Err(WriteError::Exists { .. })));
    }
    assert!(matches!(NewFolder::create(&root.path().join("a/b")), Err(WriteError::Io { .. })));
}
