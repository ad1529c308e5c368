//! `tradepost user`: who there is, and the way back in for a user who has lost what they sign in with. It works while a
//! server runs.

use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use tradepost::Tradepost;
use tradepost::domain::accounts::email::EmailAddress;
use tradepost::domain::accounts::user::User;
use tradepost::domain::id::UserId;
use tradepost::domain::text::Name;
use tradepost::operations::Caller;
use tradepost::operations::accounts::{Credentials, OperatorRecovery, RegisterUser};
use tradepost::ports::store::StoreError;

use crate::assembly::{self, Schema};
use crate::bootstrap::random_password;
use crate::cli::{self, NewUser, OneUser, Output, UserAction};
use crate::failure::{Exit, Failure, Outcome};
use crate::keys::refused;
use crate::output_format;
use crate::settings::Loaded;

/// Users read at a time.
const PAGE: u32 = 200;

/// Lists and shows users, or helps one.
pub(crate) async fn run(loaded: Loaded, user: cli::User, output: Output) -> Outcome {
    let app = assembly::build(&loaded, loaded.settings.server.listen, Schema::MustFit).await?;
    let people = People { app: &app, loaded: &loaded, output };
    let done = match &user.action {
        UserAction::List => people.list().await,
        UserAction::Create(new) => people.create(new).await,
        UserAction::Show(one) => people.show(one).await,
        UserAction::ResetTwoFactor(one) => people.reset_two_factor(one).await,
        UserAction::ResetPassword(one) => people.reset_password(one).await,
    };
    let closed = app.shutdown().await.map_err(|error| Failure::new(Exit::Failed, error.to_string()));
    done.and(closed)
}

struct People<'a> {
    app: &'a Tradepost,
    loaded: &'a Loaded,
    output: Output,
}

