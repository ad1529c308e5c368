import { useQuery } from "@tanstack/react-query";
import { getAccountGroups, listAccountGroups } from "../gen/trading/v1/account_group_calls.ts";
import { getAccounts, listAccounts } from "../gen/trading/v1/account_calls.ts";
import { show } from "./ids.ts";
import { may } from "./queries.ts";

/** Names of accounts and of groups by id, and the choices of a field. */
export function useAccountChoices(): { names: ReadonlyMap<string, string>; choices: (readonly [string, string])[] } {
  const query = useQuery({
    queryKey: ["GetAccounts", "names"],
    staleTime: 60_000,
    enabled: may(listAccounts),
    queryFn: async ({ signal }) => {
      const { accountIds } = await listAccounts({ limit: 200 }, { signal });
      const accounts = accountIds.length ? (await getAccounts({ accountIds }, { signal })).accounts : [];
      const { accountGroupIds } = await listAccountGroups({ limit: 200 }, { signal });
      const groups = accountGroupIds.length ? (await getAccountGroups({ accountGroupIds }, { signal })).accountGroups : [];
      return { accounts, groups };
    },
  });
  const { accounts = [], groups = [] } = query.data ?? {};
  return {
    names: new Map([...accounts, ...groups].map((a) => [show(a.id), a.name ?? ""])),
    choices: [
      ...accounts.map((a) => [`a:${show(a.id)}`, a.name ?? ""] as const),
      ...groups.map((g) => [`g:${show(g.id)}`, `Group ${g.name ?? ""}`] as const),
    ],
  };
}
