//! The answer as text.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use super::{Ago, At, Gathering, Last, LastMarker, Verdict, Whereabouts};

/// Scopes of a stack that are written at most: the outer ones, and the inner ones.
const OUTER: usize = 4;
const INNER: usize = 8;
/// Places of gatherings and waves that are written at most.
const PLACES: usize = 8;

/// Writes the answers for people.
///
/// # Errors
///
/// Errors of the writer.
pub fn write_text(out: &mut dyn Write, traces: &[Whereabouts]) -> io::Result<()> {
    for (index, trace) in traces.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let Whereabouts { folder, alive, ended, groups, barriers, notes } = trace;
        let living = if *alive == 1 { "wave is" } else { "waves are" };
        writeln!(out, "{folder}: {alive} {living} alive at the end of the trace, {ended} ended")?;
        let mut kernel = None;
        for group in groups {
            if kernel != Some(&group.kernel) {
                kernel = Some(&group.kernel);
                writeln!(out, "\nkernel {}", group.kernel)?;
            }
            let scopes =
                if group.stack.is_empty() { "(no open scope)".to_owned() } else { stack(&group.stack) };
            writeln!(out, "{:>6}  {scopes}", group.waves)?;
            for last in &group.last {
                writeln!(out, "{:>14}  {}{}", last.waves, doing(last), lossy(last))?;
            }
        }
        for per_workgroup in [true, false] {
            let some: Vec<&Gathering> =
                barriers.iter().filter(|gathering| gathering.workgroup.is_some() == per_workgroup).collect();
            let Some(first) = some.first() else { continue };
            match per_workgroup {
                true => writeln!(out, "\nat barriers, per workgroup")?,
                false => writeln!(
                    out,
                    "\nat barriers, per {} and kernel: the trace does not say workgroups",
                    first.unit
                )?,
            }
            write_gatherings(out, &some)?;
        }
        if !notes.is_empty() {
            writeln!(out)?;
        }
        for note in notes {
            writeln!(out, "note: {}", note.text())?;
        }
    }
    Ok(())
}

/// Gatherings that differ in nothing but their place and times are written once.
fn write_gatherings(out: &mut dyn Write, gatherings: &[&Gathering]) -> io::Result<()> {
    let mut alike: Vec<(String, Vec<&Gathering>)> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for gathering in gatherings {
        let rows = gathering.at.iter().map(|at| (at.barriers, &at.stack, &at.last.marker, at.last.waves));
        let sentence = sentence(gathering);
        let same = format!("{sentence} {} {:?}", gathering.kernel, rows.collect::<Vec<_>>());
        let index = *known.entry(same).or_insert(alike.len());
        match alike.get_mut(index) {
            Some((_, others)) => others.push(gathering),
            None => alike.push((sentence, vec![gathering])),
        }
    }
    for (sentence, gatherings) in alike {
        let Some((first, others)) = gatherings.split_first() else { continue };
        writeln!(out, "  {}, {}: {sentence}", place(first), first.kernel)?;
        let rows = first.at.iter().filter(|_| first.verdict != Verdict::Level);
        for At { barriers, stack: scopes, last, .. } in rows {
            let scopes = if scopes.is_empty() { String::new() } else { format!("in `{}`, ", stack(scopes)) };
            let (count, slots) = (last.waves, list(last.slots.iter().cloned()));
            writeln!(out, "{count:>8}  came to {barriers}: {scopes}{}: {slots}", doing(last))?;
        }
        for doubt in &first.doubts {
            writeln!(out, "          not sure: {}", doubt.text())?;
        }
        if !others.is_empty() {
            let places = list(others.iter().map(|other| place(other)));
            writeln!(out, "          and {} alike: {places}", others.len())?;
        }
    }
    Ok(())
}

fn place(gathering: &Gathering) -> String {
    let Gathering { se, cu, unit, workgroup, .. } = gathering;
    let workgroup = workgroup.map(|number| format!(", workgroup {number}")).unwrap_or_default();
    format!("SE{se} {unit}{cu}{workgroup}")
}

