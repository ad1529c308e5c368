//! A command on a terminal of its own: what it writes appears as a stream, and keys are pressed once an expected text has appeared.
//!
//! `script` of util-linux gives the command a pseudo-terminal.

use std::ffi::OsStr;
use std::io::{Read as _, Write as _};
use std::iter;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use regex::Regex;

/// The size of the terminal.
pub(super) const ROWS: usize = 24;
const COLUMNS: usize = 80;
/// Keys.
pub(super) const ENTER: &str = "\r";
pub(super) const CTRL_C: &str = "\x03";

/// How long a command may take to show something.
const PATIENCE: Duration = Duration::from_mins(1);
const PATH: &str = "/usr/bin:/bin";

/// A command on its terminal, ended with the value.
pub(super) struct Terminal {
    script: Child,
    keyboard: ChildStdin,
    stream: Receiver<Vec<u8>>,
    /// What has appeared since the text that was expected last.
    unread: Vec<u8>,
}

impl Terminal {
    /// Runs a command with its folder and its variables.
    pub(super) fn run(command: &Command) -> Self {
        let words: Vec<String> = iter::once(command.get_program()).chain(command.get_args()).map(quoted).collect();
        let typed = format!("stty rows {ROWS} cols {COLUMNS} && exec {}", words.join(" "));
        let mut script = Command::new("script");
        script
            .args(["--quiet", "--flush", "--return", "--command", &typed, "/dev/null"])
            .env_clear()
            .envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))))
            .envs([("PATH", PATH), ("SHELL", "/bin/sh"), ("TERM", "xterm")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        if let Some(folder) = command.get_current_dir() {
            script.current_dir(folder);
        }
        let mut script = script.spawn().unwrap_or_else(|error| {
            panic!("cannot run `script` ({error}): install util-linux; on Debian its package bsdutils has it")
        });
        let (keyboard, stream) = (script.stdin.take().unwrap(), stream_of(&mut script));
        Self { script, keyboard, stream, unread: Vec::new() }
    }

    /// Waits until a text appears, and returns everything that appeared before it, with the text.
    pub(super) fn until(&mut self, expected: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let found = self.unread.windows(expected.len()).position(|part| part == expected.as_bytes());
            if let Some(at) = found {
                let rest = self.unread.split_off(at + expected.len());
                let shown = std::mem::replace(&mut self.unread, rest);
                return String::from_utf8_lossy(&shown).into_owned();
            }
            assert!(self.read_until(deadline), "the command ended before {expected:?}:\n{}", self.unread());
        }
    }

    pub(super) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).and_then(|()| self.keyboard.flush()).unwrap();
    }

    /// Waits until the command has done what it was asked, and returns what has appeared since the text that was expected last.
    pub(super) fn until_success(&mut self) -> String {
        let deadline = Instant::now() + PATIENCE;
        while self.read_until(deadline) {}
        let ended = self.script.wait().unwrap();
        assert!(ended.success(), "{ended}:\n{}", self.unread());
        self.unread()
    }

    fn unread(&self) -> String {
        String::from_utf8_lossy(&self.unread).into_owned()
    }

    /// Waits for the next part of the stream; false at its end.
    fn read_until(&mut self, deadline: Instant) -> bool {
        match self.stream.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(part) => self.unread.extend(part),
            Err(RecvTimeoutError::Disconnected) => return false,
            Err(RecvTimeoutError::Timeout) => panic!("nothing more appeared within {PATIENCE:?}:\n{}", self.unread()),
        }
        true
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It passes the signal on to the command. One that has ended gets none.
        if !matches!(self.script.try_wait(), Ok(Some(_))) {
            let _ = Command::new("kill").args(["-TERM", &self.script.id().to_string()]).status();
            let _ = self.script.wait();
        }
    }
}

fn stream_of(script: &mut Child) -> Receiver<Vec<u8>> {
    let mut output = script.stdout.take().unwrap();
    let (screen, stream) = mpsc::channel();
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = output.read(&mut buffer) {
            // Fails once the test has ended.
            let _ = screen.send(buffer[..count].to_vec());
        }
    });
    stream
}

/// A word as a shell takes it.
fn quoted(word: &OsStr) -> String {
    let word = word.to_str().unwrap();
    assert!(!word.contains('\''), "{word} cannot be quoted");
    format!("'{word}'")
}

/// The text that a person sees: without the sequences that control the terminal.
pub(super) fn plain(written: &str) -> String {
    Regex::new("\x1b\\[[0-9;?]*[A-Za-z]|\r").unwrap().replace_all(written, "").into_owned()
}

/// How many rows of the terminal a text takes: a long line is broken.
pub(super) fn rows(text: &str) -> usize {
    text.lines().map(|line| line.chars().count().max(1).div_ceil(COLUMNS)).sum()
}
