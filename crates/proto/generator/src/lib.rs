//! What the build scripts of the interface share: they compile the protos in `proto/` of the repository. `protox` is a compiler in pure Rust:
//! no protoc is needed.
//!
//! Each package of protos is a crate, so that packages compile side by side, a compiler process needs less memory, and a change of one
//! package compiles no other again.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use connectrpc_build::CodeGenConfig;
use prost::Message as _;
use protox::Compiler;
use protox::prost_reflect::prost_types::FileDescriptorSet;

/// How a build script ends.
pub type Outcome = Result<(), Box<dyn Error>>;

/// Generates a package of protos, and refers to the crates of the packages that it names.
///
/// # Errors
/// When the protos do not compile.
pub fn package(name: &str, needs: &[&str]) -> Outcome {
    for package in needs.iter().chain([&name]) {
        println!("cargo:rerun-if-changed={}", root().join(package).display());
    }
    let files = protos_below(&root().join(name))?;
    // Source information carries the comments of the protos into the generated documentation.
    let described = out()?.join("described.fds.bin");
    fs::write(&described, compiler(&files)?.file_descriptor_set().encode_to_vec())?;
    connectrpc_build::Config::new()
        .buffa_config(messages(needs))
        .files(&files)
        .descriptor_set(described)
        .emit_rerun_directives(false)
        .gate_client_feature(true)
        .include_file("package.rs")
        .compile()?;
    Ok(())
}

/// Writes the descriptor set of all packages, and a macro for each service.
///
/// # Errors
/// When the protos do not compile.
pub fn descriptors() -> Outcome {
    println!("cargo:rerun-if-changed={}", root().display());
    let mut set = compiler(&protos_below(&root())?)?.file_descriptor_set();
    fs::write(out()?.join("methods.rs"), methods(&set))?;
    // The binary carries the set for reflection: the comments would only make it large.
    for file in &mut set.file {
        file.source_code_info = None;
    }
    fs::write(out()?.join("tradepost.fds.bin"), set.encode_to_vec())?;
    Ok(())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../proto")
}

#[expect(clippy::disallowed_methods, reason = "cargo names the folder of a build script in a variable")]
fn out() -> Result<PathBuf, Box<dyn Error>> {
    Ok(PathBuf::from(std::env::var("OUT_DIR")?))
}

fn compiler(files: &[PathBuf]) -> Result<Compiler, Box<dyn Error>> {
    let mut compiler = Compiler::new([root()])?;
    compiler.include_imports(true).include_source_info(true).open_files(files)?;
    Ok(compiler)
}

/// How messages are generated. The interface is the largest part of what is compiled, so what no one calls is left out.
fn messages(needs: &[&str]) -> CodeGenConfig {
    let mut config = CodeGenConfig::default();
    config.generate_json = true;
    config.generate_with_setters = false;
    config.preserve_unknown_fields = false;
    let elsewhere = |package: &&str| (format!(".{package}.v1"), format!("::tradepost_proto_{package}::v1"));
    config.extern_paths = needs.iter().map(elsewhere).collect();
    config
}

/// Every `.proto` file below a folder, relative to the root, in a stable order.
fn protos_below(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "proto") {
                files.push(path.strip_prefix(root())?.to_owned());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// A macro for each service, which hands the methods of the service to another macro.
fn methods(set: &FileDescriptorSet) -> String {
    let services = set.file.iter().flat_map(|file| &file.service);
    let macros = services.map(|service| {
        let methods = service.method.iter().map(|method| {
            let message = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
            let (request, answer) = (message(method.input_type()), message(method.output_type()));
            format!("            {}({request}) -> {answer},\n", snake_case(method.name()))
        });
        let (name, methods) = (snake_case(service.name()), methods.collect::<String>());
        format!(
            "/// Hands the methods of the service to a macro.\n#[macro_export]\nmacro_rules! {name}_methods {{\n    \
             ($implement:ident) => {{\n        $implement! {{\n{methods}        }}\n    }};\n}}\n"
        )
    });
    macros.collect()
}

/// The name of a method's function, as in the server traits: `get_api_key` for `GetAPIKey`.
fn snake_case(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut snake = String::new();
    for (at, char) in chars.iter().enumerate() {
        let is_after_lower = at > 0 && !chars[at - 1].is_uppercase();
        let is_before_lower = chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        if char.is_uppercase() && at > 0 && (is_after_lower || is_before_lower) {
            snake.push('_');
        }
        snake.extend(char.to_lowercase());
    }
    snake
}
