//! Completions and manual pages, read by the shells and by man.

use std::io::Write;
use std::process::{Command, Stdio};

fn sqtt(args: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_sqtt")).args(args).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

/// Commands, and those below them, as the help lists them.
fn commands(above: &[&str]) -> Vec<String> {
    let (help, _) = sqtt(&[above, &["--help"]].concat());
    let Some((_, list)) = help.split_once("Commands:\n") else { return Vec::new() };
    let names = list.lines().take_while(|line| !line.is_empty());
    names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&name| name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn bash_completes_commands_options_and_shells() {
    let (script, code) = sqtt(&["completions", "bash"]);
    assert_eq!(code, Some(0));
    let complete = |line: &str| {
        let words: Vec<String> = line.split(' ').map(|word| format!("'{word}'")).collect();
        let program = format!(
            "{script}\nCOMP_WORDS=({}); COMP_CWORD={}\n_sqtt sqtt \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"\n\
             printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
            words.join(" "),
            words.len() - 1
        );
        let mut bash = Command::new("bash")
            .args(["--norc", "--noprofile", "-s"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        bash.stdin.take().unwrap().write_all(program.as_bytes()).unwrap();
        let output = bash.wait_with_output().unwrap();
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(complete("sqtt func"), ["funcmap"]);
    assert_eq!(complete("sqtt doctor --pl"), ["--plugin"]);
    assert_eq!(complete("sqtt rocpd me"), ["merge"]);
    assert_eq!(complete("sqtt completions z"), ["zsh"]);
    let all = complete("sqtt ");
    for command in commands(&[]) {
        assert!(all.contains(&command), "{command} is not in {all:?}");
    }
}

#[test]
fn every_shell_has_a_script() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (script, code) = sqtt(&["completions", shell]);
        assert_eq!(code, Some(0), "{shell}");
        for word in ["extract", "doctor", "pmc-perf", "max-steps"] {
            assert!(script.contains(word), "{word} is not in the script for {shell}");
        }
    }
    assert_eq!(sqtt(&["completions", "cmd.exe"]).1, Some(2));
}

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    assert_eq!(sqtt(&["man", "-o", pages.to_str().unwrap()]).1, Some(0));
    let mut names = vec!["sqtt".to_owned()];
    for command in commands(&[]) {
        for below in commands(&[&command]) {
            names.push(format!("sqtt-{command}-{below}"));
        }
        names.push(format!("sqtt-{command}"));
    }
    assert!(names.len() > 12, "{names:?}");
    for name in &names {
        let text = std::fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
        assert!(text.contains(&format!(".TH {} 1  \"sqtt ", name.to_uppercase())), "{name}: {text}");
        assert!(text.contains(&format!(".SH NAME\n{} \\- ", name.replace('-', "\\-"))), "{name}: {text}");
    }
    assert_eq!(std::fs::read_dir(&pages).unwrap().count(), names.len());
    let page = std::fs::read_to_string(pages.join("sqtt-extract.1")).unwrap();
    for part in
        ["\\fB\\-\\-target\\fR \\fI<TARGET>\\fR", "Exit status: 0 when", "sqtt extract \\-\\-list libapp.a"]
    {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    // The first page alone goes to stdout, the same.
    assert_eq!(sqtt(&["man"]).0, std::fs::read_to_string(pages.join("sqtt.1")).unwrap());
    std::fs::write(folder.path().join("file"), "").unwrap();
    assert_eq!(sqtt(&["man", "-o", folder.path().join("file").to_str().unwrap()]).1, Some(1));
}
