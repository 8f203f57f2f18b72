//! speedscope's own format (<https://www.speedscope.app/file-format-schema.json>).

use std::io::Write;

use serde::Serialize;

use super::{FlameError, Flames, Stack, Weight};

#[derive(Serialize)]
struct File<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    exporter: String,
    name: &'a str,
    shared: Shared<'a>,
    profiles: Vec<Profile>,
}

#[derive(Serialize)]
struct Shared<'a> {
    frames: Vec<FrameJson<'a>>,
}

#[derive(Serialize)]
struct FrameJson<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Profile {
    #[serde(rename = "type")]
    kind: &'static str,
    name: String,
    unit: &'static str,
    start_value: u64,
    end_value: u64,
    samples: Vec<Vec<u32>>,
    weights: Vec<u64>,
}

/// Writes a file for speedscope: a profile for every kernel, or for every unit that the stacks begin with.
/// `name` is what the file calls itself. What the trace lost is behind the profiles' names, which the viewer shows.
///
/// # Errors
///
/// Errors of the writer; [`FlameError::TooLarge`].
pub fn write_speedscope(out: &mut dyn Write, flames: &Flames, name: &str) -> Result<(), FlameError> {
    let frames = flames.tree.frames().iter().map(|frame| {
        let (file, line) = frame.place.as_deref().map_or((None, None), place);
        FrameJson { name: &frame.name, file, line }
    });
    let file = File {
        schema: "https://www.speedscope.app/file-format-schema.json",
        exporter: format!("sqtt {}", env!("CARGO_PKG_VERSION")),
        name,
        shared: Shared { frames: frames.collect() },
        profiles: profiles(flames, &flames.stacks()?),
    };
    serde_json::to_writer(&mut *out, &file).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// A name, with what was lost.
fn named(flames: &Flames, name: &str) -> String {
    match flames.losses.lost() {
        Some(lost) => format!("{name} ({lost})"),
        None => name.to_owned(),
    }
}

fn profiles(flames: &Flames, stacks: &[Stack]) -> Vec<Profile> {
    let mut profiles: Vec<(u32, Profile)> = Vec::new();
    for stack in stacks {
        let path = flames.tree.path(stack.node);
        let Some(&first) = path.first() else { continue };
        if profiles.last().is_none_or(|(frame, _)| *frame != first) {
            let unit = match flames.options.weight {
                Weight::Cycles => "none",
                Weight::Time => "nanoseconds",
            };
            let name = named(flames, &flames.tree.frames()[first as usize].name);
            let empty = Profile {
                kind: "sampled",
                name,
                unit,
                start_value: 0,
                end_value: 0,
                samples: Vec::new(),
                weights: Vec::new(),
            };
            profiles.push((first, empty));
        }
        if let Some((_, profile)) = profiles.last_mut() {
            profile.end_value += stack.weight;
            profile.samples.push(path);
            profile.weights.push(stack.weight);
        }
    }
    profiles.into_iter().map(|(_, profile)| profile).collect()
}

/// File and line of `k.hip:12`; of an inlined one, `h.h:7 -> k.hip:51`, those of the innermost.
fn place(text: &str) -> (Option<&str>, Option<u32>) {
    let innermost = text.split(" -> ").next().unwrap_or(text);
    match innermost.rsplit_once(':') {
        Some((file, line)) => match line.parse() {
            Ok(line) => (Some(file), Some(line)),
            Err(_) => (Some(innermost), None),
        },
        None => (Some(innermost), None),
    }
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn places_are_taken_apart() {
        assert_eq!(place("/src/k.hip:12"), (Some("/src/k.hip"), Some(12)));
        assert_eq!(place("/src/h.h:7 -> /src/k.hip:51"), (Some("/src/h.h"), Some(7)));
        assert_eq!(place("odd:"), (Some("odd:"), None));
        assert_eq!(place("odd"), (Some("odd"), None));
    }
}
