//! Commands that work through a running server: which operation each calls, and what of the response it shows.

mod approvals;
mod confirmation;
pub(crate) mod desk;
pub(crate) mod enum_names;
pub(crate) mod healthcheck;
pub(crate) mod ids;
mod login;
mod memberships;
mod names;
mod names_by_id;
mod perform;
mod profit;
pub(crate) mod records;
mod remedies;
mod risks;
mod sentences;
mod server;
mod simulate;
mod step_up;
mod stored;
mod tail;
mod view;
pub(crate) mod webhook;
#[cfg(test)]
mod widths;

use serde_json::{Value, json};

use crate::cli::Output;
use crate::cli::client::{
    ClientCommand, ClientContext, ContractsAction, Explain, Halt, IntentsAction, InventoryAction, TransitionsAction,
};
use crate::cli::webhook::Listen;
use crate::failure::Outcome;
use crate::output_format;
use crate::process::signals;
use records::command::Call;
use records::contracts::CONTRACTS;
use records::inventory::ITEMS;
use records::prices::observations::OBSERVATIONS;

pub(crate) use server::Server;

use view::{CHAIN, REASONS, WORKSPACE};

/// As many as the server returns at once.
const PAGE: u32 = 200;

/// Does what a command asks.
pub(crate) async fn run(command: ClientCommand, output: Output) -> Outcome {
    match command {
        ClientCommand::Contracts(contracts) => {
            Client::of(&contracts.place, output).await?.contracts(contracts.action).await
        }
        ClientCommand::Intents(intents) => {
            let client = Client::of(&intents.place, output).await?;
            match intents.action {
                IntentsAction::Table(action) => client.perform(&action.given).await,
                IntentsAction::Approve { id: Some(id) } => client.approve(&id).await,
                IntentsAction::Approve { id: None } => client.approve_each().await,
            }
        }
        ClientCommand::Inventory(items) => Client::of(&items.place, output).await?.inventory(items.action).await,
        ClientCommand::Pnl(pnl) => Client::of(&pnl.place, output).await?.profit(&pnl).await,
        ClientCommand::Transitions(transitions) => {
            let client = Client::of(&transitions.place, output).await?;
            match transitions.action {
                TransitionsAction::Table(action) => client.perform(&action.given).await,
                TransitionsAction::Tail(tail) => {
                    signals::heed(
                        |stop| async move { stop.run_until_cancelled(client.tail(tail)).await.unwrap_or(Ok(())) },
                    )
                    .await
                }
            }
        }
        ClientCommand::Halt(halt) => Client::of(&halt.place, output).await?.halt(halt).await,
        ClientCommand::Login(place) => login::log_in(&place, output).await,
        ClientCommand::Logout(connection) => login::log_out(&connection, output),
    }
}

/// Posts events to an address until it is ended.
pub(crate) async fn listen(listen: Listen, output: Output) -> Outcome {
    let client = Client::of(&listen.place, output).await?;
    signals::heed(|stop| async move { stop.run_until_cancelled(client.listen(&listen)).await.unwrap_or(Ok(())) }).await
}

/// Performs an action of a table.
pub(crate) async fn perform(call: Call, output: Output) -> Outcome {
    Client::of(&call.place, output).await?.perform(&call.given).await
}

/// A workspace on a server, and how responses are printed.
struct Client {
    server: Server,
    workspace: String,
    output: Output,
}

/// Entries of a list, and whether there are more.
struct Page {
    found: Vec<Value>,
    has_more: bool,
}

impl Client {
    async fn of(place: &ClientContext, output: Output) -> Outcome<Self> {
        let mut server = Server::of(&place.connection)?;
        let workspace = server.workspace(place.workspace.as_deref()).await?;
        Ok(Self { server, workspace, output })
    }

    async fn contracts(&self, action: ContractsAction) -> Outcome {
        match action {
            ContractsAction::Table(action) => self.perform(&action.given).await,
            ContractsAction::Apply(apply) => self.apply(&apply).await,
            ContractsAction::New(new) => self.new_record("contracts", new.write.as_deref()).await,
            ContractsAction::Explain(explain) => self.explain(&explain).await,
            ContractsAction::Simulate(simulate) => self.simulate(&simulate).await,
        }
    }

    async fn explain(&self, explain: &Explain) -> Outcome {
        let contract = self.id_of(&CONTRACTS, &explain.contract).await?;
        let said = [("buyFeeBps", explain.buy_fee_bps), ("sellFeeBps", explain.sell_fee_bps)];
        let said = said.into_iter().filter_map(|(field, bps)| Some((field.to_owned(), json!(bps?))));
        let request = json!({
            "contractId": contract,
            "observationId": self.id_of(&OBSERVATIONS, &explain.observation).await?,
            "market": said.collect::<serde_json::Map<_, _>>(),
        });
        let answer = self.ask("contracts.v1.Contracts/EvaluateContract", request).await;
        // The message names the one that does not exist.
        let answer = answer
            .map_err(|failure| remedies::about(failure, &CONTRACTS, &explain.contract))
            .map_err(|failure| remedies::about(failure, &OBSERVATIONS, &explain.observation))?;
        let evaluation = &answer["evaluation"];
        if self.output.is_for_people() {
            output_format::line(&sentences::verdict(evaluation));
            if let Some(kept) = self.decided(&contract, evaluation).await? {
                output_format::line(&sentences::decided(&kept));
            }
        }
        view::print(self.output, &REASONS, &sentences::reasons(self.output, evaluation), &answer);
        Ok(())
    }

