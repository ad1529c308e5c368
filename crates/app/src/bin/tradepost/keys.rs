//! `tradepost key`: API keys, made, listed and revoked on the machine of the database. A user who can read the root secret
//! and write to the database needs no other right.

use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use tradepost::SystemClock;
use tradepost::Tradepost;
use tradepost::domain::accounts::access::{Principal, WorkspaceScope};
use tradepost::domain::accounts::api_key::ApiKey;
use tradepost::domain::accounts::email::EmailAddress;
use tradepost::domain::accounts::membership::{Membership, Status};
use tradepost::domain::accounts::policy::{Policy, PolicySet, Role};
use tradepost::domain::id::WorkspaceId;
use tradepost::domain::text::Name;
use tradepost::domain::time::Timestamp;
use tradepost::operations::accounts::{IssueApiKey, RevokeApiKey};
use tradepost::operations::{Caller, Code, OpError};
use tradepost::ports::changes::Seen;
use tradepost::ports::clock::Clock as _;
use tradepost::ports::store::{ListedKey, PageRequest, StoreError};

use crate::assembly::{self, Schema};
use crate::cli::{CreateKey, InWorkspace, Key, KeyAction, Output, RevokeKey};
use crate::client::ids;
use crate::failure::{Exit, Failure, Outcome};
use crate::settings::{Loaded, span};
use crate::{bootstrap, output_format};

/// Makes, lists or revokes keys.
pub(crate) async fn run(loaded: Loaded, key: Key, output: Output) -> Outcome {
    if let KeyAction::Generate = key.action {
        let token = bootstrap::token();
        output_format::say(output, token.expose_secret(), &json!({ "key": token.expose_secret() }));
        return Ok(());
    }
    let app = assembly::build(&loaded, loaded.settings.server.listen, Schema::MustFit).await?;
    let keys = Keys { app: &app, loaded: &loaded, output };
    let done = match key.action {
        KeyAction::Create(create) => keys.create(create).await,
        KeyAction::List(place) => keys.list(&place).await,
        KeyAction::Revoke(revoke) => keys.revoke(revoke).await,
        KeyAction::Generate => Ok(()),
    };
    let closed = app.shutdown().await.map_err(|error| Failure::new(Exit::Failed, error.to_string()));
    done.and(closed)
}

struct Keys<'a> {
    app: &'a Tradepost,
    loaded: &'a Loaded,
    output: Output,
}

impl Keys<'_> {
    async fn create(&self, create: CreateKey) -> Outcome {
        let scope = self.scope(&create.place).await?;
        let owner = match &create.owner {
            Some(address) => address.clone(),
            None => self.owner_of(scope).await?,
        };
        let policies = create.policies.iter().try_fold(PolicySet::NONE, |set, name| {
            Policy::from_name(name).map(|policy| set.or(PolicySet::of(&[policy])))
        });
        let command = IssueApiKey {
            workspace_id: scope.workspace_id(),
            owner: EmailAddress::new(&owner).map_err(|error| usage("--owner", error))?,
            name: Name::new(&create.name).map_err(|error| usage("--name", error))?,
            policies: policies.map_err(|error| usage("--policy", error))?,
            expires_at: create.expires.as_deref().map(expiry).transpose()?,
        };
        let created = self.app.operations().issue_api_key(&Caller::system(), command).await.map_err(refused)?;
        let raw = created.raw_key.expose_secret();
        // The shape of CreateAPIKey's answer.
        let json = json!({ "apiKey": shape(&created.key, None), "rawKey": raw });
        if self.output.is_for_people() {
            anstream::eprintln!("The key {}, shown only now:", created.key.name);
        }
        output_format::say(self.output, raw, &json);
        Ok(())
    }

    async fn list(&self, place: &InWorkspace) -> Outcome {
        let listed = self.listed(self.scope(place).await?).await?;
        let rows = listed.iter().map(|listed| row(listed.key.peek(), listed.last_used_at)).collect();
        let keys: Vec<Value> = listed.iter().map(|listed| shape(listed.key.peek(), listed.last_used_at)).collect();
        let headings = ["PREFIX", "NAME", "POLICIES", "EXPIRES", "LAST USED"];
        output_format::print(self.output, &headings, rows, &json!({ "apiKeys": keys }));
        Ok(())
    }

    async fn revoke(&self, revoke: RevokeKey) -> Outcome {
        let scope = self.scope(&revoke.place).await?;
        let listed = self.listed(scope).await?;
        let matches = |key: &ApiKey| key.prefix == revoke.key || key.id.to_string() == revoke.key;
        let found = listed.iter().map(|listed| listed.key.peek()).find(|key| matches(key));
        let key = found.ok_or_else(|| {
            Failure::new(Exit::Failed, format!("there is no key {} in this workspace", revoke.key))
                .with_try("tradepost key list shows them")
        })?;
        let command = RevokeApiKey {
            api_key_id: key.id,
            workspace_id: Some(scope.workspace_id()),
            reason: revoke.reason.clone(),
        };
        self.app.operations().revoke_api_key(&Caller::system(), command).await.map_err(refused)?;
        let sentence = format!("Revoked {} ({}). A running server refuses it within 5 seconds.", key.prefix, key.name);
        output_format::say(self.output, &sentence, &json!({}));
        Ok(())
    }

    async fn listed(&self, scope: WorkspaceScope) -> Outcome<Vec<ListedKey>> {
        self.app.store().api_keys().list(scope, SystemClock.now()).await.map_err(|error| self.storage(&error))
    }

    /// The workspace that is named, or the only one.
    async fn scope(&self, place: &InWorkspace) -> Outcome<WorkspaceScope> {
        let known =
            assembly::open_database(self.app)?.list_workspaces(None, 2).await.map_err(|error| self.storage(&error))?;
        let id: WorkspaceId = match (&place.workspace, known.as_slice()) {
            (Some(given), _) => self.workspace_of(given).await?,
            (None, [only]) => only.id,
            (None, []) => {
                return Err(Failure::new(Exit::Failed, "there is no workspace yet")
                    .with_try("start the server once: tradepost"));
            }
            (None, _) => {
                return Err(Failure::new(Exit::Usage, "there are several workspaces").with_try(format!(
                    "name one: --workspace {}",
                    known.iter().map(|one| one.id.to_string()).collect::<Vec<_>>().join(" or ")
                )));
            }
        };
        Principal::System.enter(id, PolicySet::EVERY).map_err(|error| Failure::new(Exit::Denied, error.to_string()))
    }

    /// The id of a workspace that is given by it or by name.
    async fn workspace_of(&self, given: &str) -> Outcome<WorkspaceId> {
        if let Some(id) = ids::to_wire(given).and_then(|id| id.parse().ok()) {
            return Ok(id);
        }
        let database = assembly::open_database(self.app)?;
        let (mut named, mut after) = (Vec::new(), None);
        loop {
            let page = database.list_workspaces(after, 200).await.map_err(|error| self.storage(&error))?;
            let Some(end) = page.last() else { break };
            after = Some(end.id);
            named.extend(page.iter().filter(|one| one.name.as_str().eq_ignore_ascii_case(given)).map(|one| one.id));
        }
        match named.as_slice() {
            [one] => Ok(*one),
            [] => Err(usage("--workspace", format_args!("there is no workspace {given:?}"))
                .with_try("see the workspaces of a user: tradepost user show EMAIL")),
            several => Err(several.iter().fold(
                usage("--workspace", format_args!("there are {} workspaces named {given:?}", several.len())),
                |failure, id| failure.with_try(format!("--workspace {id}")),
            )),
        }
    }

    async fn owner_of(&self, scope: WorkspaceScope) -> Outcome<String> {
        let store = self.app.store();
        let mut page = PageRequest { before: None, limit: 200 };
        loop {
            let members = store.memberships().list(scope, Some(Status::Accepted), page).await;
            let members = members.map_err(|error| self.storage(&error))?;
            let found =
                store.memberships().find_many(scope, &members.ids).await.map_err(|error| self.storage(&error))?;
            let owner = found.iter().map(Seen::peek).find(|membership| membership.role == Role::Owner);
            if let Some(user) = owner.and_then(Membership::user_id) {
                let user = store.users().find(user).await.map_err(|error| self.storage(&error))?;
                let email = user.and_then(|user| user.into_display().0.email);
                return email.map(|email| email.to_string()).ok_or_else(no_owner);
            }
            page.before = members.ids.last().copied();
            if !members.more {
                return Err(no_owner());
            }
        }
    }

    fn storage(&self, error: &StoreError) -> Failure {
        assembly::storage_failure(self.loaded, error)
    }
}

