//! The container image: built by buildah from an empty one, and started by podman as a check.

mod store;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;

use super::{Release, Source, archive, install, licences, printed, source, succeed, tarball};
use crate::apt;
use crate::checks::{answers, build_program, tool};
use crate::report::Outcome;
use crate::workspace_root;
use store::{Container, Images};

const CONTAINERFILE: &str = "packaging/container/Containerfile";
/// The certificates of public authorities, where Debian and the program look for them.
const AUTHORITIES: &str = "/etc/ssl/certs/ca-certificates.crt";
/// Folders that the user of the image writes to. Volumes get their owner from them.
const WRITABLE: [&str; 2] = ["var/lib/tradepost", "var/backups/tradepost"];
/// The packages for building and starting images. The runtime is named because podman's default does not run everywhere.
const PACKAGES: [&str; 4] = ["buildah", "podman", "runc", "ca-certificates"];

/// Writes the image as an archive that `podman load` and `docker load` read.
pub(super) fn write(release: &Release) -> anyhow::Result<Outcome> {
    if !answers("buildah", &["--version"]) {
        return Ok(Outcome::Skipped("buildah is not installed".to_owned()));
    }
    let images = Images::at(release.folder("image/store")?)?;
    let context = release.folder("image/context")?;
    stage(&release.program()?.path, &release.source.path(CONTAINERFILE), &context)?;
    let folder = context.join("root/usr/share/doc/tradepost");
    super::write(&folder.join(licences::FILE), licences::text(release)?.as_bytes(), 0o644)?;
    for licence in tarball::LICENCES {
        install(&release.source.path(licence), &folder.join(licence), 0o644)?;
    }
    let name = images.build(&context, &release.source)?;
    let archive = release.work.join("image.tar");
    succeed(images.buildah("push").arg(&name).arg(format!("docker-archive:{}:{name}", archive.display())))?;
    images.remove()?;
    repack(release, &archive)?;
    Ok(Outcome::Passed)
}

/// Packs the archive again without what buildah makes up for each build: the name of a container and of its host.
fn repack(release: &Release, archive: &Path) -> anyhow::Result<()> {
    let folder = release.folder("image/archive")?;
    succeed(tool("tar").arg("--extract").arg("--file").arg(archive).arg("--directory").arg(&folder))?;
    let read = |file: PathBuf| -> anyhow::Result<Value> {
        let text = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        serde_json::from_slice(&text).with_context(|| format!("{} is not JSON", file.display()))
    };
    let mut manifest = read(folder.join("manifest.json"))?;
    let config = folder.join(manifest[0]["Config"].as_str().context("the archive has no configuration")?);
    let mut configuration = read(config.clone())?;
    configuration["container"] = Value::from("");
    configuration["config"]["Hostname"] = Value::from("");
    configuration["container_config"]["Hostname"] = Value::from("");
    super::write(&config, configuration.to_string().as_bytes(), 0o644)?;
    // The name of an image is the digest of its configuration.
    let name = format!("{}.json", archive::digest(&config)?);
    fs::rename(&config, folder.join(&name)).with_context(|| format!("cannot rename {}", config.display()))?;
    manifest[0]["Config"] = Value::from(name.as_str());
    super::write(&folder.join("manifest.json"), manifest.to_string().as_bytes(), 0o644)?;
    let layers = manifest[0]["Layers"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let members: Vec<&str> = layers.chain([name.as_str(), "manifest.json"]).collect();
    archive::tar(release, &format!("tradepost-{}-image", source::VERSION), &folder, &members).map(drop)
}

/// Prepares the folder of the Containerfile: the program, the libraries that it links to, and certificates.
fn stage(program: &Path, containerfile: &Path, context: &Path) -> anyhow::Result<()> {
    let root = context.join("root");
    install(containerfile, &context.join("Containerfile"), 0o644)?;
    install(program, &root.join("usr/bin/tradepost"), 0o755)?;
    for library in libraries(program)? {
        install(&library, &root.join(library.strip_prefix("/").unwrap_or(&library)), 0o755)?;
    }
    install(Path::new(AUTHORITIES), &root.join(AUTHORITIES.trim_start_matches('/')), 0o644)?;
    for folder in WRITABLE {
        let folder = context.join("writable").join(folder);
        super::empty(&folder)?;
        succeed(tool("chmod").arg("700").arg(&folder))?;
    }
    Ok(())
}

/// The files that the dynamic linker loads for a program, the linker among them.
fn libraries(program: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let listed = String::from_utf8(printed(tool("ldd").arg(program))?).context("ldd printed no UTF-8")?;
    anyhow::ensure!(!listed.contains("not found"), "a library of {} is missing: {listed}", program.display());
    let words = listed.lines().filter_map(|line| line.split_whitespace().find(|word| word.starts_with('/')));
    Ok(words.map(PathBuf::from).collect())
}

/// Builds the image with a program, by default that of this build, and starts it without rights and with a read-only root, as `docs/how-to/install.md` does.
///
/// # Errors
/// When the program or the image does not build, or the server in it does not become ready.
pub(crate) fn check(binary: Option<&Path>) -> anyhow::Result<Outcome> {
    if let Some(missing) = provide() {
        return Ok(Outcome::Skipped(missing));
    }
    let work = workspace_root().join("target/package/check-image");
    super::empty(&work)?;
    let (images, context) = (Images::at(work.join("store"))?, work.join("context"));
    let program = work.join("tradepost");
    let built = binary.map_or_else(build_program, |binary| Ok(binary.to_owned()))?;
    succeed(tool("strip").arg("-o").arg(&program).arg(built))?;
    stage(&program, &workspace_root().join(CONTAINERFILE), &context)?;
    let source = Source::export(&work)?;
    let name = images.build(&context, &source)?;
    let container = Container::start(&images, &name)?;
    let ended = container.check();
    drop(container);
    images.remove()?;
    ended.map(|()| Outcome::Passed)
}

/// Installs what is missing. Returns the reason if it cannot.
pub(super) fn provide() -> Option<String> {
    if !apt::is_root() {
        return Some("the image is started as root alone".to_owned());
    }
    let are_there = || ["buildah", "podman", "runc"].iter().all(|program| answers(program, &["--version"]));
    if are_there() && Path::new(AUTHORITIES).exists() {
        return None;
    }
    if !apt::may_install() {
        return Some("buildah, podman and runc are not installed".to_owned());
    }
    match apt::install(&PACKAGES) {
        Ok(()) => None,
        Err(error) => Some(format!("buildah cannot be installed: {error:#}")),
    }
}
