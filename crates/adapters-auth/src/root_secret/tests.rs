//! What is promised of the root secret's file and of the keys derived from it.

use std::os::unix::fs::PermissionsExt as _;

use tempfile::TempDir;

use super::*;

const HEX: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D1E1F";

fn counting() -> [u8; LENGTH] {
    std::array::from_fn(|position| u8::try_from(position).unwrap())
}

/// A folder with a file `root.secret` of this content and mode.
fn file_with(content: &[u8], mode: u32) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("root.secret");
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    (folder, path)
}

#[test]
fn the_first_start_makes_a_file_that_only_its_owner_can_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("root.secret");
    let made = RootSecret::load_or_create(&path).unwrap();
    let metadata = fs::metadata(&path).unwrap();
    assert_eq!((metadata.len(), metadata.permissions().mode() & 0o7777), (32, 0o600));
    assert_eq!(RootSecret::load_or_create(&path).unwrap().canary(), made.canary());
}

#[test]
fn making_one_leaves_nothing_else_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    RootSecret::create(&folder.path().join("root.secret")).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn an_existing_file_is_never_overwritten() {
    let (folder, path) = file_with(&counting(), 0o600);
    assert!(matches!(RootSecret::create(&path), Err(RootSecretError::Exists { .. })));
    assert_eq!(fs::read(&path).unwrap(), counting());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn processes_that_start_at_once_agree_on_one_secret() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("root.secret");
    let start = || RootSecret::load_or_create(&path).unwrap().canary();
    let canaries: Vec<_> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..8).map(|_| scope.spawn(start)).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(canaries.iter().all(|canary| *canary == canaries[0]));
}

#[test]
fn a_file_open_to_others_is_refused_with_the_way_to_close_it() {
    for mode in [0o640, 0o604, 0o620, 0o666] {
        let (_folder, path) = file_with(&counting(), mode);
        let error = RootSecret::load(&path).unwrap_err();
        assert!(matches!(error, RootSecretError::Exposed { mode: found, .. } if found == mode));
        assert!(error.to_string().ends_with(&format!("run `chmod 600 {}`", path.display())), "{error}");
    }
}

#[test]
fn a_file_that_even_its_owner_cannot_change_is_fine() {
    let (_folder, path) = file_with(&counting(), 0o400);
    assert!(RootSecret::load(&path).is_ok());
}

#[test]
fn a_missing_file_is_reported_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("root.secret");
    let error = RootSecret::load(&path).unwrap_err();
    assert!(matches!(error, RootSecretError::Missing { .. }));
    assert!(error.to_string().contains(path.to_str().unwrap()));
}

#[test]
fn a_missing_folder_is_reported_and_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("absent/root.secret");
    let error = RootSecret::load_or_create(&path).unwrap_err();
    assert!(matches!(error, RootSecretError::File { attempt: "write", .. }), "{error}");
}

#[test]
fn a_file_of_another_length_is_refused() {
    for content in [&b""[..], &[7; 31], &[7; 33], &[b'a'; 63], &[b'a'; 66], &[b'a'; 4_096]] {
        let (_folder, path) = file_with(content, 0o600);
        assert!(matches!(RootSecret::load(&path), Err(RootSecretError::Malformed { .. })), "{} bytes", content.len());
    }
}

#[test]
fn bytes_hexadecimal_file_and_setting_give_the_same_secret() {
    let (_folder, path) = file_with(format!("{HEX}\n").as_bytes(), 0o600);
    let canary = RootSecret::from_bytes(counting()).canary();
    assert_eq!(RootSecret::load(&path).unwrap().canary(), canary);
    assert_eq!(RootSecret::from_hex(HEX, "auth.root_secret").unwrap().canary(), canary);
}

#[test]
fn a_setting_that_is_not_hexadecimal_is_refused_by_its_name() {
    let signs = "+f".repeat(32);
    let wide = "é".repeat(32);
    for text in ["", "abc", signs.as_str(), wide.as_str()] {
        let error = RootSecret::from_hex(text, "auth.root_secret").unwrap_err();
        assert!(error.to_string().starts_with("auth.root_secret is not a root secret"), "{error}");
    }
}

#[test]
fn different_secrets_have_different_canaries() {
    assert_ne!(RootSecret::from_bytes([1; 32]).canary(), RootSecret::from_bytes([2; 32]).canary());
}

#[test]
fn each_purpose_has_its_own_key() {
    let secret = RootSecret::from_bytes(counting());
    assert_ne!(secret.derive("one"), secret.derive("other"));
    assert_eq!(secret.derive("one"), secret.derive("one"));
}

#[test]
fn debug_output_holds_no_secret() {
    assert_eq!(format!("{:?}", RootSecret::from_bytes(counting())), "RootSecret(..)");
}
