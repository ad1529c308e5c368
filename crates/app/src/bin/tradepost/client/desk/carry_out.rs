//! Carries out a plan, record by record, in its order: each call once, at the version that the plan saw.

use std::cmp::Ordering;

use aws_lc_rs::digest::{SHA256, digest};
use serde_json::{Value, json};

use super::current::{Current, Seen};
use super::document::Secret;
use super::plan::{Action, Plan, Planned};
use super::requests::{self, Ids, Secrets};
use crate::failure::{Exit, Failure, Outcome};
use crate::settings::Environment;

/// The workspace on its server.
pub(super) trait Workspace {
    /// The answer to a request that only reads.
    async fn read(&self, operation: &str, request: Value) -> Outcome<Value>;
    /// The answer to a request under an idempotency key, and whether it is that of an earlier call.
    async fn write(&self, operation: &str, request: Value, key: &str) -> Outcome<(Value, bool)>;
    /// Every entry of a list.
    async fn every(&self, list: &str, field: &str) -> Outcome<Vec<Value>>;
}

/// A record that changes all the time, such as a pool that pays for purchases, is read again this often.
const TRIES: usize = 5;

/// Does what the plan says, and reports on stderr what was done and what was not if it has to stop.
pub(super) async fn carry_out(workspace: &impl Workspace, current: &Current, plan: &Plan) -> Outcome {
    let work: Vec<&Planned> = plan.records.iter().filter(|planned| planned.action() != Action::Keep).collect();
    // Secrets that cannot be read are found before anything is done.
    let environment = Environment::of_process();
    let secrets: Vec<Secrets> =
        work.iter().map(|planned| read_secrets(planned, &environment)).collect::<Outcome<_>>()?;
    let mut run = Run { workspace, current, ids: current.ids(), is_created: false };
    for (place, (planned, secrets)) in work.iter().zip(&secrets).enumerate() {
        match run.record(planned, secrets).await {
            Ok(written) => {
                if let Some(warning) = warning(planned, &written) {
                    anstream::eprintln!("{warning}");
                }
            }
            Err(failure) => {
                report(&work, place, run.is_created);
                return Err(
                    failure.with_try("correct the cause and run the command again: what is done is not done twice")
                );
            }
        }
    }
    Ok(())
}

/// What is said of a contract that is active by the file, and does not trade.
fn warning(planned: &Planned, written: &Seen) -> Option<String> {
    let name = planned.wanted.values.get("name").and_then(Value::as_str).unwrap_or_default();
    (written.status == "SUSPENDED").then(|| {
        format!(
            "warning: {} is suspended and does not trade\n  try: tradepost contracts show {name:?}",
            planned.title()
        )
    })
}

fn report(work: &[&Planned], failed: usize, is_created: bool) {
    for (place, planned) in work.iter().enumerate() {
        let (action, title) = (planned.action().as_str(), planned.title());
        match place.cmp(&failed) {
            Ordering::Less => anstream::eprintln!("done: {action} {title}"),
            Ordering::Equal if is_created => {
                anstream::eprintln!("done: {action} {title}\nfailed: {} of {title}", planned.moves.join(", "));
            }
            Ordering::Equal => anstream::eprintln!("failed: {action} {title}"),
            Ordering::Greater => anstream::eprintln!("not done: {action} {title}"),
        }
    }
}

struct Run<'a, W> {
    workspace: &'a W,
    current: &'a Current,
    ids: Ids,
    /// Whether the record in hand was created, so that only its status is missing.
    is_created: bool,
}

