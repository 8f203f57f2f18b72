//! The events of a wave's trace, and those that the source asks for.

use sqtt_format::SystemPoint;
use std::collections::HashSet;
use std::fmt;

/// The name of a marker.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// By a name.
    Named(String),
    /// By a number that no name has.
    Number(u32),
    /// A device function, by the name in the source.
    Function(String),
    /// A point of the plugin's own.
    System(SystemPoint),
}

/// One marker with its payload.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// A scope is entered.
    Enter(Label),
    /// The scope on top is left and another entered, in one record.
    ExitEnter(Label),
    /// The scope on top is left.
    Exit,
    /// An event.
    Point(Label),
    /// An event with a value of one word, or of two, the low one first.
    Data(Label, Vec<u32>),
    /// A record that means nothing: expected never.
    Broken(String),
}

impl fmt::Display for Label {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => write!(out, "{name:?}"),
            Self::Number(id) => write!(out, "{id:#x}"),
            Self::Function(name) => write!(out, "{name}()"),
            Self::System(point) => write!(out, "({})", point.name()),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Enter(label) => write!(out, "enter {label}"),
            Self::ExitEnter(label) => write!(out, "exit+enter {label}"),
            Self::Exit => write!(out, "exit"),
            Self::Point(label) => write!(out, "point {label}"),
            Self::Data(label, words) => write!(out, "data {label} = {words:x?}"),
            Self::Broken(what) => write!(out, "broken record: {what}"),
        }
    }
}

/// The events expected of a wave.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// This.
    Event(Event),
    /// The enter or exit of a device function, where that function is marked.
    Function(String, Event),
    /// A barrier or an access to memory, where these are marked.
    System(SystemPoint),
    /// These one after the other, in any order: the arms of a divergent branch.
    AnyOrder(Vec<Vec<Node>>),
}

/// Adds arms that may run in any order.
pub(crate) fn add_arms(nodes: &mut Vec<Node>, arms: Vec<Vec<Node>>) {
    let mut arms: Vec<_> = arms.into_iter().filter(|arm| !arm.is_empty()).collect();
    match arms.len() {
        0 => {}
        1 => nodes.append(&mut arms[0]),
        _ => nodes.push(Node::AnyOrder(arms)),
    }
}

/// Markers besides those of the source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marked {
    /// Functions, by their names in the source.
    pub functions: HashSet<String>,
    /// Barriers.
    pub barriers: bool,
    /// Memory operations, one by one.
    pub memory: bool,
}

impl Marked {
    /// True for a function that is marked.
    #[must_use]
    pub fn contains(&self, function: &str) -> bool {
        self.functions.contains(function)
    }

    fn admits(&self, point: SystemPoint) -> bool {
        if is_memory(point) { self.memory } else { self.barriers }
    }
}

/// True for a point of memory operations.
#[must_use]
pub fn is_memory(point: SystemPoint) -> bool {
    matches!(point, SystemPoint::VmemLoad | SystemPoint::VmemStore)
}

fn system(point: SystemPoint) -> Event {
    Event::Point(Label::System(point))
}

/// The first difference of a stream from the expectation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The first event that fits nowhere, by its index.
    pub at: usize,
    /// Events that could have stood there.
    pub expected: Vec<String>,
    /// The event that does; `None`: the stream is over.
    pub found: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.found.as_deref().unwrap_or("the end");
        let expected =
            if self.expected.is_empty() { "the end".to_owned() } else { self.expected.join(" or ") };
        write!(out, "event {}: expected {expected}, found {found}", self.at)
    }
}

/// Compares a stream with what is expected.
///
/// # Errors
/// The first difference; where arms may run in any order, that of the order that fits longest.
pub fn compare(expected: &[Node], marked: &Marked, actual: &[Event]) -> Result<(), Difference> {
    let mut matcher = Matcher { marked, actual, furthest: 0, expected: Vec::new() };
    match matcher.sequence(expected, 0) {
        Some(end) if end == actual.len() => return Ok(()),
        Some(end) => matcher.miss(end, None),
        None => {}
    }
    let at = matcher.furthest;
    Err(Difference { at, expected: matcher.expected, found: actual.get(at).map(ToString::to_string) })
}

/// The events of an expectation, arms in the order of the source.
#[must_use]
pub fn flatten(nodes: &[Node], marked: &Marked) -> Vec<Event> {
    let mut events = Vec::new();
    for node in nodes {
        match node {
            Node::Event(event) => events.push(event.clone()),
            Node::Function(name, event) if marked.contains(name) => events.push(event.clone()),
            Node::System(point) if marked.admits(*point) => events.push(system(*point)),
            Node::Function(..) | Node::System(_) => {}
            Node::AnyOrder(arms) => events.extend(arms.iter().flat_map(|arm| flatten(arm, marked))),
        }
    }
    events
}

