//! Work on several threads, in the order of its items. One thread, or a system without threads, does
//! the same work.

use std::fmt;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Number of threads that share a piece of work: at least one, which is the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads(NonZero<usize>);

impl Threads {
    /// The caller's thread alone.
    pub const ONE: Self = Self(NonZero::<usize>::MIN);

    /// So many; 0 is one.
    #[must_use]
    pub fn new(count: usize) -> Self {
        NonZero::new(count).map_or(Self::ONE, Self)
    }

    /// One for each of the machine's cores.
    #[must_use]
    pub fn per_core() -> Self {
        thread::available_parallelism().map_or(Self::ONE, Self)
    }

    /// Their number.
    #[must_use]
    pub fn count(self) -> usize {
        self.0.get()
    }
}

impl Default for Threads {
    fn default() -> Self {
        Self::ONE
    }
}

impl fmt::Display for Threads {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// Calls `work` for every item and gives back what it made of them, in their order.
pub(crate) fn map<T: Sync, R: Send>(threads: Threads, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if threads == Threads::ONE || items.len() <= 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let worker = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let made = work(item);
            // A thread that panicked takes the scope with it; its lock is no matter.
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, made));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.count().min(items.len()) {
            // Where no thread can be had, this one does it all.
            if thread::Builder::new().spawn_scoped(scope, worker).is_err() {
                break;
            }
        }
        worker();
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_keep_the_order_of_their_items() {
        let items: Vec<u32> = (0..1000).collect();
        for threads in [0, 1, 4, 2000] {
            let squares = super::map(super::Threads::new(threads), &items, |item| item * item);
            assert!(squares.into_iter().eq(items.iter().map(|item| item * item)));
        }
    }
}
