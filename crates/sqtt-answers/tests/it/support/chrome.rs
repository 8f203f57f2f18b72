//! A strict reading of Chrome's trace event JSON: what the format says, and what Perfetto's importer and
//! Chrome's own make of it.
//!
//! - The unit of display comes first, so that it is in the first piece that a viewer reads.
//! - Every event has a kind, a process and a thread; numbers of processes and threads are small, and no two
//!   tracks share one: importers take a thread's number for the same thread, whatever its process.
//! - Names of processes and threads are given once, and before their first event.
//! - On a track, begins and ends match, nothing is left open, no time goes back, and nothing overlaps. As
//!   importers sort events by time, and keep the order of the file at equal times, all of that is asked of the
//!   sorted events as well, with times in whole nanoseconds, as they are kept.
//! - Times are finite, and not before 0.
//! - Instants say what they are instants of; values of counters are numbers.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// A slice of a track: name, category, begin and end in nanoseconds, depth, arguments of both ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slice {
    pub(crate) name: String,
    pub(crate) cat: String,
    pub(crate) begin: i64,
    pub(crate) end: i64,
    pub(crate) depth: usize,
    pub(crate) args: Value,
    pub(crate) end_args: Value,
}

/// A point of a track.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Instant {
    pub(crate) name: String,
    pub(crate) cat: String,
    pub(crate) time: i64,
    pub(crate) args: Value,
}

/// A track.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Thread {
    pub(crate) pid: u64,
    pub(crate) name: Option<String>,
    /// In the order of their ends.
    pub(crate) slices: Vec<Slice>,
    pub(crate) instants: Vec<Instant>,
}

/// Events as an importer sees them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Model {
    pub(crate) processes: BTreeMap<u64, String>,
    pub(crate) threads: BTreeMap<u64, Thread>,
    /// Values by process, counter and line.
    pub(crate) counters: BTreeMap<(u64, String, String), Vec<(i64, f64)>>,
}

/// Reads a file; says what is wrong with it.
pub(crate) fn read(text: &str) -> Result<Model, String> {
    if !text.starts_with("{\"displayTimeUnit\":\"ns\",") {
        return Err("displayTimeUnit does not come first".to_owned());
    }
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let events = value["traceEvents"].as_array().ok_or("no traceEvents")?;
    let events: Vec<&Map<String, Value>> = events
        .iter()
        .map(|event| event.as_object().ok_or("an event that is no object"))
        .collect::<Result<_, _>>()?;
    let in_file = replay(&events)?;
    let mut sorted = events;
    let mut error = None;
    sorted.sort_by_key(|event| match time(event) {
        // Names are taken before anything else.
        Ok(time) => time.unwrap_or(i64::MIN),
        Err(reason) => {
            error = Some(reason);
            0
        }
    });
    error.map_or(Ok(()), Err)?;
    let by_time = replay(&sorted)?;
    if in_file.threads != by_time.threads {
        return Err("sorted by time, the tracks are others".to_owned());
    }
    Ok(in_file)
}

/// The time of an event in nanoseconds; none of a name.
fn time(event: &Map<String, Value>) -> Result<Option<i64>, String> {
    if event.get("ph").and_then(Value::as_str) == Some("M") {
        return match event.get("ts") {
            None => Ok(None),
            Some(_) => Err("a name with a time".to_owned()),
        };
    }
    let micros = event.get("ts").and_then(Value::as_f64).ok_or_else(|| format!("no time: {event:?}"))?;
    if !micros.is_finite() || micros < 0.0 {
        return Err(format!("a time before 0: {event:?}"));
    }
    Ok(Some((micros * 1000.0).round() as i64))
}

fn number(event: &Map<String, Value>, key: &str) -> Result<u64, String> {
    let number = event.get(key).and_then(Value::as_u64).ok_or_else(|| format!("no {key}: {event:?}"))?;
    if (1..1 << 31).contains(&number) { Ok(number) } else { Err(format!("{key} {number} is out of range")) }
}

