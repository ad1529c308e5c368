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
    #[cfg(feature = "console")]
    console::compress_all()?;
    Ok(())
}

/// Writes a file compressed, without its time, so that the same sources make the same program.
#[cfg(any(feature = "cli", feature = "console"))]
fn compress(from: &mut impl std::io::Read, to: &Path) -> std::io::Result<()> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::copy(from, &mut encoder)?;
    std::fs::write(to, encoder.finish()?)
}

/// The folder of the build's output.
#[cfg(any(feature = "cli", feature = "console"))]
#[expect(clippy::disallowed_methods, reason = "cargo names the folder of a build script in a variable")]
fn output() -> Result<PathBuf, std::env::VarError> {
    std::env::var("OUT_DIR").map(PathBuf::from)
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
    use std::fs::File;
    use std::io::Cursor;

    use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
    use zip::ZipArchive;

    use crate::{compress, output};

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
    pub(crate) fn compress_all() -> Result<(), Box<dyn Error>> {
        let target = |path: &str| -> Result<_, Box<dyn Error>> { Ok(output()?.join(format!("{}.gz", name_of(path)))) };
        for path in OWN {
            println!("cargo:rerun-if-changed={path}");
            compress(&mut File::open(path)?, &target(path)?)?;
        }
        let mut archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED))?;
        for path in OF_VIEWER {
            compress(&mut archive.by_name(&format!("{VIEWER}/{path}"))?, &target(path)?)?;
        }
        Ok(())
    }

    fn name_of(path: &str) -> &str {
        path.rsplit_once('/').map_or(path, |(_, name)| name)
    }
}

/// The files of the console, as they were built into `console-dist`.
#[cfg(feature = "console")]
mod console {
    use std::error::Error;
    use std::fmt::Write as _;
    use std::fs::{self, File};
    use std::path::{Path, PathBuf};

    use crate::{compress, output};

    const BUILT: &str = "console-dist";

    /// Writes the files into the folder of the build's output, and `console.rs`, which is the list of them.
    pub(crate) fn compress_all() -> Result<(), Box<dyn Error>> {
        println!("cargo:rerun-if-changed={BUILT}");
        let (mut list, folder) = (String::from("[\n"), output()?.join("console"));
        fs::create_dir_all(&folder)?;
        for (number, file) in files_below(Path::new(BUILT))?.iter().enumerate() {
            let path = file.strip_prefix(BUILT)?.to_str().ok_or("a file of the console has an odd name")?;
            let target = folder.join(format!("{number}.gz"));
            compress(&mut File::open(file)?, &target)?;
            let target = target.to_str().ok_or("the folder of the build's output has an odd name")?;
            let content_type = content_type(file).ok_or_else(|| format!("{path}: no content type is known"))?;
            writeln!(
                list,
                "EmbeddedFile {{ path: {:?}, content_type: {content_type:?}, gzipped: include_bytes!({target:?}) }},",
                format!("/{path}")
            )?;
        }
        list.push(']');
        fs::write(output()?.join("console.rs"), list)?;
        Ok(())
    }

    /// Every file, in a stable order.
    fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
        let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                let found = if path.is_dir() { &mut folders } else { &mut files };
                found.push(path);
            }
        }
        files.sort();
        Ok(files)
    }

    fn content_type(file: &Path) -> Option<&'static str> {
        Some(match file.extension()?.to_str()? {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "json" => "application/json",
            "webmanifest" => "application/manifest+json",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "ico" => "image/x-icon",
            "woff2" => "font/woff2",
            "txt" => "text/plain; charset=utf-8",
            _ => return None,
        })
    }
}
