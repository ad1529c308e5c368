import { activateContract, cancelContract, deleteContract, pauseContract, resumeContract } from "../../gen/contracts/v1/contract_calls.ts";
import { ContractStatus as S, type Contract } from "../../gen/contracts/v1/contract_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";

const old = ["GetContract", "GetContracts", "ListContracts", "CountContracts"];
const rest = (c: Contract) => ({ contractId: c.id!, expectedVersion: c.version });
const isIn =
  (...statuses: S[]) =>
  (c: Contract) =>
    statuses.includes(c.status ?? 0);

export const BULK: readonly BulkAction<Contract>[] = [
  {
    label: "Activate",
    call: activateContract,
    can: isIn(S.DRAFT),
    text: <p>They spend and sell within their limits from now on, each as its approval says.</p>,
    run: (c, _v, key) => activateContract(rest(c), { key }),
    old,
  },
  {
    label: "Pause",
    call: pauseContract,
    can: isIn(S.ACTIVE),
    text: <p>They start nothing new. What is open is followed to its end.</p>,
    fields: [{ name: "reason", label: "Reason", required: true, wide: true, max: 200 }],
    run: (c, v, key) => pauseContract({ ...rest(c), reason: v.reason!.trim() }, { key }),
    old,
  },
  {
    label: "Resume",
    call: resumeContract,
    can: isIn(S.PAUSED, S.SUSPENDED),
    text: <p>They act again at the engine's next pass. Make sure that what stopped them is over.</p>,
    run: (c, _v, key) => resumeContract(rest(c), { key }),
    old,
  },
  {
    label: "Cancel",
    danger: true,
    call: cancelContract,
    can: isIn(S.ACTIVE, S.PAUSED, S.SUSPENDED),
    text: <p>They start nothing new and end once what is open is over. A cancelled contract cannot be resumed.</p>,
    run: (c, _v, key) => cancelContract(rest(c), { key }),
    old,
  },
  {
    label: "Delete",
    danger: true,
    call: deleteContract,
    can: isIn(S.DRAFT),
    text: <p>The drafts are deleted. They have done nothing.</p>,
    run: (c, _v, key) => deleteContract(rest(c), { key }),
    old,
  },
];
