//! The Debian package, by dpkg-deb.

use std::fs;
use std::path::Path;

use anyhow::Context;

use super::{Release, documents, install, line, printed, source, succeed};

/// Files of the repository: from, to.
const FILES: [(&str, &str); 8] = [
    ("packaging/systemd/tradepost.service", "usr/lib/systemd/system/tradepost.service"),
    ("packaging/systemd/tradepost.socket", "usr/lib/systemd/system/tradepost.socket"),
    ("packaging/systemd/tradepost.sysusers", "usr/lib/sysusers.d/tradepost.conf"),
    ("packaging/logrotate/tradepost", "etc/logrotate.d/tradepost"),
    ("packaging/debian/tradepost.toml", "etc/tradepost/tradepost.toml"),
    ("packaging/debian/copyright", "usr/share/doc/tradepost/copyright"),
    ("packaging/monitoring/alerts.yaml", "usr/share/tradepost/monitoring/alerts.yaml"),
    ("packaging/monitoring/grafana-dashboard.json", "usr/share/tradepost/monitoring/grafana-dashboard.json"),
];
const DOCUMENTS: &str = "usr/share/doc/tradepost";
/// Files that an operator changes; an upgrade keeps the changes.
const CONFFILES: &str = "/etc/logrotate.d/tradepost\n/etc/tradepost/tradepost.toml\n";
const SCRIPTS: [&str; 3] = ["postinst", "prerm", "postrm"];
const MAINTAINER: &str = "the tradepost contributors <tradepost@example.com>";

/// Writes the package.
pub(super) fn write(release: &Release) -> anyhow::Result<()> {
    let program = release.program()?;
    let root = release.folder("debian/root")?;
    install(&program.path, &root.join("usr/bin/tradepost"), 0o755)?;
    program.shell_files(&root.join("usr"))?;
    for (from, to) in FILES {
        install(&release.source.path(from), &root.join(to), 0o644)?;
    }
    documents::write(release, &root.join(DOCUMENTS), &[])?;
    changelog(release, &root)?;
    let architecture = line(release.command("dpkg").arg("--print-architecture"))?;
    control(release, &root, &architecture)?;
    let package = release.out.join(format!("tradepost_{}_{architecture}.deb", source::VERSION));
    let mut build = release.command("dpkg-deb");
    // With one thread, because the number of threads changes the bytes.
    build.args(["--root-owner-group", "-Zxz", "--threads-max=1", "--build"]).arg(&root).arg(package);
    succeed(&mut build)
}

/// The control files: what the package is, what it needs, its scripts, its conffiles and its checksums.
fn control(release: &Release, root: &Path, architecture: &str) -> anyhow::Result<()> {
    let folder = root.join("DEBIAN");
    let text = format!(
        "Package: tradepost\nVersion: {}\nArchitecture: {architecture}\nMaintainer: {MAINTAINER}\nInstalled-Size: {}\n\
         Depends: {}, systemd (>= 249)\nSuggests: logrotate\nSection: net\nPriority: optional\n\
         Description: self-hosted platform for automated trading of game items\n \
         A server that buys, holds and sells game items by standing orders, with an\n \
         interface over Connect, gRPC and JSON. It keeps its data in SQLite or\n PostgreSQL.\n",
        source::VERSION,
        installed_kib(root)?,
        libraries(release, root)?
    );
    super::write(&folder.join("control"), text.as_bytes(), 0o644)?;
    super::write(&folder.join("conffiles"), CONFFILES.as_bytes(), 0o644)?;
    for script in SCRIPTS {
        install(&release.source.path("packaging/debian").join(script), &folder.join(script), 0o755)?;
    }
    let mut files: Vec<String> = Vec::new();
    collect(root, Path::new(""), &mut files)?;
    files.retain(|file| !file.starts_with("DEBIAN/") && !file.starts_with("etc/"));
    let sums = printed(release.command("md5sum").args(files).current_dir(root))?;
    super::write(&folder.join("md5sums"), &sums, 0o644)
}

/// The packages of the libraries that the program links to, by dpkg-shlibdeps.
fn libraries(release: &Release, root: &Path) -> anyhow::Result<String> {
    let folder = release.folder("debian/shlibdeps")?;
    super::write(
        &folder.join("debian/control"),
        b"Source: tradepost\n\nPackage: tradepost\nArchitecture: any\n",
        0o644,
    )?;
    let mut command = release.command("dpkg-shlibdeps");
    let printed = line(command.arg("-O").arg(root.join("usr/bin/tradepost")).current_dir(&folder))?;
    let depends = printed.strip_prefix("shlibs:Depends=");
    depends.map(str::to_owned).with_context(|| format!("dpkg-shlibdeps printed {printed:?}"))
}

/// Debian's form of the changelog, which refers to the project's own.
fn changelog(release: &Release, root: &Path) -> anyhow::Result<()> {
    let folder = root.join(DOCUMENTS);
    let day = line(
        release.command("date").args(["--utc", "--rfc-email", "--date"]).arg(format!("@{}", release.source.epoch)),
    )?;
    let text = format!(
        "tradepost ({}) stable; urgency=medium\n\n  * CHANGELOG.md has the changes.\n\n -- {MAINTAINER}  {day}\n",
        source::VERSION
    );
    let file = folder.join("changelog");
    super::write(&file, text.as_bytes(), 0o644)?;
    succeed(release.command("gzip").args(["--no-name", "--best"]).arg(&file))
}

fn installed_kib(root: &Path) -> anyhow::Result<u64> {
    let mut files = Vec::new();
    collect(root, Path::new(""), &mut files)?;
    let sizes = files.iter().map(|file| Ok(fs::metadata(root.join(file))?.len().div_ceil(1024)));
    Ok(sizes.collect::<std::io::Result<Vec<u64>>>()?.into_iter().sum())
}

/// The files below a folder, by name.
fn collect(root: &Path, below: &Path, files: &mut Vec<String>) -> anyhow::Result<()> {
    let mut entries = fs::read_dir(root.join(below))?.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(root, &path, files)?;
        } else {
            files.push(path.display().to_string());
        }
    }
    Ok(())
}
