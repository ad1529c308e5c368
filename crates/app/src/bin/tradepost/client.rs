//! Commands that work through a running server: which operation each calls, and what of the answer it shows.

pub(crate) mod desk;
pub(crate) mod healthcheck;
mod profit;
mod server;
mod simulate;
mod tail;
mod view;

use serde_json::{Value, json};

use crate::cli::Output;
use crate::cli::client::{
    ClientCommand, ClientContext, ContractsAction, Explain, Halt, IntentsAction, InventoryAction, Limit, OneRecord,
    RemediationsAction, TransitionsAction,
};
use crate::failure::Outcome;
use crate::output_format;
use crate::process::signals;

pub(crate) use server::Server;

use view::{CHAIN, CONTRACTS, INTENTS, ITEMS, REASONS, REMEDIATION_COUNTS, REMEDIATIONS, Records, WORKSPACE};

/// As many as the server gives at once.
const PAGE: u32 = 200;

/// Does what a command asks.
pub(crate) async fn run(command: ClientCommand, output: Output) -> Outcome {
    match command {
        ClientCommand::Contracts(contracts) => {
            Client::of(&contracts.place, output).await?.contracts(contracts.action).await
        }
        ClientCommand::Intents(intents) => Client::of(&intents.place, output).await?.intents(intents.action).await,
        ClientCommand::Inventory(items) => Client::of(&items.place, output).await?.inventory(items.action).await,
        ClientCommand::Remediations(remediations) => {
            Client::of(&remediations.place, output).await?.remediations(remediations.action).await
        }
        ClientCommand::Pnl(pnl) => Client::of(&pnl.place, output).await?.profit(&pnl).await,
        ClientCommand::Transitions(transitions) => {
            let TransitionsAction::Tail(tail) = transitions.action;
            let client = Client::of(&transitions.place, output).await?;
            signals::heed(|stop| async move { stop.run_until_cancelled(client.tail(tail)).await.unwrap_or(Ok(())) })
                .await
        }
        ClientCommand::Halt(halt) => Client::of(&halt.place, output).await?.halt(halt).await,
    }
}

/// A workspace on a server, and how answers are printed.
struct Client {
    server: Server,
    workspace: String,
    output: Output,
}

impl Client {
    async fn of(place: &ClientContext, output: Output) -> Outcome<Self> {
        let server = Server::of(&place.connection);
        let workspace = server.workspace(place.workspace.as_deref()).await?;
        Ok(Self { server, workspace, output })
    }

    async fn contracts(&self, action: ContractsAction) -> Outcome {
        match action {
            ContractsAction::List { status, kind, limit } => {
                let filter = json!({
                    "status": named("CONTRACT_STATUS", status.as_deref()),
                    "type": named("CONTRACT_TYPE", kind.as_deref()),
                });
                self.list(&CONTRACTS, filter, &limit).await
            }
            ContractsAction::Show(OneRecord { id }) => {
                let answer = self.ask("contracts.v1.Contracts/GetContract", json!({ "contractId": id })).await?;
                view::whole(self.output, &answer["contract"], &answer);
                Ok(())
            }
            ContractsAction::Activate(OneRecord { id }) => {
                self.change(&CONTRACTS, "ActivateContract", json!({ "contractId": id })).await
            }
            ContractsAction::Pause { one, reason } => {
                self.change(&CONTRACTS, "PauseContract", json!({ "contractId": one.id, "reason": reason })).await
            }
            ContractsAction::Resume(OneRecord { id }) => {
                self.change(&CONTRACTS, "ResumeContract", json!({ "contractId": id })).await
            }
            ContractsAction::Apply(apply) => self.apply(&apply).await,
            ContractsAction::New(new) => self.new_contract(&new).await,
            ContractsAction::Explain(explain) => self.explain(&explain).await,
            ContractsAction::Simulate(simulate) => self.simulate(&simulate).await,
        }
    }

    async fn explain(&self, explain: &Explain) -> Outcome {
        let said = [("buyFeeBps", explain.buy_fee_bps), ("sellFeeBps", explain.sell_fee_bps)];
        let said = said.into_iter().filter_map(|(field, bps)| Some((field.to_owned(), json!(bps?))));
        let request = json!({
            "contractId": explain.contract,
            "observationId": explain.observation,
            "market": said.collect::<serde_json::Map<_, _>>(),
        });
        let answer = self.ask("contracts.v1.Contracts/EvaluateContract", request).await?;
        let evaluation = &answer["evaluation"];
        if self.output == Output::Table {
            output_format::line(&view::verdict(evaluation));
            if let Some(kept) = self.decided(&explain.contract, evaluation).await? {
                output_format::line(&view::decided(&kept));
            }
        }
        view::print(self.output, &REASONS, &view::reasons(self.output, evaluation), &answer);
        Ok(())
    }

