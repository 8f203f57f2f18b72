//! The border between Rust and C++: `shim.h` has the contract of every function, and both sides keep it.

use commands::root;
use std::collections::BTreeMap;

/// Functions by name: the type that each returns and those of its parameters, as C spells them.
type Signatures = BTreeMap<String, Vec<String>>;

#[test]
fn rust_declares_what_the_header_does() {
    let declarations = read("src/llvm/shim.rs");
    let (_, block) = declarations.split_once("unsafe extern \"C\" {").expect("a block of declarations");
    let rust: Signatures = block.split(';').filter_map(of_rust).collect();
    assert_eq!(rust, header());
}

#[test]
fn the_header_has_what_the_shim_defines() {
    let sources = [read("shim/registration.cpp"), read("shim/ir.cpp")].concat();
    let defined: Signatures = sources.split("extern \"C\" ").filter_map(of_c).collect();
    assert_eq!(defined, header());
}

fn header() -> Signatures {
    let header: Signatures = read("shim/shim.h").split(';').filter_map(of_c).collect();
    assert!(header.len() > 20, "{header:?}");
    header
}

/// A source without its comments.
fn read(path: &str) -> String {
    let text = std::fs::read_to_string(root().join(path)).expect("a source of the plugin");
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// `bool sqtt_shim_f(LLVMValueRef call, size_t *length)`, whatever comes after.
fn of_c(text: &str) -> Option<(String, Vec<String>)> {
    let (head, rest) = text.split_once('(')?;
    let (parameters, _) = rest.split_once(')')?;
    let (returned, name) = typed(head);
    let parameters = parameters.split(',').map(|parameter| match parameter.trim() {
        "void" => String::new(),
        parameter => typed(parameter).0,
    });
    signature(name, returned, parameters)
}

/// `pub(crate) fn sqtt_shim_f(call: LLVMValueRef, length: *mut usize) -> bool`
fn of_rust(text: &str) -> Option<(String, Vec<String>)> {
    let (head, rest) = text.split_once(" fn ")?.1.split_once('(')?;
    let (parameters, returned) = rest.split_once(')')?;
    let returned = returned.trim().strip_prefix("->").map_or("void".to_owned(), c_type);
    let types = parameters.split(',').filter_map(|parameter| Some(c_type(parameter.split_once(':')?.1)));
    signature(head, returned, types)
}

fn signature(
    name: &str,
    returned: String,
    parameters: impl Iterator<Item = String>,
) -> Option<(String, Vec<String>)> {
    let types = std::iter::once(returned).chain(parameters.filter(|parameter| !parameter.is_empty()));
    name.starts_with("sqtt_shim_").then(|| (name.to_owned(), types.collect()))
}

/// `const char *text` → its type without blanks, and its name.
fn typed(text: &str) -> (String, &str) {
    let text = text.trim();
    let name = text.rfind([' ', '*', '\n']).map_or(0, |at| at + 1);
    (text[..name].split_whitespace().collect(), &text[name..])
}

/// A type of Rust as C spells it, without blanks.
fn c_type(rust: &str) -> String {
    let rust = rust.trim();
    if let Some(to) = rust.strip_prefix("*mut ") {
        return format!("{}*", c_type(to));
    }
    if let Some(to) = rust.strip_prefix("*const ") {
        return format!("const{}*", c_type(to));
    }
    match rust {
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "i64" => "int64_t",
        "usize" => "size_t",
        "c_char" => "char",
        "c_void" => "void",
        "RunPhase" => "SqttRunPhase",
        same => same,
    }
    .to_owned()
}
