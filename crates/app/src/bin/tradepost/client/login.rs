//! `tradepost login` and `logout`: keeps the key of a server for the commands of this user.

use serde_json::json;

use super::{Server, server};
use crate::cli::Output;
use crate::cli::client::{ClientContext, Connection};
use crate::failure::Outcome;
use crate::output_format;

/// Stores a key after the server has accepted it.
pub(super) async fn log_in(place: &ClientContext, output: Output) -> Outcome {
    let mut server = Server::of(&place.connection)?;
    if place.connection.key_file.is_none() && place.connection.key.is_none() {
        server.use_key(server::key_of_input()?);
    }
    let workspace = server.workspace(place.workspace.as_deref()).await?;
    let request = json!({ "workspaceId": workspace });
    let answer = server.ask("accounts.v1.Accounts/GetWorkspace", &request).await?;
    let file = server.log_in(&workspace)?;
    let name = answer["workspace"]["name"].as_str().unwrap_or_default();
    let sentence = format!("Logged in to {name:?} at {}; the key is in {file}", server.url());
    output_format::say(
        output,
        &sentence,
        &json!({ "url": server.url(), "workspace": answer["workspace"], "file": file }),
    );
    Ok(())
}

/// Removes the stored key of a server.
pub(super) fn log_out(connection: &Connection, output: Output) -> Outcome {
    let mut server = Server::of(connection)?;
    let had_key = server.log_out()?;
    let sentence = if had_key { "Removed the key of" } else { "There is no stored key of" };
    output_format::say(
        output,
        &format!("{sentence} {}", server.url()),
        &json!({ "url": server.url(), "removed": had_key }),
    );
    Ok(())
}