fn text(event: &Map<String, Value>, key: &str) -> Result<String, String> {
    let text = event.get(key).and_then(Value::as_str).map(str::to_owned);
    text.ok_or_else(|| format!("no {key}: {event:?}"))
}

fn replay(events: &[&Map<String, Value>]) -> Result<Model, String> {
    let mut model = Model::default();
    let mut open: BTreeMap<u64, Vec<Slice>> = BTreeMap::new();
    let mut last: BTreeMap<u64, i64> = BTreeMap::new();
    let mut used: BTreeSet<u64> = BTreeSet::new();
    for event in events {
        let (pid, tid) = (number(event, "pid")?, number(event, "tid")?);
        let known = ["ph", "pid", "tid", "ts", "name", "cat", "s", "args"];
        if let Some(key) = event.keys().find(|key| !known.contains(&key.as_str())) {
            return Err(format!("a field {key} that nobody reads"));
        }
        let args = event.get("args").cloned().unwrap_or_default();
        if !matches!(args, Value::Object(_) | Value::Null) {
            return Err("args that are no object".to_owned());
        }
        let thread = model.threads.entry(tid).or_insert_with(|| Thread { pid, ..Thread::default() });
        if thread.pid != pid {
            return Err(format!("thread {tid} is of two processes, {} and {pid}", thread.pid));
        }
        let kind = text(event, "ph")?;
        if kind == "M" {
            let name = || args["name"].as_str().map(str::to_owned).ok_or("a name without a name");
            match text(event, "name")?.as_str() {
                "process_name" => {
                    if model.processes.insert(pid, name()?).is_some() {
                        return Err(format!("process {pid} is named twice"));
                    }
                }
                "thread_name" => {
                    if thread.name.replace(name()?).is_some() || used.contains(&tid) {
                        return Err(format!("thread {tid} is named twice, or after its first event"));
                    }
                }
                "process_sort_index" | "thread_sort_index" if args["sort_index"].is_u64() => {}
                other => return Err(format!("metadata {other}")),
            }
            continue;
        }
        if !model.processes.contains_key(&pid) {
            return Err(format!("process {pid} has no name before its first event"));
        }
        used.insert(tid);
        let now = time(event)?.ok_or("no time")?;
        // Counters are tracks of their process.
        if kind == "C" {
            let name = text(event, "name")?;
            for (line, value) in args.as_object().ok_or("a counter without values")? {
                let value = value.as_f64().ok_or_else(|| format!("a counter with a value {value}"))?;
                model.counters.entry((pid, name.clone(), line.clone())).or_default().push((now, value));
            }
            continue;
        }
        let before = last.insert(tid, now).unwrap_or(0);
        if now < before {
            return Err(format!("thread {tid} goes back in time, from {before} to {now}"));
        }
        let stack = open.entry(tid).or_default();
        match kind.as_str() {
            "B" => stack.push(Slice {
                name: text(event, "name")?,
                cat: text(event, "cat")?,
                begin: now,
                end: now,
                depth: stack.len(),
                args,
                end_args: Value::Null,
            }),
            "E" => {
                let mut slice = stack.pop().ok_or_else(|| format!("thread {tid}: an end without a begin"))?;
                if event.get("name").is_some_and(|name| *name != slice.name) {
                    return Err(format!("thread {tid}: the end of another slice"));
                }
                (slice.end, slice.end_args) = (now, args);
                thread.slices.push(slice);
            }
            "i" => {
                if !matches!(text(event, "s")?.as_str(), "t" | "p" | "g") {
                    return Err("an instant of nothing".to_owned());
                }
                let (name, cat) = (text(event, "name")?, text(event, "cat")?);
                thread.instants.push(Instant { name, cat, time: now, args });
            }
            other => return Err(format!("an event of kind {other}")),
        }
    }
    for (tid, stack) in &open {
        if let Some(slice) = stack.last() {
            return Err(format!("thread {tid}: {} is never ended", slice.name));
        }
        let thread = &model.threads[tid];
        check_overlaps(tid, &thread.slices)?;
        if thread.name.is_none() {
            return Err(format!("thread {tid} has events and no name"));
        }
    }
    if let Some(both) = model.threads.keys().find(|tid| model.processes.contains_key(tid)) {
        return Err(format!("{both} is a process and a thread: importers take it for a main thread"));
    }
    Ok(model)
}

