//! Runs the fuzz target: `cargo run --release -p rocpd --example rocpd_fuzz -- [ROUNDS] [SEED]`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|arg| arg.parse::<u64>());
    let (Ok(rounds), Ok(seed)) = (numbers.next().unwrap_or(Ok(1000)), numbers.next().unwrap_or(Ok(1))) else {
        eprintln!("usage: rocpd_fuzz [ROUNDS] [SEED]");
        return ExitCode::from(2);
    };
    match rocpd_samples::fuzz::run(seed, rounds) {
        Ok(report) => {
            println!(
                "{} rounds: {} calls succeeded, {} refused",
                report.rounds, report.succeeded, report.refused
            );
            report.defects.iter().for_each(|defect| println!("DEFECT {defect}"));
            ExitCode::from(u8::from(!report.defects.is_empty()))
        }
        Err(error) => {
            eprintln!("rocpd_fuzz: {error}");
            ExitCode::from(2)
        }
    }
}
