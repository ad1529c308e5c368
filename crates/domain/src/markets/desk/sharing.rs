//! Which process trades for which workspace.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest as _, Sha256};

use crate::id::WorkspaceId;

/// The id of a process, drawn at its start.
pub type ProcessId = [u8; 16];

/// Shares workspaces among processes: each gets as many as every other one, give or take one.
///
/// Every process that knows the same workspaces and processes gets the same result, without asking another. Most workspaces stay where they are when a
/// process comes or goes (rendezvous hashing with bounded loads).
pub fn share(workspaces: &BTreeSet<WorkspaceId>, processes: &BTreeSet<ProcessId>) -> BTreeMap<WorkspaceId, ProcessId> {
    let (Some(each), Some(mut more)) =
        (workspaces.len().checked_div(processes.len()), workspaces.len().checked_rem(processes.len()))
    else {
        return BTreeMap::new();
    };
    let mut loads: BTreeMap<ProcessId, usize> = processes.iter().map(|process| (*process, 0)).collect();
    let mut shared = BTreeMap::new();
    for workspace in workspaces {
        let has_room = |load: usize| load < each || (load == each && more > 0);
        let with_room = loads.iter_mut().filter(|(_, load)| has_room(**load));
        let Some((process, load)) = with_room.max_by_key(|(process, _)| score(process, *workspace)) else { continue };
        if *load == each {
            more = more.saturating_sub(1);
        }
        *load = load.saturating_add(1);
        shared.insert(*workspace, *process);
    }
    shared
}

fn score(process: &ProcessId, workspace: WorkspaceId) -> [u8; 32] {
    Sha256::new().chain_update(process).chain_update(workspace.to_bytes()).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspaces(many: u8) -> BTreeSet<WorkspaceId> {
        (0..many).map(|number| WorkspaceId::from_bytes([number; 16])).collect()
    }

    fn processes(numbers: impl IntoIterator<Item = u8>) -> BTreeSet<ProcessId> {
        numbers.into_iter().map(|number| [number; 16]).collect()
    }

    fn loads(shared: &BTreeMap<WorkspaceId, ProcessId>) -> Vec<usize> {
        let mut loads: BTreeMap<ProcessId, usize> = BTreeMap::new();
        for process in shared.values() {
            *loads.entry(*process).or_default() += 1;
        }
        loads.into_values().collect()
    }

    #[test]
    fn every_workspace_is_traded_for_and_no_process_has_two_more_than_another() {
        for (many, among) in [(200, 4), (199, 4), (7, 3), (3, 3), (1, 2)] {
            let shared = share(&workspaces(many), &processes(0..among));
            assert_eq!(shared.len(), usize::from(many));
            let loads = loads(&shared);
            let (least, most) = (loads.iter().min().unwrap(), loads.iter().max().unwrap());
            assert!(most - least <= 1, "{many} among {among}: {loads:?}");
        }
    }

    #[test]
    fn one_process_has_all_and_without_a_process_nobody_has_any() {
        assert_eq!(loads(&share(&workspaces(9), &processes([7]))), [9]);
        assert!(share(&workspaces(9), &BTreeSet::new()).is_empty());
    }

    #[test]
    fn most_workspaces_stay_where_they_are_when_a_process_ends() {
        let before = share(&workspaces(200), &processes(0..4));
        let after = share(&workspaces(200), &processes(0..3));
        let of_the_others = before.iter().filter(|(_, process)| **process != [3; 16]);
        let moved = of_the_others.filter(|(workspace, process)| after[*workspace] != **process).count();
        assert!(moved < 50, "{moved} of 150 moved without need");
    }
}
