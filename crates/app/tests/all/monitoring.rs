//! The metrics of running servers, and that every series which the dashboard and the alert rules of `packaging/monitoring` name is
//! among them.

mod promql;
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tradepost::ports::metrics::{ALL, MetricKind};

use crate::command::{Place, Server};
use crate::filled_demo;
use promql::Selector;
use rules::AlertRule;

/// The page with a section for each alert.
const RUNBOOK: &str = "docs/how-to/respond-to-alerts.md";
/// What Prometheus adds to every series of a target, and the label of the buckets.
const ADDED: [&str; 3] = ["job", "instance", "le"];
/// What Prometheus records of every target by itself.
const UP: &str = "up";
/// How long a demo may take until everything has happened once that is measured.
const WITHIN: Duration = Duration::from_mins(1);

/// The series of a page: the values of each label of each name.
#[derive(Default)]
struct Scrape {
    series: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
    kinds: BTreeMap<String, String>,
    helps: BTreeSet<String>,
}

impl Scrape {
    async fn of(server: &Server) -> Self {
        let mut scrape = Self::default();
        let (status, text) = server.page("/metrics").await;
        assert_eq!(status, 200);
        scrape.add(&text);
        scrape
    }

    fn add(&mut self, text: &str) {
        for line in text.lines().filter(|line| !line.is_empty()) {
            if let Some(help) = line.strip_prefix("# HELP ") {
                let (name, words) = help.split_once(' ').unwrap();
                assert!(!words.trim().is_empty(), "{line}");
                self.helps.insert(name.to_owned());
            } else if let Some(kind) = line.strip_prefix("# TYPE ") {
                let (name, kind) = kind.split_once(' ').unwrap();
                assert_eq!(self.kinds.insert(name.to_owned(), kind.to_owned()).filter(|other| other != kind), None);
            } else {
                self.add_series(line);
            }
        }
    }

    /// Adds a line such as `name{label="value"} 1`. No value of ours has a quotation mark.
    fn add_series(&mut self, line: &str) {
        let (series, value) = line.rsplit_once(' ').unwrap();
        assert!(value.parse::<f64>().is_ok(), "{line}");
        let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
        let known = self.series.entry(name.to_owned()).or_default();
        for label in labels.trim_end_matches('}').split("\",").filter(|label| !label.is_empty()) {
            let (label, value) = label.split_once("=\"").unwrap_or_else(|| panic!("{line}"));
            known.entry(label.to_owned()).or_default().insert(value.trim_end_matches('"').to_owned());
        }
    }

    /// The metric of a series: a histogram has three.
    fn metric_of<'a>(&self, series: &'a str) -> &'a str {
        let of_histogram = ["_bucket", "_sum", "_count"].iter().filter_map(|part| series.strip_suffix(part));
        let mut histograms = of_histogram.filter(|name| self.kinds.get(*name).is_some_and(|kind| kind == "histogram"));
        histograms.next().unwrap_or(series)
    }
}

/// An expression, and where it is.
struct Expression {
    place: String,
    text: String,
    /// The names in its legend or annotations.
    shown: Vec<String>,
}

#[tokio::test]
async fn the_dashboard_and_the_alert_rules_name_what_running_servers_measure() {
    let expressions: Vec<Expression> = dashboard().into_iter().chain(alert_rules()).collect();
    let (trading, backing_up) = (Place::new(), Place::new());
    filled_demo::keep(&trading);
    let demo = trading.serve(&["demo", "--keep", "kept"]);
    fs::create_dir(backing_up.path("backups")).unwrap();
    let mut serve = backing_up.command(&["--listen", "127.0.0.1:0"]);
    let server = backing_up.start(serve.env("TRADEPOST_BACKUP__FOLDER", backing_up.path("backups")));
    // The first call to each server is what its measurements of calls begin with.
    for server in [&demo, &server] {
        server.call("not-a-key", "accounts.v1.Accounts/ListPolicies", json!({})).await;
    }
    let begun = Instant::now();
    let (scrape, missing) = loop {
        let mut scrape = Scrape::of(&demo).await;
        scrape.add(&server.page("/metrics").await.1);
        let missing: Vec<String> = expressions.iter().flat_map(|expression| offences(expression, &scrape)).collect();
        if missing.is_empty() || begun.elapsed() > WITHIN {
            break (scrape, missing);
        }
        std::thread::yield_now();
    };
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    every_series_has_a_help_and_a_type_and_names_no_tenant(&scrape);
}

fn every_series_has_a_help_and_a_type_and_names_no_tenant(scrape: &Scrape) {
    let page = fs::read_to_string(repository().join("docs/reference/metrics.md")).unwrap();
    for (series, labels) in &scrape.series {
        let metric = scrape.metric_of(series);
        assert!(scrape.helps.contains(metric) && scrape.kinds.contains_key(metric), "{series}");
        assert!(page.contains(&format!("`{metric}`")), "{metric} is not documented");
        for value in labels.values().flatten() {
            let is_id = value.len() >= 22 && value.ends_with('=') || value.matches('-').count() == 4;
            assert!(!is_id && !value.contains('@'), "{series}: {value}");
        }
    }
    for (_, metric) in ALL {
        let kind = scrape.kinds.get(metric.name).unwrap_or_else(|| panic!("{} was not measured", metric.name));
        assert_eq!(kind, metric.kind.as_str(), "{}", metric.name);
        let series = if metric.kind == MetricKind::Histogram {
            format!("{}_bucket", metric.name)
        } else {
            metric.name.to_owned()
        };
        let labels: BTreeSet<&str> =
            scrape.series[&series].keys().map(String::as_str).filter(|label| *label != "le").collect();
        assert_eq!(labels, metric.labels.iter().map(|label| label.name).collect(), "{}", metric.name);
    }
}

