//! Gives the binary its version: the package's, with the commit when it is built in a checkout of this repository. And the files that
//! it serves of its interface, compressed.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let commit = if cfg!(feature = "cli") { commit() } else { None };
    let version = commit.map_or_else(|| VERSION.to_owned(), |commit| format!("{VERSION} ({commit})"));
    println!("cargo:rustc-env=TRADEPOST_VERSION={version}");
    #[cfg(feature = "cli")]
    interface_pages::compress_all()?;
    Ok(())
}

/// The commit that is checked out. None where there is no git, or where the sources lie in another repository.
fn commit() -> Option<String> {
    let top = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?);
    if top.canonicalize().ok()? != Path::new(PACKAGE).join("../..").canonicalize().ok()? {
        return None;
    }
    // The log of HEAD grows whenever another commit is checked out or made.
    for file in ["HEAD", "logs/HEAD"] {
        let file = Path::new(PACKAGE).join(git(&["rev-parse", "--git-path", file])?);
        if file.exists() {
            println!("cargo:rerun-if-changed={}", file.display());
        }
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

/// What git answers, if it can.
fn git(arguments: &[&str]) -> Option<String> {
    let answer = Command::new("git").args(arguments).current_dir(PACKAGE).output().ok()?;
    let text = String::from_utf8(answer.stdout).ok().filter(|_| answer.status.success())?;
    Some(text.trim().to_owned())
}

/// The files of `/openapi.json` and `/docs`.
#[cfg(feature = "cli")]
mod interface_pages {
    use std::error::Error;
    use std::fs::{self, File};
    use std::io::{self, Cursor, Read};
    use std::path::{Path, PathBuf};

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
    use zip::ZipArchive;

    const OWN: [&str; 3] = [
        "../../docs/openapi.json",
        "src/bin/tradepost/process/interface_pages/index.html",
        "src/bin/tradepost/process/interface_pages/start.js",
    ];
    /// The folder of the archive, and what of it is served. The licence asks for its text and for the notice.
    const VIEWER: &str = "swagger-ui-5.32.6";
    const OF_VIEWER: [&str; 5] =
        ["dist/swagger-ui-bundle.js", "dist/swagger-ui.css", "dist/favicon-32x32.png", "LICENSE", "NOTICE"];

    /// Writes `NAME.gz` for each file into the folder of the build's output.
    #[expect(clippy::disallowed_methods, reason = "this is how cargo tells a build script its folder")]
    pub(crate) fn compress_all() -> Result<(), Box<dyn Error>> {
        let folder = PathBuf::from(std::env::var("OUT_DIR")?);
        for path in OWN {
            println!("cargo:rerun-if-changed={path}");
            compress(&mut File::open(path)?, &folder.join(name_of(path)))?;
        }
        let mut archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED))?;
        for path in OF_VIEWER {
            compress(&mut archive.by_name(&format!("{VIEWER}/{path}"))?, &folder.join(name_of(path)))?;
        }
        Ok(())
    }

    fn name_of(path: &str) -> &str {
        path.rsplit_once('/').map_or(path, |(_, name)| name)
    }

    fn compress(from: &mut impl Read, to: &Path) -> io::Result<()> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        io::copy(from, &mut encoder)?;
        fs::write(to.with_added_extension("gz"), encoder.finish()?)
    }
}
