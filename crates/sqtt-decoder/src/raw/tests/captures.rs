//! Captures of real GPUs: no token is lost, every wave ends that starts, kernels have their names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::splice::insert;
use super::{Capture, Program, index, tokens, unpacked};
use crate::raw::Generation;
use crate::raw::packets::{ENABLE, LoadedObject, REGISTER};
use crate::raw::token::{Field, TokenKind};
use crate::trace::{LoadOptions, Trace, discover};
use crate::{Filter, RemarkKind};

#[test]
#[ignore = "it reads the shared test data"]
fn every_token_of_every_capture_is_known() {
    let (_folder, root) = unpacked();
    let (mut files, mut exec) = (0, 0);
    let mut kinds: BTreeMap<Generation, BTreeSet<TokenKind>> = BTreeMap::new();
    for capture in index(&root) {
        for file in &capture.traces {
            let bytes = std::fs::read(root.join(&file.file)).unwrap();
            let (generation, tokens) = tokens(&bytes);
            let expected = match capture.gfx.as_str() {
                "gfx950" => Generation::Gfx9,
                "gfx1100" => Generation::Gfx11,
                _ => Generation::Gfx12,
            };
            assert_eq!(generation, expected, "{}", file.file.display());
            assert_eq!((tokens.unknown, tokens.losses), (0, 0), "{}", file.file.display());
            exec += tokens.seen.iter().filter(|(kind, ..)| *kind == TokenKind::ShaderDataShort).count();
            kinds.entry(generation).or_default().extend(tokens.seen.iter().map(|(kind, ..)| *kind));
            files += 1;
        }
    }
    assert_eq!(files, 150);
    // Those of gfx11 with bit 14 set, which are no traced words.
    assert_eq!(exec, 30);
    for (generation, kinds) in kinds {
        for kind in [TokenKind::WaveStart, TokenKind::WaveEnd] {
            assert!(kinds.contains(&kind), "{generation}: {kinds:?}");
        }
    }
}

fn load(path: &Path, code_objects: &[std::path::PathBuf]) -> Vec<Trace> {
    let mut found = discover(&[path.to_owned()]).unwrap();
    found.replace_code_objects(code_objects).unwrap();
    let catalog = crate::names::Catalog::read(&found.code_objects);
    found
        .traces()
        .map(|source| source.load(&catalog, LoadOptions::default().threads(crate::Threads::new(2))))
        .collect()
}

/// Every wave that starts ends, in every slot one after the other, and nothing is lost.
fn check(trace: &Trace, capture: &Capture) {
    let what = format!("{} {} {}", capture.gfx, capture.capture, trace.path.display());
    let ledger = trace.decode(&Filter::default(), |_, _| {});
    assert!(ledger.is_lossless(), "{what}: {ledger}");
    for kind in [RemarkKind::EndWithoutStart, RemarkKind::StartInBusySlot] {
        assert_eq!(ledger.count(kind), 0, "{what}: {ledger}");
    }
    // None of these programs traces anything.
    assert_eq!(trace.record_count(), 0, "{what}");
    assert!(trace.launch_count() > 0, "{what}");
    for wave in trace.waves() {
        let launch = wave.launch.unwrap();
        assert!(
            launch.kernel > 0 && launch.retired.is_some_and(|end| end > launch.time),
            "{what}: {launch:?}"
        );
    }
    for engine in trace.engines.values() {
        for slot in engine.slots.values() {
            assert!(slot.launches.windows(2).all(|pair| pair[0].retired <= Some(pair[1].time)), "{what}");
        }
    }
}

#[test]
#[ignore = "it reads the shared test data"]
fn waves_begin_and_end_and_the_only_fitting_kernel_is_taken() {
    let (_folder, root) = unpacked();
    let mut traces = 0;
    for capture in index(&root) {
        let first = &capture.traces[0].file;
        // Two programs are without symbols: nothing fits them.
        let named: Vec<_> =
            capture.programs.iter().filter(|program| !program.name.starts_with("custom_")).collect();
        let objects: Vec<_> = named.iter().map(|program| root.join(&program.file)).collect();
        for trace in load(root.join(first).parent().unwrap(), &objects) {
            traces += 1;
            let names: Vec<_> = trace.kernels.values().map(|kernel| kernel.name.as_bytes()).collect();
            let own = capture.programs.iter().find(|program| {
                let stem = trace.path.file_name().unwrap().to_str().unwrap();
                stem.starts_with(&format!("k{}_", program.tag))
            });
            let own = own.unwrap();
            if own.name.starts_with("custom_") {
                assert_eq!(names, [format!("0 / {:#x}", own.base + 0x100).as_bytes()], "{own:?}");
                continue;
            }
            assert_eq!(names, [own.name.as_bytes()], "{own:?}");
            check(&trace, &capture);
            assert_eq!(trace.ledger.count(RemarkKind::AssumedCodeObject), 1);
        }
    }
    assert_eq!(traces, 14);
}

/// Adds the packets that say where code objects are loaded, which these captures lack.
#[test]
#[ignore = "it reads the shared test data"]
fn kernels_have_their_names_through_entry_points() {
    let (_folder, root) = unpacked();
    let mut traces = 0;
    for capture in index(&root) {
        let folder = tempfile::tempdir().unwrap();
        for program in &capture.programs {
            let name = format!("1_{}_code_object_id_{}.out", capture.gfx, program.tag + 1);
            std::fs::copy(root.join(&program.file), folder.path().join(name)).unwrap();
        }
        for file in &capture.traces {
            let bytes = std::fs::read(root.join(&file.file)).unwrap();
            let (generation, tokens) = tokens(&bytes);
            let row = generation.table().row(TokenKind::Reg).unwrap();
            let mut words = vec![ENABLE];
            for program in &capture.programs {
                // The index has the size of the file; in memory its code lies on pages of its own.
                let Program { tag, base, .. } = program;
                words.extend(LoadedObject { id: tag + 1, address: *base, size: 0x4000 }.words());
            }
            // As many that the file stays one of whole units of 32 bytes, as GPUs write them.
            words.resize(words.len().next_multiple_of(4), 0);
            let packets: Vec<_> = words
                .iter()
                .map(|&word| {
                    let fields = [(Field::Address, REGISTER), (Field::Data, u64::from(word)), (Field::Me, 1)];
                    (row.encode(0, &fields).unwrap(), row.bits)
                })
                .collect();
            // Behind the first token: the header, or anything.
            let at = tokens.seen[1].1;
            let name = format!("1_shader_engine_{}_{}.att", file.se, file.kern + 1);
            std::fs::write(folder.path().join(name), insert(&bytes, &[(at, packets)])).unwrap();
        }
        for loaded in load(folder.path(), &[]) {
            traces += 1;
            check(&loaded, &capture);
            assert_eq!(loaded.ledger.count(RemarkKind::AssumedCodeObject), 0, "{}", loaded.ledger);
            let run = loaded.path.file_name().unwrap().to_str().unwrap();
            let own = &capture.programs[usize::from(run.ends_with('2'))];
            let expected = match own.name.starts_with("custom_") {
                // A code object without symbols: what rocprofv3 calls it.
                true => format!("{} / 0x100", own.tag + 1),
                false => own.name.clone(),
            };
            let names: Vec<_> = loaded.kernels.values().map(|kernel| kernel.name.as_bytes()).collect();
            assert_eq!(names, [expected.as_bytes()]);
        }
    }
    assert_eq!(traces, 14);
}