    /// What the contract last decided about the listing of an evaluation, as far as that is kept.
    async fn decided(&self, contract: &str, evaluation: &Value) -> Outcome<Option<Value>> {
        if view::plain(&evaluation["listingId"]).is_empty() {
            return Ok(None);
        }
        let wanted = json!({ "contractId": contract, "listingId": evaluation["listingId"] });
        let ids = self.pages("contracts.v1.Contracts/ListEvaluations", wanted, "evaluationIds", PAGE).await?;
        if ids.is_empty() {
            return Ok(None);
        }
        let answer = self.ask("contracts.v1.Contracts/GetEvaluations", json!({ "evaluationIds": ids })).await?;
        let is_there = |kept: &&Value| kept["marketplace"] == evaluation["marketplace"];
        Ok(view::many(&answer, "evaluations").iter().find(is_there).cloned())
    }

    async fn intents(&self, action: IntentsAction) -> Outcome {
        match action {
            IntentsAction::List { status, contract, limit } => {
                let filter = json!({
                    "status": named("INTENT_STATUS", status.as_deref()),
                    "contractId": contract,
                });
                self.list(&INTENTS, filter, &limit).await
            }
            IntentsAction::Approve(OneRecord { id }) => {
                self.change(&INTENTS, "ApproveIntent", json!({ "intentId": id })).await
            }
            IntentsAction::Reject { one, reason } => {
                self.change(&INTENTS, "RejectIntent", json!({ "intentId": one.id, "reason": reason })).await
            }
        }
    }

    async fn inventory(&self, action: InventoryAction) -> Outcome {
        match action {
            InventoryAction::List { status, contract, name, account, limit } => {
                let filter = json!({
                    "status": named("INVENTORY_ITEM_STATUS", status.as_deref()),
                    "contractId": contract,
                    "marketHashName": name,
                    "accountName": account,
                });
                self.list(&ITEMS, filter, &limit).await
            }
            InventoryAction::Chain(OneRecord { id }) => {
                let item = json!({ "inventoryItemId": id });
                let links =
                    self.pages("contracts.v1.Contracts/ListAssetIDLinks", item, "assetIdLinks", u32::MAX).await?;
                if self.output == Output::Table {
                    output_format::line(&view::chain(&links));
                } else {
                    view::print(self.output, &CHAIN, &links, &json!({ "assetIdLinks": links }));
                }
                Ok(())
            }
        }
    }

    async fn remediations(&self, action: RemediationsAction) -> Outcome {
        match action {
            RemediationsAction::List { status, limit } => {
                let filter = json!({ "status": named("REMEDIATION_STATUS", status.as_deref()) });
                self.list(&REMEDIATIONS, filter, &limit).await
            }
            RemediationsAction::Count => {
                let answer = self.ask("contracts.v1.Contracts/CountRemediations", json!({})).await?;
                view::print(self.output, &REMEDIATION_COUNTS, view::many(&answer, "counts"), &answer);
                Ok(())
            }
        }
    }

    async fn halt(&self, halt: Halt) -> Outcome {
        let request = json!({ "halted": !halt.resume, "reason": halt.reason });
        let answer = self.ask("accounts.v1.Accounts/SetTradingHalt", request).await?;
        if self.output == Output::Table {
            output_format::line(&view::halt(&answer["workspace"]));
        } else {
            view::print(self.output, &WORKSPACE, std::slice::from_ref(&answer["workspace"]), &answer);
        }
        Ok(())
    }

    /// Lists records: their ids page by page, then what is behind the ids.
    async fn list(&self, records: &Records, filter: Value, limit: &Limit) -> Outcome {
        let ids = self.pages(records.list, filter, records.ids, limit.limit).await?;
        let mut found = Vec::new();
        for ids in ids.chunks(PAGE as usize) {
            let answer = self.ask(records.get, json!({ records.ids: ids })).await?;
            found.extend_from_slice(view::many(&answer, records.found));
        }
        view::print(self.output, records.columns, &found, &json!({ records.found: found }));
        Ok(())
    }

    /// Changes a record, and shows it as it is then.
    async fn change(&self, records: &Records, method: &str, request: Value) -> Outcome {
        let answer = self.ask(&format!("contracts.v1.Contracts/{method}"), request).await?;
        view::print(self.output, records.columns, std::slice::from_ref(&answer[records.one]), &answer);
        Ok(())
    }

    /// The first so many entries of a list.
    async fn pages(&self, operation: &str, filter: Value, field: &str, most: u32) -> Outcome<Vec<Value>> {
        let (mut found, mut request) = (Vec::new(), filter);
        loop {
            let missing = most.saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX));
            request["limit"] = json!(missing.min(PAGE));
            let page = self.ask(operation, request.clone()).await?;
            found.extend_from_slice(view::many(&page, field));
            request["cursor"] = page["nextCursor"].clone();
            let is_last = request["cursor"].as_str().is_none_or(str::is_empty);
            if is_last || found.len() >= most as usize {
                return Ok(found);
            }
        }
    }

    /// What the server answers in this workspace.
    async fn ask(&self, operation: &str, mut request: Value) -> Outcome<Value> {
        request["workspaceId"] = json!(self.workspace);
        if let Some(fields) = request.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
        }
        self.server.ask(operation, &request).await
    }
}

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
