//! The tarball: the program for any distribution, with licences, completions, units and what else it needs to run as a service.

use super::{Release, archive, install, source};

/// Files of the repository: from, to, below the tarball's folder.
const FILES: [(&str, &str); 10] = [
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("CHANGELOG.md", "CHANGELOG.md"),
    ("docs/install.md", "docs/install.md"),
    ("docs/configuration.md", "docs/configuration.md"),
    ("docs/backups.md", "docs/backups.md"),
    ("packaging/systemd/tradepost.service", "packaging/systemd/tradepost.service"),
    ("packaging/systemd/tradepost.socket", "packaging/systemd/tradepost.socket"),
    ("packaging/systemd/tradepost.sysusers", "packaging/systemd/tradepost.sysusers"),
    ("packaging/logrotate/tradepost", "packaging/logrotate/tradepost"),
];

/// Writes the tarball.
pub(super) fn write(release: &Release) -> anyhow::Result<()> {
    let program = release.program()?;
    let name = format!("tradepost-{}-{}", source::VERSION, program.target);
    let under = release.folder("tarball")?;
    let folder = under.join(&name);
    install(&program.path, &folder.join("bin/tradepost"), 0o755)?;
    program.completions(&folder)?;
    for (from, to) in FILES {
        install(&release.source.path(from), &folder.join(to), 0o644)?;
    }
    archive::pack(release, &name, &under, &name)
}
