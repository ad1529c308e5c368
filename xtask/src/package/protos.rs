//! The protos as an artefact of their own: their sources, and a descriptor set for tools that read no sources.

use super::{Release, archive, install, source};
use crate::openapi;

/// Writes both.
pub(super) fn write(release: &Release) -> anyhow::Result<()> {
    let name = format!("tradepost-protos-{}", source::VERSION);
    let under = release.folder("protos")?;
    let folder = under.join(&name);
    let sources = release.source.files("proto")?;
    let sources = sources.iter().map(String::as_str).filter(|file| !file.starts_with("proto/releases/"));
    for file in sources.chain(["LICENSE-APACHE", "LICENSE-MIT"]) {
        let to = folder.join(file.strip_prefix("proto/").unwrap_or(file));
        install(&release.source.path(file), &to, 0o644)?;
    }
    archive::pack(release, &name, &under, &name)?;
    let set = openapi::protos(&release.source.path("proto"))?.encode_to_vec();
    super::write(&release.out.join(format!("{name}.binpb")), &set, 0o644)
}
