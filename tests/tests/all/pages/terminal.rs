//! A terminal: a shell that keeps its folder and variables from block to block, and what it has printed.

use std::io::{Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// The most that a reader waits for one block.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// What a terminal shows.
#[derive(Default)]
struct Screen {
    printed: Mutex<Printed>,
    changed: Condvar,
}

#[derive(Default)]
struct Printed {
    text: String,
    is_closed: bool,
}

pub(super) struct Terminal {
    shell: Child,
    keyboard: ChildStdin,
    screen: Arc<Screen>,
    /// How many blocks were typed.
    typed: usize,
    /// Where the output of the latest block begins.
    begins: usize,
}

impl Terminal {
    /// Opens a terminal whose shell ends at the first command that fails. A Ctrl-C ends the command and not the shell.
    pub(super) fn open(shell: &mut Command) -> Self {
        let mut shell = shell
            .args(["--noprofile", "--norc"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .expect("bash is installed");
        let mut keyboard = shell.stdin.take().unwrap();
        writeln!(keyboard, "exec 2>&1; trap : INT; set -e -o pipefail").unwrap();
        let screen = Arc::<Screen>::default();
        let (mut output, shown) = (shell.stdout.take().unwrap(), screen.clone());
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // Characters that are cut in two do not matter: pages expect words.
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                shown.add(&String::from_utf8_lossy(&buffer[..count]));
            }
            shown.close();
        });
        Self { shell, keyboard, screen, typed: 0, begins: 0 }
    }

    /// Types a block of commands, which read nothing from the keyboard.
    pub(super) fn type_in(&mut self, commands: &str) {
        self.begins = self.screen.length();
        self.typed += 1;
        let typed = writeln!(self.keyboard, "{{\n{commands}}} < /dev/null\necho; echo \"{}\"", end_of(self.typed));
        typed.unwrap_or_else(|error| panic!("the terminal is closed ({error}):\n{}", self.output()));
    }

    /// Waits until the latest block has ended.
    pub(super) fn wait_for_end(&self) {
        let end = end_of(self.typed);
        self.wait_until(&format!("the end of block {}", self.typed), |output| output.contains(&end));
    }

    /// Waits until the latest block has printed this.
    pub(super) fn wait_until(&self, what: &str, is_there: impl Fn(&str) -> bool) {
        self.screen.wait_until(self.begins, what, is_there);
    }

    /// What the latest block has printed.
    pub(super) fn output(&self) -> String {
        self.screen.printed.lock().unwrap().text[self.begins..].to_owned()
    }

    /// Everything that was printed.
    pub(super) fn scrollback(&self) -> String {
        self.screen.printed.lock().unwrap().text.clone()
    }

    /// Presses Ctrl-C, and waits until the command has ended.
    pub(super) fn interrupt(&self) {
        self.signal("-INT");
        self.wait_for_end();
    }

    /// Sends a signal to the shell and what runs in it, which are a process group of their own.
    fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, "--", &format!("-{}", self.shell.id())]).status();
        assert!(sent.is_ok_and(|status| status.success()), "{signal} cannot be sent");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A shell that ended by itself has no group that could be killed.
        if !matches!(self.shell.try_wait(), Ok(Some(_))) {
            self.signal("-KILL");
            self.shell.wait().expect("the shell was started");
        }
    }
}

impl Screen {
    fn add(&self, text: &str) {
        self.printed.lock().unwrap().text.push_str(text);
        self.changed.notify_all();
    }

    fn close(&self) {
        self.printed.lock().unwrap().is_closed = true;
        self.changed.notify_all();
    }

    fn length(&self) -> usize {
        self.printed.lock().unwrap().text.len()
    }

    fn wait_until(&self, begins: usize, what: &str, is_there: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        let mut printed = self.printed.lock().unwrap();
        while !is_there(&printed.text[begins..]) {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!printed.is_closed, "a command failed before {what}:\n{}", printed.text);
            assert!(!left.is_zero(), "nothing shows {what}:\n{}", printed.text);
            printed = self.changed.wait_timeout(printed, left).unwrap().0;
        }
    }
}

fn end_of(block: usize) -> String {
    format!("<end of block {block}>")
}
