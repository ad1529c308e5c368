//! The tarball: the program for any distribution, with licences, completions, units and what else it needs to run as a service.

use super::{Release, archive, documents, install, source};

/// The licences of the program itself.
pub(super) const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Writes the tarball.
pub(super) fn write(release: &Release) -> anyhow::Result<()> {
    let program = release.program()?;
    let name = format!("tradepost-{}-{}", source::VERSION, program.target);
    let under = release.folder("tarball")?;
    let folder = under.join(&name);
    install(&program.path, &folder.join("bin/tradepost"), 0o755)?;
    program.shell_files(&folder)?;
    let packaging = release.source.files("packaging")?;
    for file in packaging.iter().map(String::as_str).chain(LICENCES) {
        install(&release.source.path(file), &folder.join(file), 0o644)?;
    }
    documents::write(release, &folder, &packaging)?;
    archive::pack(release, &name, &under, &name)
}
