//! The nodes that trade, each a process of its own. They take their passes at the same time, and time passes in between.

use std::process::Stdio;
use std::time::Duration;

use anyhow::Context as _;
use futures::future::join_all;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, timeout_at};

use super::{Plan, Progress, Turn};

/// How long a node stays away that another one is to replace: longer than its leases last.
const AWAY: Duration = Duration::from_secs(25);

/// The node that is to be killed, and when.
#[derive(Debug, Clone, Copy)]
pub(super) struct Death {
    pub(super) node: usize,
    pub(super) at: Instant,
    /// Whether the node stays away until another one has taken its leases.
    pub(super) for_long: bool,
}

/// What a round of passes had as its outcome.
#[derive(Debug, Default)]
pub(super) struct Round {
    /// What the leading node reports, unless it was killed.
    pub(super) progress: Option<Progress>,
    pub(super) was_killed: bool,
}

/// All nodes, those that were killed included.
pub(super) struct Nodes<'a> {
    plan: Plan<'a>,
    nodes: Vec<Node>,
}

/// A place for a process.
enum Node {
    Runs(Box<Running>),
    /// Not before this moment it is started again.
    Away(Instant),
}

impl<'a> Nodes<'a> {
    pub(super) fn new(plan: Plan<'a>, count: usize) -> Self {
        let now = Instant::now();
        Self { plan, nodes: (0..count).map(|_| Node::Away(now)).collect() }
    }

    /// Starts the nodes whose time has come, and one in any case.
    pub(super) fn start(&mut self) -> anyhow::Result<()> {
        let now = Instant::now();
        let runs = self.nodes.iter().any(|node| matches!(node, Node::Runs(_)));
        for (number, node) in self.nodes.iter_mut().enumerate() {
            if matches!(node, Node::Away(until) if *until <= now || !runs) {
                *node = Node::Runs(Box::new(Running::start(&self.plan, number)?));
            }
        }
        Ok(())
    }

    /// Whether a node is away.
    pub(super) fn is_any_away(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Away(_)))
    }

    /// Every node takes a pass, unless it is killed in it.
    pub(super) async fn pass(&mut self, now_micros: i64, death: Option<Death>) -> anyhow::Result<Round> {
        let leader = self.nodes.iter().position(|node| matches!(node, Node::Runs(_)));
        let passes = self.nodes.iter_mut().enumerate().map(|(number, node)| async move {
            let turn = Turn { now_micros, leads: Some(number) == leader };
            let death = death.filter(|death| death.node == number);
            Ok::<_, anyhow::Error>((turn.leads, node.pass(turn, death).await?))
        });
        let mut round = Round::default();
        for ended in join_all(passes).await {
            let (leads, ended) = ended?;
            match ended {
                Ended::Reported(progress) if leads => round.progress = Some(progress),
                Ended::Reported(_) | Ended::Away => {}
                Ended::Killed => round.was_killed = true,
            }
        }
        Ok(round)
    }

    /// Lets every node end by itself.
    pub(super) async fn stop(self) -> anyhow::Result<()> {
        for node in self.nodes {
            if let Node::Runs(running) = node {
                running.ended().await?;
            }
        }
        Ok(())
    }
}

/// How a node's pass ended.
enum Ended {
    Reported(Progress),
    Killed,
    Away,
}

impl Node {
    async fn pass(&mut self, turn: Turn, death: Option<Death>) -> anyhow::Result<Ended> {
        let Self::Runs(running) = self else { return Ok(Ended::Away) };
        let Some(Death { at, for_long, .. }) = death else { return Ok(Ended::Reported(running.pass(turn).await?)) };
        if let Ok(reported) = timeout_at(at, running.pass(turn)).await {
            return Ok(Ended::Reported(reported?));
        }
        // SIGKILL, by its id; and it is waited for.
        running.process.kill().await.context("a node could not be killed")?;
        *self = Self::Away(Instant::now() + if for_long { AWAY } else { Duration::ZERO });
        Ok(Ended::Killed)
    }
}

/// A process that trades. It is killed when this is dropped.
struct Running {
    process: Child,
    turns: ChildStdin,
    printed: Lines<BufReader<ChildStdout>>,
}

impl Running {
    fn start(plan: &Plan<'_>, number: usize) -> anyhow::Result<Self> {
        let Plan { own, site, world_url, desk, purchases } = plan;
        let mut process = Command::new(own)
            .arg("trader")
            .arg(&site.folder)
            .args([&site.url, *world_url, &format!("node-{}", number + 1)])
            .args([desk.workspace_id.to_string(), desk.buying.to_string(), purchases.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .context("cannot start a node")?;
        let turns = process.stdin.take().context("a node has no input")?;
        let printed = process.stdout.take().context("a node has no output")?;
        Ok(Self { process, turns, printed: BufReader::new(printed).lines() })
    }

    /// Gives it a turn, and reads what it reports of it.
    async fn pass(&mut self, turn: Turn) -> anyhow::Result<Progress> {
        let line = serde_json::to_string(&turn)? + "\n";
        self.turns.write_all(line.as_bytes()).await.context("a node ended by itself")?;
        let line = self.printed.next_line().await?.context("a node ended by itself")?;
        serde_json::from_str(&line).with_context(|| format!("a node printed {line:?}"))
    }

    async fn ended(self) -> anyhow::Result<()> {
        let Self { mut process, turns, .. } = self;
        drop(turns);
        let ended = process.wait().await?;
        anyhow::ensure!(ended.success(), "a node ended with {ended}");
        Ok(())
    }
}
