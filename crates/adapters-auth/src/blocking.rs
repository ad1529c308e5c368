//! Threads for work that keeps a core busy: few at once, few waiting, so that requests keep being answered. It must not
//! know what the work is.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tradepost_ports::passwords::HasherBusy;

/// How many may wait for a thread.
const QUEUE: usize = 32;
/// How long one waits for a thread.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// A share of the blocking threads of the runtime.
pub(crate) struct CappedThreads {
    /// Work that runs or waits.
    places: Arc<Semaphore>,
    /// Work that runs.
    threads: Arc<Semaphore>,
}

impl CappedThreads {
    /// All cores but one, or the one that there is: the last core stays for requests that hash nothing.
    pub(crate) fn all_cores_but_one() -> Self {
        Self::new(std::thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1)))
    }

    pub(crate) fn new(threads: usize) -> Self {
        Self { places: Arc::new(Semaphore::new(threads + QUEUE)), threads: Arc::new(Semaphore::new(threads)) }
    }

    /// One thread for every four cores, and one at least: for what others must never wait for.
    pub(crate) fn few() -> Self {
        Self::new(std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(4)))
    }

    /// As [`CappedThreads::run`], and no longer than until the deadline. Work that is not done by then is finished all the same,
    /// and holds its thread until then.
    ///
    /// # Errors
    /// [`HasherBusy`] when the queue is full or the work was not done in time.
    pub(crate) async fn run_within<T: Send + 'static>(
        &self,
        deadline: Duration,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, HasherBusy> {
        timeout(deadline, self.run(work)).await.map_err(|_| HasherBusy)?
    }

    /// Runs `work` on a thread of its own. Work that was begun is finished even when its caller no longer waits for it, and
    /// holds its thread until then.
    ///
    /// # Errors
    /// [`HasherBusy`] when the queue is full or no thread came free in time; nothing was run then.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, HasherBusy> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| HasherBusy)?;
        let free_thread = Arc::clone(&self.threads).acquire_owned();
        let thread = timeout(LONGEST_WAIT, free_thread).await.map_err(|_| HasherBusy)?.map_err(|_| HasherBusy)?;
        let running = spawn_blocking(move || {
            let _held_while_running = (place, thread);
            work()
        });
        running.await.map_err(|error| match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(_cancelled_at_shutdown) => HasherBusy,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tokio::sync::oneshot;
    use tokio::task::JoinHandle;
    use tokio::time::Instant;

    use super::*;

    struct Taken {
        threads: Arc<CappedThreads>,
        /// The work goes on until this is dropped.
        release: mpsc::Sender<()>,
        caller: JoinHandle<()>,
    }

    /// One thread, taken by work that has begun.
    async fn taken() -> Taken {
        let threads = Arc::new(CappedThreads::new(1));
        let (release, released) = mpsc::channel::<()>();
        let (begun, begins) = oneshot::channel();
        let work = move || {
            begun.send(()).unwrap();
            assert_eq!(released.recv(), Err(mpsc::RecvError));
        };
        let taking = Arc::clone(&threads);
        let caller = tokio::spawn(async move { taking.run(work).await.unwrap() });
        begins.await.unwrap();
        Taken { threads, release, caller }
    }

    #[tokio::test]
    async fn work_is_run_and_answers() {
        assert_eq!(CappedThreads::new(1).run(|| 7).await, Ok(7));
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_that_waits_two_seconds_in_vain_is_asked_to_come_back() {
        let threads = CappedThreads::new(1);
        let _taken = Arc::clone(&threads.threads).acquire_owned().await.unwrap();
        let before = Instant::now();
        assert_eq!(threads.run(|| ()).await, Err(HasherBusy));
        assert_eq!(before.elapsed().as_secs(), 2);
    }

    #[tokio::test]
    async fn work_that_is_not_done_by_its_deadline_is_not_waited_for() {
        let threads = CappedThreads::new(1);
        let (release, released) = mpsc::channel::<()>();
        let late = threads.run_within(Duration::from_millis(1), move || released.recv()).await;
        assert_eq!(late, Err(HasherBusy));
        assert_eq!(threads.threads.available_permits(), 0, "it holds its thread");
        drop(release);
        assert_eq!(threads.run(|| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn a_full_queue_refuses_at_once() {
        let threads = CappedThreads::new(1);
        let running_and_waiting = u32::try_from(1 + QUEUE).unwrap();
        let _places = Arc::clone(&threads.places).acquire_many_owned(running_and_waiting).await.unwrap();
        assert_eq!(threads.run(|| ()).await, Err(HasherBusy));
    }

    #[tokio::test]
    async fn a_thread_that_comes_free_serves_the_next_in_the_queue() {
        let Taken { threads, release, caller } = taken().await;
        let next = tokio::spawn(async move { threads.run(|| 7).await });
        drop(release);
        assert_eq!(next.await.unwrap(), Ok(7));
        caller.await.unwrap();
    }

    #[tokio::test]
    async fn work_whose_caller_went_away_keeps_its_thread() {
        let Taken { threads, release, caller } = taken().await;
        caller.abort();
        assert!(caller.await.unwrap_err().is_cancelled());
        assert_eq!(threads.threads.available_permits(), 0);
        drop(release);
        assert_eq!(threads.run(|| 7).await, Ok(7));
    }

    #[tokio::test]
    #[should_panic(expected = "broken work")]
    async fn a_panic_in_the_work_is_the_callers() {
        let _: Result<(), HasherBusy> = CappedThreads::new(1).run(|| panic!("broken work")).await;
    }
}
