//! `tradepost-fakes`: the facades as a process of their own, on loopback. It prints their addresses as one line of JSON, and serves until
//! it is ended.

use std::net::SocketAddr;
use std::process::ExitCode;

use tradepost_fakes::{Addresses, Fakes, serve};

const USAGE: &str = "tradepost-fakes --token TOKEN [--seed N] [--clock still|real] [--control ADDRESS] [--skinport ADDRESS] [--market-csgo ADDRESS] \
    [--waxpeer ADDRESS] [--csfloat ADDRESS] [--dmarket ADDRESS] [--steam-market ADDRESS] \
    [--steam-api ADDRESS] [--steam-community ADDRESS]";

struct Options {
    token: String,
    seed: u64,
    /// Whether the world begins now and follows the clock of this computer.
    is_clock_real: bool,
    addresses: Addresses,
}

impl Options {
    fn parse(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let (mut token, mut seed, mut is_clock_real, mut addresses) = (None, 42, false, Addresses::default());
        let mut words = words;
        while let Some(flag) = words.next() {
            let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
            let address = || value.parse::<SocketAddr>().map_err(|error| format!("{flag} {value:?}: {error}"));
            match flag.as_str() {
                "--token" => token = Some(value),
                "--seed" => seed = value.parse().map_err(|error| format!("{flag} {value:?}: {error}"))?,
                "--clock" => is_clock_real = is_real(&value)?,
                "--skinport" => addresses.skinport = address()?,
                "--market-csgo" => addresses.market_csgo = address()?,
                "--waxpeer" => addresses.waxpeer = address()?,
                "--csfloat" => addresses.csfloat = address()?,
                "--dmarket" => addresses.dmarket = address()?,
                "--steam-market" => addresses.steam_market = address()?,
                "--steam-api" => addresses.steam_api = address()?,
                "--steam-community" => addresses.steam_community = address()?,
                "--control" => addresses.control = address()?,
                _ => return Err(format!("there is no flag {flag}")),
            }
        }
        Ok(Self { token: token.ok_or("--token is missing")?, seed, is_clock_real, addresses })
    }
}

fn is_real(clock: &str) -> Result<bool, String> {
    match clock {
        "real" => Ok(true),
        "still" => Ok(false),
        _ => Err(format!("--clock is {clock:?}; allowed are \"still\" and \"real\"")),
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}\nusage: {USAGE}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), String> {
    let Options { token, seed, is_clock_real, addresses } = Options::parse(std::env::args().skip(1))?;
    let fakes = if is_clock_real { Fakes::of_now(seed) } else { Fakes::of_seed(seed) };
    let fakes = fakes.map_err(|error| error.to_string())?;
    let served = serve(&fakes, addresses, &token).await.map_err(|error| error.to_string())?;
    println!("{}", serde_json::to_string(&served).map_err(|error| error.to_string())?);
    if is_clock_real {
        fakes.keep_time().await;
    }
    std::future::pending().await
}