/// `12 waves at their 5th barrier in `outer`, 4 at their 4th`.
fn sentence(gathering: &Gathering) -> String {
    // Waves by number of barriers, the most first: those that still stand there, then those that went on.
    let mut tallies: BTreeMap<(Reverse<u64>, bool, bool), Vec<&At>> = BTreeMap::new();
    let waiting = gathering.at.iter().filter(|at| at.is_waiting).map(|at| at.barriers);
    let most_waiting = waiting.max().unwrap_or_default();
    for at in &gathering.at {
        let is_past = !at.is_waiting && at.barriers >= most_waiting;
        tallies.entry((Reverse(at.barriers), is_past, at.last.lossy > 0)).or_default().push(at);
    }
    // The sentence begins with those that wait.
    let mut tallies: Vec<_> = tallies.into_iter().collect();
    tallies.sort_by_key(|((barriers, is_past, _), _)| barriers.0 != most_waiting || *is_past);
    let mut parts = Vec::new();
    for ((barriers, is_past, is_lossy), rows) in &tallies {
        let waves: u64 = rows.iter().map(|at| at.last.waves).sum();
        let first = parts.is_empty();
        let noun = match (first, waves) {
            (false, _) => "",
            (true, 1) => " wave",
            (true, _) => " waves",
        };
        let (preposition, number) = match (barriers.0, is_past) {
            (0, _) => ("before", 1),
            (number, true) => ("past", number),
            (number, false) => ("at", number),
        };
        let barrier = if first { " barrier" } else { "" };
        let mut part = format!("{waves}{noun} {preposition} {} {}{barrier}", its(waves), ordinal(number));
        if *is_lossy {
            part += " or a later one";
        }
        if let (true, Some(at)) = (first, rows.first())
            && !at.stack.is_empty()
            && rows.iter().all(|other| other.stack == at.stack)
        {
            part += &format!(" in `{}`", stack(&at.stack));
        }
        parts.push(part);
    }
    match (gathering.verdict, gathering.silent) {
        (Verdict::Level, 0) => parts.push("none behind".to_owned()),
        (_, 0) => {}
        (Verdict::Level, silent) => parts.push(format!("none known to be behind, {silent} recorded nothing")),
        (_, silent) => parts.push(format!("{silent} recorded nothing")),
    }
    let mut sentence = parts.join(", ");
    let ended = gathering.ended.iter().map(|ended| match ended.barriers {
        0 => format!("{} before {} 1st", ended.waves, its(ended.waves)),
        number => format!("{} after {} {}", ended.waves, its(ended.waves), ordinal(number)),
    });
    let ended: Vec<String> = ended.collect();
    if !ended.is_empty() {
        sentence += &format!("; ended: {}", list(ended.into_iter()));
    }
    sentence
}

fn its(waves: u64) -> &'static str {
    if waves == 1 { "its" } else { "their" }
}

/// `last marker point barrier, 300 to 400 cycles ago`.
fn doing(last: &Last) -> String {
    let Ago { least, most } = last.ago;
    let ago = if least == most { format!("{most}") } else { format!("{least} to {most}") };
    let what = match &last.marker {
        None => return format!("nothing recorded, launched {ago} cycles ago"),
        Some(LastMarker { event, name, source_loc }) => {
            let source = source_loc.as_ref().map(|source| format!(" @ {source}")).unwrap_or_default();
            match *event {
                "exit_enter" => format!("last marker enter {name} (and an exit){source}"),
                "exit" if name.is_empty() => "last marker exit of nothing".to_owned(),
                "undecoded" => "last marker a word that cannot be read".to_owned(),
                event => format!("last marker {event} {name}{source}"),
            }
        }
    };
    format!("{what}, {ago} cycles ago")
}

fn lossy(last: &Last) -> String {
    match last.lossy {
        0 => String::new(),
        lossy if lossy == last.waves => " (words are missing)".to_owned(),
        lossy => format!(" (words are missing of {lossy})"),
    }
}

fn stack(scopes: &[String]) -> String {
    if scopes.len() <= OUTER + INNER + 1 {
        return scopes.join(" > ");
    }
    let left = scopes.len() - OUTER - INNER;
    let (outer, inner) = (scopes[..OUTER].join(" > "), scopes[scopes.len() - INNER..].join(" > "));
    format!("{outer} > … {left} more … > {inner}")
}

fn list(items: impl ExactSizeIterator<Item = String>) -> String {
    let left = items.len().saturating_sub(PLACES);
    let mut text = items.take(PLACES).collect::<Vec<_>>().join(", ");
    if left > 0 {
        text += &format!(" and {left} more");
    }
    text
}

fn ordinal(number: u64) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_barriers() {
        let all: Vec<String> = [1, 2, 3, 4, 10, 11, 12, 13, 21, 102, 111, 123].map(ordinal).into();
        let expected = "1st 2nd 3rd 4th 10th 11th 12th 13th 21st 102nd 111th 123rd";
        assert_eq!(all.join(" "), expected);
    }

    #[test]
    fn deep_stacks_keep_their_ends() {
        let scopes: Vec<String> = (0..40).map(|depth| format!("s{depth}")).collect();
        assert_eq!(stack(&scopes[..3]), "s0 > s1 > s2");
        assert_eq!(stack(&scopes[..13]).matches(" > ").count(), 12);
        let text = stack(&scopes);
        assert!(
            text.starts_with("s0 > s1 > s2 > s3 > … 28 more … > s32 > ") && text.ends_with(" > s39"),
            "{text}"
        );
    }
}
