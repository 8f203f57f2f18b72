//! Stacks as a tree, whose nodes hold the exclusive time of the stack that ends there.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::Flames;

/// The node above all others.
pub(super) const ROOT: u32 = 0;

/// Names of frames put together because they are too deep, or too many.
const TOO_DEEP: &str = "(deeper scopes)";
const TOO_MANY: &str = "(more stacks)";

#[derive(Clone, Debug)]
struct Node {
    parent: u32,
    frame: u32,
    depth: u32,
    /// Weights of the base, and of the trace itself.
    weights: [u128; 2],
}

/// A frame's name, and where it is in the source.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) name: String,
    /// `None` where it is not known, or where several places have that name.
    pub(super) place: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Tree {
    frames: Vec<Frame>,
    by_name: HashMap<String, u32>,
    nodes: Vec<Node>,
    children: HashMap<(u32, u32), u32>,
    lumped: u64,
    /// Greatest number of nodes.
    limit: usize,
}

impl Default for Tree {
    fn default() -> Self {
        let root = Node { parent: ROOT, frame: u32::MAX, depth: 0, weights: [0; 2] };
        Self {
            frames: Vec::new(),
            by_name: HashMap::new(),
            nodes: vec![root],
            children: HashMap::new(),
            lumped: 0,
            limit: Flames::STACK_LIMIT,
        }
    }
}

impl Tree {
    pub(super) const fn lumped(&self) -> u64 {
        self.lumped
    }

    pub(super) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The frame of a name. A name that is met at two places is at none.
    pub(super) fn frame(&mut self, name: &str, place: Option<String>) -> u32 {
        if let Some(&frame) = self.by_name.get(name) {
            let known = &mut self.frames[frame as usize].place;
            if *known != place {
                *known = None;
            }
            return frame;
        }
        // Fewer than records of a trace, which are fewer than this.
        let frame = u32::try_from(self.frames.len()).unwrap_or(u32::MAX);
        self.frames.push(Frame { name: name.to_owned(), place });
        self.by_name.insert(name.to_owned(), frame);
        frame
    }

    /// The node below `parent` for a frame; a shared one where there are too many or it would be too deep.
    pub(super) fn child(&mut self, parent: u32, frame: u32) -> u32 {
        if let Some(&node) = self.children.get(&(parent, frame)) {
            return node;
        }
        let above = &self.nodes[parent as usize];
        let lump = if above.depth as usize >= Flames::DEPTH_LIMIT {
            Some(TOO_DEEP)
        } else if self.nodes.len() >= self.limit {
            Some(TOO_MANY)
        } else {
            None
        };
        match lump {
            None => self.insert(parent, frame),
            Some(name) => {
                self.lumped += 1;
                // All that would be below a shared frame is counted at it.
                let above = above.frame;
                if self.frames.get(above as usize).is_some_and(|frame| frame.name == name) {
                    return parent;
                }
                let frame = self.frame(name, None);
                match self.children.get(&(parent, frame)) {
                    Some(&node) => node,
                    None => self.insert(parent, frame),
                }
            }
        }
    }

    fn insert(&mut self, parent: u32, frame: u32) -> u32 {
        let node = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let depth = self.nodes[parent as usize].depth + 1;
        self.nodes.push(Node { parent, frame, depth, weights: [0; 2] });
        self.children.insert((parent, frame), node);
        node
    }

    pub(super) fn add(&mut self, node: u32, weight: u128) {
        let own = &mut self.nodes[node as usize].weights[1];
        *own = own.saturating_add(weight);
    }

    /// The frames from the top down to a node.
    pub(super) fn path(&self, node: u32) -> Vec<u32> {
        let mut path = Vec::with_capacity(self.nodes[node as usize].depth as usize);
        let mut at = node;
        while at != ROOT {
            let node = &self.nodes[at as usize];
            path.push(node.frame);
            at = node.parent;
        }
        path.reverse();
        path
    }

    /// Takes the weights of another tree as those of the base.
    pub(super) fn add_base(&mut self, base: &Tree) {
        // Parents come before their children, so each node's counterpart is known when it is needed.
        let mut counterparts = vec![ROOT; base.nodes.len()];
        for (index, node) in base.nodes.iter().enumerate().skip(1) {
            let Frame { name, place } = &base.frames[node.frame as usize];
            let frame = self.frame(name, place.clone());
            let own = self.child(counterparts[node.parent as usize], frame);
            counterparts[index] = own;
            let weight = &mut self.nodes[own as usize].weights[0];
            *weight = weight.saturating_add(node.weights[1]);
        }
        self.lumped += base.lumped;
    }

