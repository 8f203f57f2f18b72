//! A bounded run of the fuzz target; `cargo xtask fuzz rocpd` runs more.

#[test]
fn damaged_files_are_refused_without_panic_and_unchanged() {
    let report = rocpd_samples::fuzz::run(1, 60).unwrap();
    assert_eq!(report.defects, Vec::<String>::new());
    assert_eq!(report.rounds, 60);
    // Both happen, or the damage would be too small or too large to say anything.
    assert!(report.succeeded > 60 && report.refused > 60, "{report:?}");
}
