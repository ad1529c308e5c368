//! A demo that was filled once for all tests of this build: filling takes seconds, and continuing a copy none.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::command::{Place, Server};

/// Where the demo is in the folder of a test.
const KEPT: &str = "kept";

/// Puts the demo's folder, which no process serves, into the folder of a test.
pub(crate) fn keep(place: &Place) {
    copy(&filled(), &place.path(KEPT));
}

/// Starts the still demo.
pub(crate) fn serve(place: &Place) -> Server {
    keep(place);
    place.serve(&["demo", "--still", "--keep", KEPT])
}

/// The folder of the filled demo of this build.
fn filled() -> PathBuf {
    let demos = Path::new(env!("CARGO_TARGET_TMPDIR")).join("demos");
    fs::create_dir_all(&demos).unwrap();
    // Tests are processes of their own: the first one fills, and the others wait.
    let lock = File::create(demos.join("lock")).unwrap();
    lock.lock().unwrap();
    let folder = demos.join(build());
    if !folder.exists() {
        fill(&demos, &folder);
    }
    folder
}

/// Fills a demo in another folder, moves it there once it is complete, and removes those of earlier builds.
fn fill(demos: &Path, folder: &Path) {
    for entry in fs::read_dir(demos).unwrap().map(Result::unwrap) {
        if entry.path().is_dir() {
            fs::remove_dir_all(entry.path()).unwrap();
        }
    }
    let place = Place::new();
    let mut server = place.serve(&["demo", "--still", "--keep", KEPT]);
    server.terminate();
    assert!(server.wait().success());
    let unfinished = folder.with_extension("unfinished");
    copy(&place.path(KEPT), &unfinished);
    fs::rename(unfinished, folder).unwrap();
}

/// A name for the program that is tested.
fn build() -> String {
    let program = fs::metadata(assert_cmd::cargo::cargo_bin!("tradepost")).unwrap();
    let built = program.modified().unwrap().duration_since(UNIX_EPOCH).unwrap();
    format!("{}-{}", built.as_nanos(), program.len())
}

/// Copies a folder with the modes of its files, which the demo checks.
fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    fs::set_permissions(to, fs::metadata(from).unwrap().permissions()).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}