    /// Reverses the frames of the stacks, but for the first `kept` of each.
    pub(super) fn reversed(self, kept: usize) -> Self {
        let mut reversed = Self { lumped: self.lumped, ..Self::default() };
        for (node, weights) in self
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, node)| node.weights != [0; 2])
            .map(|(index, node)| (u32::try_from(index).unwrap_or(u32::MAX), node.weights))
        {
            let path = self.path(node);
            let (above, below) = path.split_at(kept.min(path.len()));
            let mut at = ROOT;
            for &frame in above.iter().chain(below.iter().rev()) {
                let Frame { name, place } = &self.frames[frame as usize];
                let frame = reversed.frame(name, place.clone());
                at = reversed.child(at, frame);
            }
            for (own, weight) in reversed.nodes[at as usize].weights.iter_mut().zip(weights) {
                *own = own.saturating_add(weight);
            }
        }
        reversed
    }

    /// All nodes with their weights: every node before those below it, siblings by name, numbers in names by
    /// their value.
    pub(super) fn in_order(&self) -> Vec<(u32, [u128; 2])> {
        let mut below: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            below[node.parent as usize].push(u32::try_from(index).unwrap_or(u32::MAX));
        }
        let name = |node: u32| self.frames[self.nodes[node as usize].frame as usize].name.as_str();
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut open = vec![ROOT];
        while let Some(node) = open.pop() {
            if node != ROOT {
                order.push((node, self.nodes[node as usize].weights));
            }
            let mut next = std::mem::take(&mut below[node as usize]);
            next.sort_by(|&a, &b| natural(name(b), name(a)));
            open.append(&mut next);
        }
        order
    }
}

/// Compares names as people count: `CU2` is before `CU10`.
fn natural(a: &str, b: &str) -> Ordering {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (mut left, mut right) = (a, b);
    loop {
        let (Some(one), Some(other)) = (left.chars().next(), right.chars().next()) else {
            return left.len().cmp(&right.len()).then_with(|| a.cmp(b));
        };
        let (count, others) = (digits(left), digits(right));
        let (step, order) = if count > 0 && others > 0 {
            let (number, same) =
                (left[..count].trim_start_matches('0'), right[..others].trim_start_matches('0'));
            ((count, others), number.len().cmp(&same.len()).then_with(|| number.cmp(same)))
        } else {
            ((one.len_utf8(), other.len_utf8()), one.cmp(&other))
        };
        if order != Ordering::Equal {
            return order;
        }
        (left, right) = (&left[step.0..], &right[step.1..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count() {
        let mut names = ["CU10", "CU2", "CU02", "CU", "a", "CU2/x", "é1", "CU1"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["CU", "CU1", "CU02", "CU2", "CU2/x", "CU10", "a", "é1"]);
    }

    #[test]
    fn deep_and_many_stacks_are_bounded() {
        let mut tree = Tree::default();
        let mut node = ROOT;
        for depth in 0..10_000 {
            let frame = tree.frame(&format!("f{}", depth % 3), None);
            node = tree.child(node, frame);
            tree.add(node, 1);
        }
        assert_eq!(tree.nodes.len(), Flames::DEPTH_LIMIT + 2);
        assert_eq!(tree.lumped as usize, 10_000 - Flames::DEPTH_LIMIT);
        let sum: u128 = tree.in_order().iter().map(|(_, weights)| weights[1]).sum();
        assert_eq!(sum, 10_000);
        assert_eq!(tree.path(node).len(), Flames::DEPTH_LIMIT + 1);

        let mut tree = Tree { limit: 500, ..Tree::default() };
        for index in 0..1500 {
            let frame = tree.frame(&format!("f{index}"), None);
            let node = tree.child(ROOT, frame);
            tree.add(node, 1);
        }
        assert_eq!(tree.nodes.len(), 501);
        assert_eq!(tree.in_order().last().map(|(_, weights)| weights[1]), Some(1));
        assert_eq!(tree.lumped, 1001);
    }

    #[test]
    fn a_name_of_two_places_has_none() {
        let mut tree = Tree::default();
        tree.frame("a", Some("x:1".to_owned()));
        assert_eq!(tree.frames()[0].place.as_deref(), Some("x:1"));
        tree.frame("a", Some("x:2".to_owned()));
        assert_eq!(tree.frames()[0].place, None);
    }
}
