//! The tarball: the program for any distribution, with licences, completions, units and what else it needs to run as a service.

use super::{Release, archive, install, licences, source};

/// Files of the repository, which have the same place below the tarball's folder.
const FILES: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "CHANGELOG.md"];

/// Writes the tarball.
pub(super) fn write(release: &Release) -> anyhow::Result<()> {
    let program = release.program()?;
    let name = format!("tradepost-{}-{}", source::VERSION, program.target);
    let under = release.folder("tarball")?;
    let folder = under.join(&name);
    install(&program.path, &folder.join("bin/tradepost"), 0o755)?;
    program.completions(&folder)?;
    let (documents, packaging) = (release.source.documents()?, release.source.files("packaging")?);
    for file in documents.iter().chain(&packaging).map(String::as_str).chain(FILES) {
        install(&release.source.path(file), &folder.join(file), 0o644)?;
    }
    super::write(&folder.join(licences::FILE), licences::text(release)?.as_bytes(), 0o644)?;
    archive::pack(release, &name, &under, &name)
}
