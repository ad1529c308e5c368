//! Tables as commands of clap: builds them, and reads what was given.

use std::marker::PhantomData;

use clap::{Arg, ArgAction, ArgMatches, Args as _, Command, FromArgMatches, Subcommand, value_parser};
use serde_json::{Map, Value};

use super::flag::Kind;
use super::{Action, GROUPS, Group, Shows};
use crate::cli::client::ClientContext;

/// An action that was asked for, with the fields of its request.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) action: &'static Action,
    /// The values by the fields of the request with their places.
    pub(crate) fields: Vec<(&'static super::flag::Flag, Value)>,
    pub(crate) limit: u32,
    /// Whether it was said in advance that nothing needs to be asked.
    pub(crate) is_confirmed: bool,
}

/// A command that consists of a table alone.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) place: ClientContext,
    pub(crate) given: Given,
}

/// A table whose actions are some of the actions of a command.
pub(crate) trait Table {
    /// Returns the table.
    fn group() -> &'static Group;
}

/// An action of a table, next to actions of another kind.
#[derive(Debug)]
pub(crate) struct ActionOf<T> {
    pub(crate) given: Given,
    table: PhantomData<T>,
}

impl Group {
    /// The action that is the command itself.
    fn alone(&'static self) -> Option<&'static Action> {
        self.actions.first().filter(|action| action.name.is_empty())
    }

    fn command(&'static self) -> Command {
        let command = Command::new(self.name);
        let command = match self.alone() {
            Some(action) => action.described(command),
            None => self.actions_of(command.subcommand_required(true).arg_required_else_help(true)),
        };
        // The description of the flags would replace that of the command.
        ClientContext::augment_args(command).about(self.about).long_about(None)
    }

    fn actions_of(&'static self, command: Command) -> Command {
        let describe = |action: &'static Action| action.described(Command::new(action.name).about(action.about));
        command.subcommands(self.actions.iter().map(describe))
    }

    fn find(&'static self, name: &str) -> Option<&'static Action> {
        self.actions.iter().find(|action| action.name == name)
    }
}

impl Action {
    fn described(&self, command: Command) -> Command {
        let command = command.args(self.flags.iter().map(super::flag::Flag::arg)).after_help(self.help);
        if self.is_list() {
            command.arg(limit())
        } else if self.is_final() {
            command.arg(yes())
        } else {
            command
        }
    }

    fn is_list(&self) -> bool {
        matches!(self.shows, Shows::List(_) | Shows::Pages(..) | Shows::Legs)
    }

    fn read(&'static self, matches: &ArgMatches) -> Given {
        let mut fields = Vec::new();
        for flag in self.flags {
            let value = if let Kind::Sets(json) = flag.kind {
                matches.get_flag(flag.name).then(|| serde_json::from_str(json).ok()).flatten()
            } else if flag.is_list {
                matches.get_many::<Value>(flag.name).map(|values| Value::Array(values.cloned().collect()))
            } else {
                matches.get_one::<Value>(flag.name).cloned()
            };
            fields.extend(value.map(|value| (flag, value)));
        }
        let limit = if self.is_list() { matches.get_one("limit").copied() } else { None };
        let is_confirmed = self.is_final() && matches.get_flag("yes");
        Given { action: self, fields, limit: limit.unwrap_or(u32::MAX), is_confirmed }
    }
}

fn limit() -> Arg {
    let range = value_parser!(u32).range(1..=100_000);
    let arg = Arg::new("limit").long("limit").value_name("NUMBER").default_value("50").value_parser(range);
    arg.help("Most records that are shown")
}

fn yes() -> Arg {
    Arg::new("yes").short('y').long("yes").action(ArgAction::SetTrue).help("Do not ask on a terminal before it is done")
}

fn missing() -> clap::Error {
    clap::Error::new(clap::error::ErrorKind::MissingSubcommand)
}

impl FromArgMatches for Call {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let group = GROUPS.iter().find(|group| group.name == name).ok_or_else(missing)?;
        let place = ClientContext::from_arg_matches(matches)?;
        if let Some(action) = group.alone() {
            return Ok(Self { place, given: action.read(matches) });
        }
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let action = group.find(name).ok_or_else(missing)?;
        Ok(Self { place, given: action.read(matches) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Call {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(GROUPS.iter().map(|group| group.command()))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        GROUPS.iter().any(|group| group.name == name)
    }
}

impl<T: Table> FromArgMatches for ActionOf<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let action = T::group().find(name).ok_or_else(missing)?;
        Ok(Self { given: action.read(matches), table: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<T: Table> Subcommand for ActionOf<T> {
    fn augment_subcommands(command: Command) -> Command {
        T::group().actions_of(command)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        T::group().find(name).is_some()
    }
}

impl Given {
    /// The request of the flags, in which names of records are still names.
    pub(crate) fn request(&self) -> Value {
        let mut request = Value::Object(Map::new());
        for (flag, value) in &self.fields {
            put(&mut request, &flag.path(), value.clone());
        }
        request
    }

    /// The first argument, as it was given.
    pub(crate) fn subject(&self) -> &str {
        let first = self.fields.iter().find(|(flag, _)| flag.is_argument());
        first.and_then(|(_, value)| value.as_str()).unwrap_or_default()
    }
}

/// Puts a value at its place, with objects on the way to it.
pub(crate) fn put(record: &mut Value, path: &str, value: Value) {
    let mut place = record;
    for part in path.split('.') {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        place = &mut place[part];
    }
    *place = value;
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_put_below_objects() {
        let mut request = json!({ "buying": { "targetQuantity": 1 } });
        put(&mut request, "buying.budgetCents", json!("100"));
        put(&mut request, "limits.budgetCents", json!("200"));
        assert_eq!(
            request,
            json!({ "buying": { "targetQuantity": 1, "budgetCents": "100" }, "limits": { "budgetCents": "200" } })
        );
    }
}