impl<W: Workspace> Run<'_, W> {
    async fn record(&mut self, planned: &Planned, secrets: &Secrets) -> Outcome<Seen> {
        let (kind, values) = (planned.wanted.kind, &planned.wanted.values);
        self.is_created = false;
        let written = match &planned.seen {
            None => {
                let created = self.create(planned, secrets).await?;
                self.is_created = true;
                self.move_on(planned, created).await?
            }
            Some(seen) => self.change(planned, seen, secrets).await?,
        };
        if let Some(name) = values.get("name").and_then(Value::as_str) {
            self.ids.insert((kind.section, name.to_owned()), written.id.clone());
        }
        Ok(written)
    }

    async fn create(&self, planned: &Planned, secrets: &Secrets) -> Outcome<Seen> {
        let kind = planned.wanted.kind;
        let request = requests::create(kind, &planned.wanted.values, secrets, &self.ids);
        let mut after = String::new();
        loop {
            let (answer, is_replayed) = self.call(planned, kind.calls.create, request.clone(), &after).await?;
            let created = self.current.read(kind, &answer[kind.calls.one]);
            // The same call of an earlier run; its record may have been deleted or renamed since.
            let found = if is_replayed { self.find(planned, &created.id).await? } else { Some(created.clone()) };
            if let Some(found) = found.filter(|found| found.values.get("name") == created.values.get("name")) {
                return Ok(found);
            }
            after = created.id;
        }
    }

    /// The record as it is now, unless it was deleted or has ended.
    async fn find(&self, planned: &Planned, id: &str) -> Outcome<Option<Seen>> {
        let calls = &planned.wanted.kind.calls;
        let found = if let Some((get, ids)) = calls.get {
            let answer = self.workspace.read(&format!("{}/{get}", calls.service), json!({ ids: [id] })).await?;
            answer[calls.many].as_array().cloned().unwrap_or_default()
        } else {
            self.workspace.every(&format!("{}/{}", calls.service, calls.list), calls.many).await?
        };
        let found = found.iter().find(|record| record["id"] == id);
        Ok(found.map(|record| self.current.read(planned.wanted.kind, record)).filter(|found| !found.is_over))
    }

    async fn change(&self, planned: &Planned, seen: &Seen, secrets: &Secrets) -> Outcome<Seen> {
        let is_stop = planned.moves.iter().any(|step| step.starts_with("Pause") || step.starts_with("Disable"));
        let is_only_move = planned.changes.iter().all(|change| ["state", "enabled"].contains(&change.path.as_str()));
        let seen = if is_stop { self.move_on(planned, seen.clone()).await? } else { seen.clone() };
        let written =
            if is_only_move && !planned.sends_secrets { seen } else { self.update(planned, seen, secrets).await? };
        if is_stop { Ok(written) } else { self.move_on(planned, written).await }
    }

    async fn update(&self, planned: &Planned, seen: Seen, secrets: &Secrets) -> Outcome<Seen> {
        let kind = planned.wanted.kind;
        let values = (&planned.wanted.values, secrets);
        let request = |seen: &Seen| requests::update(kind, seen, values, &planned.changes, &self.ids);
        self.at_version(planned, seen, kind.calls.update, request).await
    }

    /// Leads the record to the status that the file wants.
    async fn move_on(&self, planned: &Planned, mut seen: Seen) -> Outcome<Seen> {
        let id = planned.wanted.kind.calls.id;
        for step in &planned.moves {
            let request = |seen: &Seen| json!({ id: seen.id, "expectedVersion": seen.version.to_string() });
            seen = self.at_version(planned, seen, step, request).await?;
        }
        Ok(seen)
    }

    /// Calls an operation with the version of the record that was seen. If only figures changed since that no file describes, calls it
    /// with the present version.
    async fn at_version(
        &self,
        planned: &Planned,
        mut seen: Seen,
        method: &str,
        request: impl Fn(&Seen) -> Value,
    ) -> Outcome<Seen> {
        let kind = planned.wanted.kind;
        let mut tries = 1;
        loop {
            match self.call(planned, method, request(&seen), &seen.id).await {
                Ok((answer, _)) => return Ok(self.current.read(kind, &answer[kind.calls.one])),
                Err(failure) if failure.has_reason("VERSION_MISMATCH") && tries < TRIES => {
                    let now = self.find(planned, &seen.id).await?;
                    seen = now.filter(|now| now.values == seen.values).ok_or(failure)?;
                    tries += 1;
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Calls an operation under a key that follows from the request and the record: the same call of a later run is not carried out again.
    async fn call(&self, planned: &Planned, method: &str, request: Value, after: &str) -> Outcome<(Value, bool)> {
        let operation = format!("{}/{method}", planned.wanted.kind.calls.service);
        let key = digest(&SHA256, format!("{operation}\n{request}\n{after}").as_bytes());
        let key: String = key.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        self.workspace.write(&operation, request, &format!("desk-{key}")).await
    }
}

fn read_secrets(planned: &Planned, environment: &Environment) -> Outcome<Secrets> {
    if !planned.sends_secrets {
        return Ok(Secrets::new());
    }
    let read = |(path, secret): (&String, &Secret)| {
        let read = match secret {
            Secret::Variable(name) => {
                let missing = || format!("the environment variable {name} is not set");
                environment.get(name).map(str::to_owned).ok_or_else(missing)
            }
            Secret::File(file) => std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display())),
        };
        let missing = |why| {
            Failure::new(Exit::Failed, format!("cannot read {path} of {}", planned.title()))
                .because(why)
                .with_try("set the variable, or correct the path that the desk file names")
        };
        Ok((path.clone(), read.map_err(missing)?.trim_end_matches(['\r', '\n']).to_owned()))
    };
    planned.wanted.secrets.iter().map(read).collect()
}

#[cfg(test)]
mod tests;
