import { useLocation } from "wouter";
import { show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import {
  activateContract,
  cancelContract,
  cloneContract,
  deleteContract,
  pauseContract,
  resumeContract,
  updateContract,
} from "../../gen/contracts/v1/contract_calls.ts";
import { ApprovalMode, ContractStatus as S, type Contract } from "../../gen/contracts/v1/contract_pb.ts";
import { Action } from "../../ui/action.tsx";
import { LinkButton } from "../../ui/button.tsx";

const OLD = ["GetContract", "GetContracts", "ListContracts", "CountContracts", "ListTransitions"];
export function ContractActions({ c }: { c: Contract }) {
  const [, go] = useLocation();
  const rest = { contractId: c.id!, expectedVersion: c.version };
  const s = c.status ?? 0;
  const live = [S.ACTIVE, S.PAUSED, S.SUSPENDED].includes(s);
  return (
    <>
      {s === S.DRAFT && (
        <Action
          label="Activate"
          icon="play"
          kind="primary"
          call={activateContract}
          title={`Activate “${c.name}”?`}
          confirm="Activate"
          done="Active."
          old={OLD}
          run={async () => void (await activateContract(rest))}
          text={
            <p>
              {c.approvalMode === ApprovalMode.AUTOMATIC
                ? "It spends and sells by itself within its limits from now on."
                : c.approvalMode === ApprovalMode.MANUAL
                  ? "Each action waits for a person's approval."
                  : "It decides and writes its decisions down, and does nothing."}
            </p>
          }
        />
      )}
      {s === S.ACTIVE && (
        <Action
          label="Pause"
          call={pauseContract}
          title={`Pause “${c.name}”?`}
          confirm="Pause"
          done="Paused."
          old={OLD}
          text={<p>It starts nothing new. What is open is followed to its end.</p>}
          fields={[{ name: "reason", label: "Reason", required: true, wide: true, max: 200 }]}
          run={async (v) => void (await pauseContract({ ...rest, reason: v.reason!.trim() }))}
        />
      )}
      {(s === S.PAUSED || s === S.SUSPENDED) && (
        <Action
          label="Resume"
          icon="play"
          kind="primary"
          call={resumeContract}
          title={`Resume “${c.name}”?`}
          confirm="Resume"
          done="Active again."
          old={OLD}
          text={
            <p>
              {s === S.SUSPENDED
                ? "The service stopped it. Make sure that the cause is over: it acts again at the engine's next pass."
                : "It acts again at the engine's next pass."}
            </p>
          }
          run={async () => void (await resumeContract(rest))}
        />
      )}
      {(s === S.DRAFT || live) && may(updateContract) && <LinkButton href={`/contracts/${show(c.id)}/edit`}>Edit</LinkButton>}
      <Action
        label="Copy"
        call={cloneContract}
        title="Copy this contract"
        confirm="Make a draft"
        done="A draft was made."
        old={OLD}
        start={{ name: `${c.name} copy`.slice(0, 64) }}
        fields={[{ name: "name", label: "Name of the copy", required: true, wide: true, max: 64 }]}
        run={async (v) => {
          const a = await cloneContract({ contractId: c.id!, name: v.name!.trim() });
          go(`/contracts/${show(a.contract?.id)}`);
        }}
      />
      {live && (
        <Action
          label="Cancel"
          kind="danger"
          danger
          call={cancelContract}
          title={`Cancel “${c.name}”?`}
          confirm="Cancel the contract"
          done="It closes."
          old={OLD}
          text={<p>It starts nothing new and ends once what is open is over. A cancelled contract cannot be resumed.</p>}
          run={async () => void (await cancelContract(rest))}
        />
      )}
      {s === S.DRAFT && (
        <Action
          label="Delete"
          kind="danger"
          danger
          call={deleteContract}
          title={`Delete “${c.name}”?`}
          confirm="Delete the draft"
          done="Deleted."
          old={OLD}
          run={async () => {
            await deleteContract(rest);
            go("/contracts");
          }}
        />
      )}
    </>
  );
}