    /// What the contract last decided about the listing of an evaluation, as far as that is kept.
    async fn decided(&self, contract: &str, evaluation: &Value) -> Outcome<Option<Value>> {
        if view::plain(&evaluation["listingId"]).is_empty() {
            return Ok(None);
        }
        let wanted = json!({ "contractId": contract, "listingId": evaluation["listingId"] });
        let ids = self.pages("contracts.v1.Contracts/ListEvaluations", wanted, "evaluationIds", PAGE).await?.found;
        if ids.is_empty() {
            return Ok(None);
        }
        let answer = self.ask("contracts.v1.Contracts/GetEvaluations", json!({ "evaluationIds": ids })).await?;
        let is_there = |kept: &&Value| kept["marketplace"] == evaluation["marketplace"];
        Ok(view::many(&answer, "evaluations").iter().find(is_there).cloned())
    }

    async fn inventory(&self, action: InventoryAction) -> Outcome {
        match action {
            InventoryAction::Table(action) => self.perform(&action.given).await,
            InventoryAction::Chain(one) => {
                let item = json!({ "inventoryItemId": self.id_of(&ITEMS, &one.id).await? });
                let links = self.pages("contracts.v1.Contracts/ListAssetIDLinks", item, "assetIdLinks", u32::MAX).await;
                let links = links.map_err(|failure| remedies::about(failure, &ITEMS, &one.id))?.found;
                if self.output.is_for_people() {
                    output_format::line(&sentences::chain(self.output, &links));
                } else {
                    view::print(self.output, &CHAIN, &links, &json!({ "assetIdLinks": links }));
                }
                Ok(())
            }
        }
    }

    async fn halt(&self, halt: Halt) -> Outcome {
        let request = json!({ "halted": !halt.resume, "reason": halt.reason });
        let answer = self.ask("accounts.v1.Accounts/SetTradingHalt", request).await?;
        if self.output.is_for_people() {
            output_format::line(&sentences::halt(&answer["workspace"]));
        } else {
            view::print(self.output, &WORKSPACE, std::slice::from_ref(&answer["workspace"]), &answer);
        }
        Ok(())
    }

    /// The first so many entries of a list.
    async fn pages(&self, operation: &str, filter: Value, field: &str, most: u32) -> Outcome<Page> {
        let (mut found, mut request) = (Vec::new(), filter);
        loop {
            let missing = most.saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX));
            request["limit"] = json!(missing.min(PAGE));
            let page = self.ask(operation, request.clone()).await?;
            found.extend_from_slice(view::many(&page, field));
            request["cursor"] = page["nextCursor"].clone();
            let has_more = request["cursor"].as_str().is_some_and(|cursor| !cursor.is_empty());
            if !has_more || found.len() >= most as usize {
                return Ok(Page { found, has_more });
            }
        }
    }

    /// What the server returns in this workspace.
    async fn ask(&self, operation: &str, mut request: Value) -> Outcome<Value> {
        if let Some(fields) = request.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
        }
        let method = operation.rsplit('/').next().unwrap_or(operation);
        if IN_HEADER.contains(&method) {
            return self.server.ask_in(operation, &request, Some(&self.workspace)).await;
        }
        request["workspaceId"] = json!(self.workspace);
        self.server.ask(operation, &request).await
    }
}

/// The operations whose request has no field for the workspace.
const IN_HEADER: [&str; 14] = [
    "CreateAPIKey",
    "GetAPIKey",
    "GetMembership",
    "GetUsers",
    "ListAPIKeys",
    "ReinstateMembership",
    "RemoveMembership",
    "ResendInvitation",
    "RevokeAPIKey",
    "RevokeInvitation",
    "RotateAPIKey",
    "SuspendMembership",
    "UpdateAPIKey",
    "UpdateMembership",
];

/// The name that the interface has for one of its enums; nothing where none is asked for.
fn named(of: &str, name: Option<&str>) -> Option<String> {
    name.map(|name| format!("{of}_{}", name.to_ascii_uppercase().replace('-', "_")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_as_people_write_them() {
        assert_eq!(named("CONTRACT_STATUS", Some("active")), Some("CONTRACT_STATUS_ACTIVE".to_owned()));
        assert_eq!(named("INVENTORY_ITEM_STATUS", Some("in-inventory")).unwrap(), "INVENTORY_ITEM_STATUS_IN_INVENTORY");
        assert_eq!(named("CONTRACT_STATUS", None), None);
    }
}
