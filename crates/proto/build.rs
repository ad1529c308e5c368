//! Compiles the protos in `proto/` of the repository into messages, server traits, the typed client and the descriptor
//! set. `protox` is a compiler in pure Rust: no protoc is needed.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use connectrpc_build::CodeGenConfig;
use prost::Message as _;

#[expect(clippy::disallowed_methods, reason = "cargo names the folder of a build script in a variable")]
fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    println!("cargo:rerun-if-changed={}", root.display());
    let files = protos_below(&root)?;
    // Source information carries the comments of the protos into the generated documentation.
    let mut compiler = protox::Compiler::new([&root])?;
    compiler.include_imports(true).include_source_info(true).open_files(&files)?;

    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let described = out.join("described.fds.bin");
    fs::write(&described, compiler.file_descriptor_set().encode_to_vec())?;
    fs::write(out.join("tradepost.fds.bin"), without_source_info(&compiler))?;
    fs::write(out.join("methods.rs"), methods(&compiler))?;
    connectrpc_build::Config::new()
        .buffa_config(messages())
        .files(&files)
        .descriptor_set(described)
        .emit_rerun_directives(false)
        .gate_client_feature(true)
        .include_file("tradepost.rs")
        .compile()?;
    Ok(())
}

/// How messages are generated. The interface is the largest part of what is compiled, so what no one calls is left out.
fn messages() -> CodeGenConfig {
    let mut config = CodeGenConfig::default();
    config.generate_json = true;
    config.generate_with_setters = false;
    config.preserve_unknown_fields = false;
    config
}

/// Every `.proto` file, relative to `root`, in a stable order.
fn protos_below(root: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut folders = vec![root.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "proto") {
                files.push(path.strip_prefix(root)?.to_owned());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// A macro for each service, which hands the methods of the service to another macro.
fn methods(compiler: &protox::Compiler) -> String {
    let files = compiler.file_descriptor_set().file;
    let services = files.iter().flat_map(|file| &file.service);
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

/// The descriptor set that the binary carries, for reflection and tests: the comments would only make it large.
fn without_source_info(compiler: &protox::Compiler) -> Vec<u8> {
    let mut set = compiler.file_descriptor_set();
    for file in &mut set.file {
        file.source_code_info = None;
    }
    set.encode_to_vec()
}