struct Matcher<'a> {
    marked: &'a Marked,
    actual: &'a [Event],
    furthest: usize,
    expected: Vec<String>,
}

impl Matcher<'_> {
    /// The end of the sequence that starts at `at`. Whatever the order of arms, an expectation has one length, so a
    /// part that fits never has to be tried again in another order.
    fn sequence(&mut self, nodes: &[Node], mut at: usize) -> Option<usize> {
        for node in nodes {
            match node {
                Node::Event(event) => at = self.event(event, at)?,
                Node::Function(name, event) if self.marked.contains(name) => at = self.event(event, at)?,
                Node::System(point) if self.marked.admits(*point) => at = self.event(&system(*point), at)?,
                Node::Function(..) | Node::System(_) => {}
                Node::AnyOrder(arms) => at = self.arms(&arms.iter().collect::<Vec<_>>(), at)?,
            }
        }
        Some(at)
    }

    fn arms(&mut self, arms: &[&Vec<Node>], at: usize) -> Option<usize> {
        if arms.is_empty() {
            return Some(at);
        }
        (0..arms.len()).find_map(|first| {
            let next = self.sequence(arms[first], at)?;
            let mut others = arms.to_vec();
            others.remove(first);
            self.arms(&others, next)
        })
    }

    fn event(&mut self, event: &Event, at: usize) -> Option<usize> {
        if self.actual.get(at) == Some(event) {
            return Some(at + 1);
        }
        self.miss(at, Some(event));
        None
    }

    fn miss(&mut self, at: usize, event: Option<&Event>) {
        if at > self.furthest {
            self.furthest = at;
            self.expected.clear();
        }
        if let Some(text) =
            event.map(ToString::to_string).filter(|text| at == self.furthest && !self.expected.contains(text))
        {
            self.expected.push(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str) -> Event {
        Event::Point(Label::Named(name.to_owned()))
    }

    fn points(text: &str) -> Vec<Event> {
        text.chars().map(|c| point(&c.to_string())).collect()
    }

    fn nodes(text: &str) -> Vec<Node> {
        points(text).into_iter().map(Node::Event).collect()
    }

    #[test]
    fn arms_fit_in_any_order_but_do_not_mix() {
        let mut expected = nodes("a");
        add_arms(&mut expected, vec![nodes("bc"), vec![], nodes("de")]);
        expected.extend(nodes("f"));
        let none = Marked::default();
        for fits in ["abcdef", "adebcf"] {
            assert_eq!(compare(&expected, &none, &points(fits)), Ok(()));
        }
        for (wrong, at) in [("abdcef", 2), ("abcde", 5), ("abcdeff", 6), ("abcf", 3), ("", 0)] {
            let difference = compare(&expected, &none, &points(wrong)).expect_err(wrong);
            assert_eq!(difference.at, at, "{wrong}: {difference}");
        }
    }

    #[test]
    fn functions_count_where_they_are_marked() {
        let event = Event::Enter(Label::Function("f".to_owned()));
        let expected = vec![Node::Function("f".to_owned(), event.clone()), Node::Event(point("a"))];
        assert!(compare(&expected, &Marked::default(), &points("a")).is_ok());
        let marked = Marked { functions: ["f".to_owned()].into(), ..Marked::default() };
        assert!(compare(&expected, &marked, &points("a")).is_err());
        assert!(compare(&expected, &marked, &[event, point("a")]).is_ok());
    }

    #[test]
    fn barriers_and_accesses_count_where_they_are_marked() {
        let [barrier, load] = [SystemPoint::Barrier, SystemPoint::VmemLoad];
        let expected = [Node::System(barrier), Node::Event(point("a")), Node::System(load)];
        let recorded = |points: &[Option<SystemPoint>]| -> Vec<Event> {
            points.iter().map(|it| it.map_or_else(|| point("a"), system)).collect()
        };
        let fits = |barriers, memory, points: &[Option<SystemPoint>]| {
            compare(&expected, &Marked { barriers, memory, ..Marked::default() }, &recorded(points)).is_ok()
        };
        assert!(fits(false, false, &[None]));
        assert!(fits(true, false, &[Some(barrier), None]));
        assert!(fits(true, true, &[Some(barrier), None, Some(load)]));
        assert!(!fits(true, true, &[None, Some(barrier), Some(load)]));
        assert!(!fits(true, true, &[Some(barrier), None]));
        assert!(!fits(false, true, &[Some(barrier), None, Some(load)]));
    }
}
