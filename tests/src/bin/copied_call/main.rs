//! A call that was copied from the console as Rust. `call.txt` has the text as "Copy as" writes it, in a block; `units.test.mjs` of the console
//! compares it with what is written now.

use std::error::Error;

#[tokio::main]
#[expect(clippy::disallowed_methods, reason = "the text takes its key from the environment")]
async fn main() -> Result<(), Box<dyn Error>> {
    include!("call.txt");
    Ok(())
}
