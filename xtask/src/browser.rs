//! Finds Chromium and its driver, or installs them where that can be done without asking: as root on Debian.

use std::process::Command;

use crate::apt;

/// Sees to it that there is a browser; says what is missing where there can be none.
pub(crate) fn provide() -> Option<String> {
    if is_there() {
        return None;
    }
    if !apt::may_install() {
        return Some("chromium and chromedriver are not installed".to_owned());
    }
    eprintln!("Chromium is missing: installing Debian's packages `chromium` and `chromium-driver`");
    match apt::install(&["chromium", "chromium-driver"]) {
        Ok(()) if is_there() => None,
        Ok(()) => Some("apt-get installed chromium and chromium-driver, and still they do not start".to_owned()),
        Err(error) => Some(format!("chromium cannot be installed: {error:#}")),
    }
}

fn is_there() -> bool {
    let starts = |program| Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    starts("chromium") && starts("chromedriver")
}