/// Slices of one depth follow each other, and each is inside of one of the depth above.
fn check_overlaps(tid: &u64, slices: &[Slice]) -> Result<(), String> {
    for (index, slice) in slices.iter().enumerate() {
        if slice.end < slice.begin {
            return Err(format!("thread {tid}: {} ends before it begins", slice.name));
        }
        let same = slices[index + 1..].iter().find(|other| other.depth == slice.depth);
        if same.is_some_and(|other| other.begin < slice.end) {
            return Err(format!("thread {tid}: {} overlaps its neighbour", slice.name));
        }
        let outer = slices[index + 1..].iter().find(|other| other.depth + 1 == slice.depth);
        if slice.depth > 0 && !outer.is_some_and(|outer| outer.begin <= slice.begin && slice.end <= outer.end)
        {
            return Err(format!("thread {tid}: {} is not inside of what is around it", slice.name));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(events: &[&str]) -> String {
        let names = r#"{"ph":"M","pid":1,"tid":5,"name":"process_name","args":{"name":"p"}},
            {"ph":"M","pid":1,"tid":5,"name":"thread_name","args":{"name":"t"}},"#;
        format!("{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[{names}{}]}}", events.join(","))
    }

    const BEGIN: &str = r#"{"ph":"B","pid":1,"tid":5,"ts":1,"name":"a","cat":"c"}"#;
    const END: &str = r#"{"ph":"E","pid":1,"tid":5,"ts":2}"#;

    #[test]
    fn it_takes_what_is_right() {
        let model = read(&file(&[BEGIN, END])).unwrap();
        assert_eq!((model.threads[&5].slices[0].begin, model.threads[&5].slices[0].end), (1000, 2000));
    }

    #[test]
    fn it_refuses_what_is_wrong() {
        for (wrong, why) in [
            (vec![BEGIN], "never ended"),
            (vec![END], "without a begin"),
            (vec![END, BEGIN], "without a begin"),
            (vec![BEGIN, r#"{"ph":"E","pid":1,"tid":5,"ts":0.5}"#], "back in time"),
            (vec![BEGIN, r#"{"ph":"E","pid":1,"tid":5,"ts":2,"name":"b"}"#], "of another slice"),
            (vec![BEGIN, r#"{"ph":"E","pid":2,"tid":5,"ts":2}"#], "two processes"),
            (vec![r#"{"ph":"B","pid":1,"tid":5,"ts":-1,"name":"a","cat":"c"}"#], "before 0"),
            (vec![r#"{"ph":"B","pid":1,"tid":4294967301,"ts":1,"name":"a","cat":"c"}"#], "out of range"),
            (vec![r#"{"ph":"i","pid":1,"tid":5,"ts":1,"name":"a","cat":"c"}"#], "no s"),
            (vec![r#"{"ph":"C","pid":1,"tid":5,"ts":1,"name":"a","args":{"v":"x"}}"#], "a value"),
            (vec![r#"{"ph":"X","pid":1,"tid":5,"ts":1,"name":"a","cat":"c"}"#], "kind X"),
            (vec![r#"{"ph":"B","pid":7,"tid":6,"ts":1,"name":"a","cat":"c"}"#], "no name before"),
            (vec![r#"{"ph":"M","pid":9,"tid":1,"name":"process_name","args":{"name":"q"}}"#], "main thread"),
        ] {
            let error = read(&file(&wrong)).unwrap_err();
            assert!(error.contains(why), "{wrong:?}: {error}");
        }
        assert!(read("{\"traceEvents\":[],\"displayTimeUnit\":\"ns\"}").is_err());
    }
}
