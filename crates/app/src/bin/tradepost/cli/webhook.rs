//! The commands for the authors of receivers of webhooks.

use clap::{Args, Subcommand};

use super::client::{ClientContext, address};

#[derive(Debug, Subcommand)]
pub(crate) enum Webhook {
    /// Post events to an address as they happen, until Ctrl-C
    #[command(
        after_help = "Example:\n  tradepost webhook listen --forward http://127.0.0.1:3000/hook --type 'purchase.*'\n\nNeeds no endpoint on the server: the events are read with the API key, signed with the secret that is printed, and tried\nonce each."
    )]
    Listen(Listen),
    /// Verify a request of a webhook that was recorded
    #[command(
        after_help = "Example:\n  tradepost webhook verify --secret whsec_… --ignore-time < request.txt\n\nThe file has the headers as they arrived, an empty line, and the body. Without --ignore-time the request must be younger\nthan 5 min."
    )]
    Verify(Verify),
}

#[derive(Debug, Args)]
pub(crate) struct Listen {
    #[command(flatten)]
    pub(crate) place: ClientContext,
    /// Where events are posted
    #[arg(long, value_name = "URL", value_parser = address)]
    pub(crate) forward: String,
    /// Event type such as purchase.traded, purchase.* or *; repeatable [default: *]
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    /// Secret that signs the events [default: a new one, which is printed]
    #[arg(long, env = "TRADEPOST_WEBHOOK_SECRET", hide_env_values = true, value_name = "SECRET")]
    pub(crate) secret: Option<String>,
    /// End after so many events
    #[arg(long, value_name = "NUMBER")]
    pub(crate) count: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Secret of the endpoint
    #[arg(long, env = "TRADEPOST_WEBHOOK_SECRET", hide_env_values = true, value_name = "SECRET")]
    pub(crate) secret: String,
    /// Accept a request of any age
    #[arg(long)]
    pub(crate) ignore_time: bool,
}
