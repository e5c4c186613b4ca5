//! Several instances at once, their answers in order.
//!
//! The threads take the items one after the other, so that the first ones are done first. Results
//! come to the calling thread, which hands them on in the order of the items, each as soon as all
//! before it are there. So the output does not depend on the number of threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How long it is waited for a result before `idle` is called.
const PATIENCE: Duration = Duration::from_millis(100);

/// Does `work` on all items with so many threads, and gives the results to `deliver` in order.
/// While there is none for long, `idle` is called. After an error no further item is begun, and
/// `give_up` is called so that those at work can be ended.
pub(crate) fn in_order<T: Sync, R: Send, E>(
    threads: usize,
    items: &[T],
    work: impl Fn(usize, &T) -> R + Sync,
    mut deliver: impl FnMut(R) -> Result<(), E>,
    mut idle: impl FnMut() -> Result<(), E>,
    give_up: impl FnOnce(),
) -> Result<(), E> {
    let (taken, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
    // Of many items a thread takes some at a time: handing a result over takes a microsecond.
    let pieces: Vec<_> = items.chunks((items.len() / (64 * threads)).clamp(1, 32)).collect();
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads.min(items.len()) {
            let (sender, taken, ended, pieces, work) =
                (sender.clone(), &taken, &ended, &pieces, &work);
            scope.spawn(move || {
                while !ended.load(Relaxed) {
                    let piece = taken.fetch_add(1, Relaxed);
                    let Some(items) = pieces.get(piece) else { break };
                    let first = piece * pieces[0].len();
                    let work = |(place, item)| work(first + place, item);
                    let results: Vec<R> = items.iter().enumerate().map(work).collect();
                    if sender.send((piece, results)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early: Vec<Option<Vec<R>>> = pieces.iter().map(|_| None).collect();
        let mut next = 0;
        let mut collect = || loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok((piece, results)) => early[piece] = Some(results),
                Err(RecvTimeoutError::Timeout) => idle()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            while let Some(results) = early.get_mut(next).and_then(Option::take) {
                results.into_iter().try_for_each(&mut deliver)?;
                next += 1;
            }
        };
        let result = collect();
        if result.is_err() {
            ended.store(true, Relaxed);
            give_up();
        }
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_with_any_number_of_threads() {
        let items: Vec<u64> = (0..500).collect();
        for threads in [1, 2, 3, 8] {
            let mut delivered = Vec::new();
            let work = |_, &item: &u64| {
                // Some take longer than those after them.
                thread::sleep(Duration::from_micros(item % 7 * 50));
                (item, item * item)
            };
            let deliver = |result| {
                delivered.push(result);
                Ok::<_, ()>(())
            };
            in_order(threads, &items, work, deliver, || Ok(()), || ()).unwrap();
            assert_eq!(delivered, items.iter().map(|&i| (i, i * i)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn nothing_is_begun_after_an_error() {
        let begun = AtomicUsize::new(0);
        let told = AtomicBool::new(false);
        let items = vec![0_u8; 10_000];
        let work = |index: usize, _: &u8| {
            begun.fetch_add(1, Relaxed);
            thread::sleep(Duration::from_micros(100));
            index
        };
        let deliver = |index| if index == 5 { Err("enough") } else { Ok(()) };
        let give_up = || told.store(true, Relaxed);
        assert_eq!(in_order(3, &items, work, deliver, || Ok(()), give_up), Err("enough"));
        assert!(told.into_inner());
        assert!(begun.into_inner() < items.len());
    }
}
