//! Finds the browsers that checks need, or installs them where that can be done without asking: as root on Debian.

use std::process::Command;

use crate::apt;

/// A browser with what drives it.
pub(crate) struct Browser {
    name: &'static str,
    programs: &'static [&'static str],
    /// Debian's packages.
    packages: &'static [&'static str],
}

pub(crate) const CHROMIUM: Browser =
    Browser { name: "Chromium", programs: &["chromium", "chromedriver"], packages: &["chromium", "chromium-driver"] };

/// It is driven by what it has itself.
pub(crate) const FIREFOX: Browser = Browser { name: "Firefox", programs: &["firefox-esr"], packages: &["firefox-esr"] };

impl Browser {
    /// Sees to it that the browser is there; says what is missing where it cannot be.
    pub(crate) fn provide(&self) -> Option<String> {
        let Self { name, packages, .. } = self;
        if self.is_there() {
            return None;
        }
        let wanted = packages.join(" and ");
        if !apt::may_install() {
            return Some(format!("{name} is missing: install {wanted}"));
        }
        eprintln!("{name} is missing: installing Debian's {wanted}");
        match apt::install(packages) {
            Ok(()) if self.is_there() => None,
            Ok(()) => Some(format!("apt-get installed {wanted}, and still {name} does not start")),
            Err(error) => Some(format!("{name} cannot be installed: {error:#}")),
        }
    }

    fn is_there(&self) -> bool {
        let starts =
            |program| Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
        self.programs.iter().all(starts)
    }
}
