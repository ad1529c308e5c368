import { useQuery } from "@tanstack/react-query";
import { listPolicies } from "../gen/accounts/v1/permission_calls.ts";
import { getUsers } from "../gen/accounts/v1/user_calls.ts";
import { show } from "./ids.ts";
import { may, useCall } from "./queries.ts";
import { packsOf, someAtOnce } from "./whole.ts";

/** The policies that can be given, with what each allows. */
export function usePolicies(): (readonly [string, string])[] {
  const query = useCall(listPolicies, {}, { staleTime: Infinity });
  return query.data?.policies.map((p) => [p.name ?? "", `${p.name}: ${p.description}`] as const) ?? [];
}
/** Display names of users by id. */
export const useUserNames = (ids: readonly Uint8Array[]) =>
  useQuery({
    queryKey: ["GetUsers", ids.map(show).sort().join()],
    enabled: ids.length > 0 && may(getUsers),
    staleTime: 300_000,
    queryFn: async ({ signal }) => {
      const found = await someAtOnce(packsOf(ids), async (userIds) => (await getUsers({ userIds }, { signal })).users);
      return new Map(found.flat().map((u) => [show(u.id), u.displayName ?? ""]));
    },
  });