/// The key as the interface shows it.
fn shape(key: &ApiKey, last_used_at: Option<Timestamp>) -> Value {
    let mut shape = json!({
        "id": key.id.to_string(),
        "name": key.name.as_str(),
        "keyPrefix": key.prefix,
        "workspaceId": key.workspace_id.to_string(),
        "createdAt": key.created_at.to_string(),
        "policies": key.policies.iter().map(Policy::name).collect::<Vec<_>>(),
    });
    if !key.networks.is_empty() {
        shape["allowedCidrs"] = key.networks.iter().collect();
    }
    let times = [("lastUsedAt", last_used_at), ("expiresAt", key.expires_at)];
    for (field, at) in times.into_iter().filter_map(|(field, at)| Some((field, at?))) {
        shape[field] = json!(at.to_string());
    }
    shape
}

fn row(key: &ApiKey, last_used_at: Option<Timestamp>) -> Vec<String> {
    let policies = key.policies.iter().map(Policy::name).collect::<Vec<_>>().join(", ");
    let or = |at: Option<Timestamp>, absent: &str| at.map_or_else(|| absent.to_owned(), |at| at.to_string());
    vec![key.prefix.clone(), key.name.to_string(), policies, or(key.expires_at, "never"), or(last_used_at, "never")]
}

/// `90d`, `12h` or `30m` from now.
fn expiry(text: &str) -> Outcome<Timestamp> {
    let wrong = || usage("--expires", "must be a number and d, h or m, such as 90d");
    Ok(SystemClock.now().plus(span::parse(text).ok_or_else(wrong)?))
}

fn usage(flag: &str, error: impl std::fmt::Display) -> Failure {
    Failure::new(Exit::Usage, format!("{flag}: {error}"))
}

fn no_owner() -> Failure {
    Failure::new(Exit::Failed, "the workspace has no owner with an e-mail address")
        .with_try("name a member: --owner EMAIL")
}

/// How the command ends when an operation is refused.
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` calls")]
pub(crate) fn refused(error: OpError) -> Failure {
    let exit = match error.code {
        Code::PermissionDenied | Code::Unauthenticated => Exit::Denied,
        Code::Internal => Exit::Unavailable,
        Code::InvalidArgument => Exit::Usage,
        Code::FailedPrecondition | Code::NotFound | Code::AlreadyExists | Code::ResourceExhausted => Exit::Failed,
    };
    Failure::new(exit, error.message.clone()).because(error.reason)
}