impl People<'_> {
    async fn list(&self) -> Outcome {
        let mut users: Vec<User> = Vec::new();
        loop {
            let after = users.last().map(|user| user.id);
            let page = assembly::open_database(self.app)?
                .list_users(after, PAGE)
                .await
                .map_err(|error| self.storage(&error))?;
            let is_last = page.len() < PAGE as usize;
            users.extend(page);
            if is_last {
                break;
            }
        }
        let rows =
            users.iter().map(|user| vec![named(user), user.display_name.to_string(), user.created_at.to_string()]);
        let json: Vec<Value> = users.iter().map(shape).collect();
        output_format::print(self.output, &["USER", "NAME", "SINCE"], rows.collect(), &json!({ "users": json }));
        Ok(())
    }

    async fn create(&self, new: &NewUser) -> Outcome {
        let display_name =
            Name::new(&new.name).map_err(|error| Failure::new(Exit::Usage, format!("--name: {error}")))?;
        let email = email(&new.email)?;
        // This password is never shown: the link sets the first one that the user knows.
        let user = RegisterUser { email, display_name, password: random_password() };
        self.app.operations().register_user(&Caller::system(), user).await.map_err(refused)?;
        self.reset_password(&OneUser { user: new.email.clone() }).await
    }

    async fn show(&self, one: &OneUser) -> Outcome {
        let user = self.find(one).await?;
        let person = Caller::person(user.id);
        let credentials = self.app.operations().list_credentials(&person).await.map_err(refused)?;
        let workspaces = self.app.operations().list_workspaces(&person).await.map_err(refused)?;
        let names: Vec<&str> = workspaces.iter().map(|workspace| workspace.name.as_str()).collect();
        let mut json = shape(&user);
        json["hasPassword"] = json!(user.password.is_some());
        json["totpEnabled"] = json!(credentials.has_totp);
        json["passkeyCount"] = json!(credentials.passkeys);
        json["workspaces"] =
            workspaces.iter().map(|one| json!({ "id": one.id.to_string(), "name": one.name.as_str() })).collect();
        let rows = [
            ("id", user.id.to_string()),
            ("email", address(&user)),
            ("name", user.display_name.to_string()),
            ("since", user.created_at.to_string()),
            ("signs in with", factors(&credentials)),
            ("member of", if names.is_empty() { "no workspace".to_owned() } else { names.join(", ") }),
        ];
        let rows = rows.into_iter().map(|(what, value)| vec![what.to_owned(), value]).collect();
        output_format::print(self.output, &["", ""], rows, &json);
        Ok(())
    }

    async fn reset_two_factor(&self, one: &OneUser) -> Outcome {
        let user = self.find(one).await?;
        let rescue = OperatorRecovery { user_id: user.id };
        let done = self.app.operations().reset_two_factor(&Caller::system(), rescue).await.map_err(refused)?;
        let app = if done.had_totp { "the authenticator app" } else { "no authenticator app" };
        let sentence = format!(
            "Took {app} and {} passkeys of {} away and ended every session. {} alone signs in now.",
            done.passkeys,
            one.user,
            if user.password.is_some() { "The password" } else { "A linked identity" },
        );
        let json = json!({ "userId": done.user_id.to_string(), "hadTotp": done.had_totp, "passkeys": done.passkeys });
        output_format::say(self.output, &sentence, &json);
        Ok(())
    }

    async fn reset_password(&self, one: &OneUser) -> Outcome {
        let rescue = OperatorRecovery { user_id: self.find(one).await?.id };
        let made = self.app.operations().issue_reset_link(&Caller::system(), rescue).await.map_err(refused)?;
        if self.output.is_for_people() {
            let user = &one.user;
            anstream::eprintln!("The link for {user}, good once and until {}:", made.expires_at);
            if made.needs_code {
                anstream::eprintln!(
                    "It asks for a code of the authenticator app; if that is lost: tradepost user reset-2fa {user}"
                );
            }
        }
        let json = json!({
            "userId": made.user_id.to_string(),
            "url": made.url.expose_secret(),
            "expiresAt": made.expires_at.to_string(),
            "needsCode": made.needs_code,
        });
        output_format::say(self.output, made.url.expose_secret(), &json);
        Ok(())
    }

    async fn find(&self, one: &OneUser) -> Outcome<User> {
        let store = self.app.store();
        let found = match one.user.parse::<UserId>() {
            Ok(id) => store.users().find(id).await,
            Err(_) => store.users().find_by_email(&email(&one.user)?).await,
        };
        let found = found.map_err(|error| self.storage(&error))?;
        found.map(|user| user.into_display().0).ok_or_else(|| unknown_user(&one.user))
    }

    fn storage(&self, error: &StoreError) -> Failure {
        assembly::storage_failure(self.loaded, error)
    }
}

/// The user as `user list` and `user show` have it.
fn shape(user: &User) -> Value {
    json!({
        "id": user.id.to_string(),
        "email": address(user),
        "displayName": user.display_name.as_str(),
        "createdAt": user.created_at.to_string(),
    })
}

/// How a user is named to these commands.
fn named(user: &User) -> String {
    user.email.as_ref().map_or_else(|| user.id.to_string(), ToString::to_string)
}

fn address(user: &User) -> String {
    user.email.as_ref().map(ToString::to_string).unwrap_or_default()
}

fn factors(credentials: &Credentials) -> String {
    let password = credentials.user.password.is_some().then(|| "password".to_owned());
    let totp = credentials.has_totp.then(|| "authenticator app".to_owned());
    let passkeys = (credentials.passkeys > 0).then(|| format!("{} passkeys", credentials.passkeys));
    let linked = credentials.linked.iter().map(|identity| identity.provider.to_string());
    let all: Vec<String> = password.into_iter().chain(totp).chain(passkeys).chain(linked).collect();
    if all.is_empty() { "nothing".to_owned() } else { all.join(", ") }
}

fn email(given: &str) -> Outcome<EmailAddress> {
    EmailAddress::new(given).map_err(|error| Failure::new(Exit::Usage, format!("{given:?} is not an address: {error}")))
}

fn unknown_user(user: &str) -> Failure {
    Failure::new(Exit::Failed, format!("there is no user {user}")).with_try("tradepost user list shows them")
}
