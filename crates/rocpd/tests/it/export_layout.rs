//! Passes in the folders that profiling runs leave.

use std::fs;
use std::path::Path;

use rocpd::{Error, find_passes};

use crate::support::Folder;

/// A pass's name and, for each of its databases, the native files.
type FoundPass = (String, Vec<(String, Vec<String>)>);

#[test]
fn folders_of_both_generations_and_kept_databases_are_understood() {
    let folder = Folder::new();
    let touch = |path: &str| {
        let path = folder.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "x").unwrap();
    };
    let found = |path: &str| -> Vec<FoundPass> {
        let root = folder.root().join(path);
        let name = |path: &Path| path.strip_prefix(folder.root()).unwrap().to_string_lossy().into_owned();
        find_passes(&root)
            .unwrap()
            .into_iter()
            .map(|pass| {
                let sources = pass.sources.iter().map(|source| {
                    (name(&source.sdk), source.natives.iter().map(|path| name(path)).collect())
                });
                (pass.name, sources.collect())
            })
            .collect()
    };
    touch("a/out/pmc_1/host/42_results.db");
    touch("a/out/pmc_1/host/43_results.db");
    touch("a/out/pmc_1/42_native_counter_collection.csv");
    touch("a/out/pmc_1/42_native_counter_collection.db");
    touch("a/out/pmc_1/43_native_counter_collection.csv.gz");
    touch("a/out/pmc_2/host/42_results.db");
    let s = |text: &str| text.to_owned();
    let pass_1 = (
        s("pmc_1"),
        vec![
            (s("a/out/pmc_1/host/42_results.db"), vec![s("a/out/pmc_1/42_native_counter_collection.db")]),
            (s("a/out/pmc_1/host/43_results.db"), vec![s("a/out/pmc_1/43_native_counter_collection.csv.gz")]),
        ],
    );
    let pass_2 = (s("pmc_2"), vec![(s("a/out/pmc_2/host/42_results.db"), vec![])]);
    assert_eq!(found("a"), [pass_1.clone(), pass_2.clone()]);
    assert_eq!(found("a/out"), [pass_1.clone(), pass_2]);
    assert_eq!(found("a/out/pmc_1"), [pass_1]);

    // Two hosts with one process id: only a native file in the host's folder says which it is of.
    touch("b/out/p/h1/7_results.db");
    touch("b/out/p/h2/7_results.db");
    touch("b/out/p/h1/7_native_counter_collection.db");
    touch("b/out/p/h2/7_native_counter_collection.db");
    assert_eq!(found("b")[0].1[1].1, ["b/out/p/h2/7_native_counter_collection.db"]);
    touch("b/out/p/7_native_counter_collection.db");
    let error = find_passes(&folder.root().join("b")).unwrap_err().to_string();
    assert!(error.contains("could belong to") && error.contains("h1/7_results.db"), "{error}");

    touch("c/pmc_perf_0.db");
    touch("c/pmc_perf_1_287205.db");
    touch("c/pmc_perf_1_287206.db");
    let names: Vec<(String, usize)> =
        found("c").into_iter().map(|(name, sources)| (name, sources.len())).collect();
    assert_eq!(names, [(s("pmc_perf_0"), 1), (s("pmc_perf_1"), 2)]);
    fs::create_dir(folder.root().join("empty")).unwrap();
    assert!(matches!(find_passes(&folder.root().join("empty")), Err(Error::Layout { .. })));
}