/// What an expression names that is not measured, and why it cannot be parsed.
fn offences(expression: &Expression, scrape: &Scrape) -> Vec<String> {
    let Expression { place, text, shown } = expression;
    // The variables of Grafana.
    let plain = text.replace("$__rate_interval", "5m").replace("$job", ".*").replace("$instance", ".*");
    let names = match promql::parse(&plain) {
        Ok(names) => names,
        Err(error) => return vec![format!("{place}: {error}: {text}")],
    };
    let mut known: BTreeSet<&str> = ADDED.into_iter().collect();
    let mut offences = Vec::new();
    for selector in &names.selectors {
        known.extend(scrape.series.get(&selector.name).into_iter().flat_map(BTreeMap::keys).map(String::as_str));
        offences.extend(unknown_names(selector, scrape));
    }
    let unknown = names.groups.iter().chain(shown).filter(|label| !known.contains(label.as_str()));
    offences.extend(unknown.map(|label| format!("no series has the label {label}")));
    offences.into_iter().map(|offence| format!("{place}: {offence}")).collect()
}

/// The name, the labels and the values of a selector that no series has.
fn unknown_names(selector: &Selector, scrape: &Scrape) -> Vec<String> {
    let name = &selector.name;
    let Some(labels) = scrape.series.get(name) else {
        return if name == UP { Vec::new() } else { vec![format!("no series {name}")] };
    };
    let mut offences = Vec::new();
    for (label, operator, value) in selector.matchers.iter().filter(|(label, ..)| !ADDED.contains(&label.as_str())) {
        let Some(known) = labels.get(label) else {
            offences.push(format!("{name} has no label {label}"));
            continue;
        };
        // Of a pattern, the alternatives without a wildcard.
        let values = value.split('|').filter(|value| !operator.ends_with('~') || !value.contains(['.', '*', '+']));
        let metric = scrape.metric_of(name);
        let unknown = values.filter(|value| !known.contains(*value) && !is_declared(metric, label, value));
        offences.extend(unknown.map(|value| format!("{name} has no {label} {value}")));
    }
    offences
}

/// Whether the list of metrics has this value of a label, which nothing may have caused yet.
fn is_declared(metric: &str, label: &str, value: &str) -> bool {
    let labels = ALL.iter().filter(|(_, listed)| listed.name == metric).flat_map(|(_, listed)| listed.labels);
    labels.filter(|listed| listed.name == label).any(|listed| listed.values.contains(&value))
}

/// The names between braces, such as `{{status}}` of a legend and `{{ $labels.status }}` of an annotation.
fn names_between_braces(text: &str) -> Vec<String> {
    let inner = text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}")).map(|(inner, _)| inner.trim());
    let named = inner.filter(|inner| !inner.starts_with("$value")).map(|inner| inner.trim_start_matches("$labels."));
    named.map(str::to_owned).collect()
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn dashboard() -> Vec<Expression> {
    let text = fs::read_to_string(repository().join("packaging/monitoring/grafana-dashboard.json")).unwrap();
    let dashboard: Value = serde_json::from_str(&text).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let ids: BTreeSet<i64> = panels.iter().map(|panel| panel["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len(), "two panels have the same id");
    let of_panel = |panel: &Value| {
        let place = format!("panel {:?}", panel["title"].as_str().unwrap());
        let targets = panel["targets"].as_array().cloned().unwrap_or_default();
        let expression = move |target: &Value| Expression {
            place: place.clone(),
            text: target["expr"].as_str().unwrap().to_owned(),
            shown: names_between_braces(target["legendFormat"].as_str().unwrap()),
        };
        targets.iter().map(expression).collect::<Vec<_>>()
    };
    let expressions: Vec<Expression> = panels.iter().flat_map(of_panel).collect();
    assert!(expressions.len() > 40, "only {}", expressions.len());
    expressions
}

fn alert_rules() -> Vec<Expression> {
    let rules = rules::read(&fs::read_to_string(repository().join("packaging/monitoring/alerts.yaml")).unwrap());
    let runbook = fs::read_to_string(repository().join(RUNBOOK)).unwrap();
    let sections: Vec<&str> = runbook.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    let alerts: Vec<&str> = rules.iter().map(|rule| rule.alert.as_str()).collect();
    assert_eq!(sections, alerts, "the page has a section for each alert, in the order of the rules");
    rules.into_iter().map(alert_rule).collect()
}

fn alert_rule(rule: AlertRule) -> Expression {
    let AlertRule { alert, expr, wait, severity, summary, runbook_url } = rule;
    assert!(["critical", "warning"].contains(&severity.as_str()), "{alert}: {severity}");
    let (number, unit) = wait.split_at(wait.len() - 1);
    assert!(number.parse::<u32>().is_ok() && ["m", "h", "d"].contains(&unit), "{alert}: {wait}");
    assert_eq!(runbook_url, format!("{RUNBOOK}#{}", alert.to_lowercase()));
    Expression { shown: names_between_braces(&summary), place: alert, text: expr }
}
