import { listContracts } from "../gen/contracts/v1/contract_calls.ts";
import { useContractNames } from "./names.ts";
import { may } from "./queries.ts";

/** What a filter by contract chooses from: the contracts by name, and the one of the address even where its name is not known. */
export function useContractChoices(chosen: string): (readonly [string, string])[] {
  const names = useContractNames(may(listContracts)).data ?? new Map();
  const known = [...names].map(([id, c]) => [id, c.name ?? ""] as const).sort((a, b) => a[1].localeCompare(b[1]));
  return [["", "any"], ...(chosen && !names.has(chosen) ? [[chosen, chosen.slice(-8)] as const] : []), ...known];
}
