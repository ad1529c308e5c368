import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { short, show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { wholeList } from "../../core/whole.ts";
import { getAssignments, listAssignments } from "../../gen/contracts/v1/assignment_calls.ts";
import type { Assignment } from "../../gen/contracts/v1/assignment_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { getAccountGroups, listAccountGroups } from "../../gen/trading/v1/account_group_calls.ts";
import type { Account } from "../../gen/trading/v1/account_pb.ts";
import { listTradeOffers } from "../../gen/trading/v1/trade_offer_calls.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Loaded } from "../../ui/state.tsx";
import { does, limitsIn } from "../pools/assignments.tsx";

/** An assignment, and the group of the account that it names instead of the account. */
interface Serves {
  id: Uint8Array | undefined;
  a: Assignment;
  group: string;
}
const servesBy = (a: Assignment, group = ""): Serves => ({ id: a.id, a, group });
const assignmentsOf = (which: { accountId?: Uint8Array }, signal: AbortSignal) =>
  wholeList(
    async (asked) => {
      const a = await listAssignments({ ...which, ...asked }, { signal });
      return { ids: a.assignmentIds, next: a.nextCursor };
    },
    async (assignmentIds) => (await getAssignments({ assignmentIds }, { signal })).assignments,
  );
async function groupsOf(accountId: Uint8Array, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  if (!may(listAccountGroups)) return new Map();
  const groups = await wholeList(
    async (asked) => {
      const a = await listAccountGroups(asked, { signal });
      return { ids: a.accountGroupIds, next: a.nextCursor };
    },
    async (accountGroupIds) => (await getAccountGroups({ accountGroupIds }, { signal })).accountGroups,
  );
  const own = groups.filter((g) => g.accountIds.some((id) => show(id) === show(accountId)));
  return new Map(own.map((g) => [show(g.id), g.name ?? ""]));
}
/** The assignments of an account, and those of its groups. No list gives the latter, so all are read, and only if it is in a group. */
const useServes = (accountId: Uint8Array) =>
  useQuery({
    queryKey: ["ListAssignments", `of ${show(accountId)}`],
    enabled: may(listAssignments),
    queryFn: async ({ signal }): Promise<Serves[]> => {
      const own = (await assignmentsOf({ accountId }, signal)).map((a) => servesBy(a));
      const groups = await groupsOf(accountId, signal);
      const all = groups.size ? await assignmentsOf({}, signal) : [];
      const others = all.filter((a) => groups.has(show(a.accountGroupId)));
      return [...own, ...others.map((a) => servesBy(a, groups.get(show(a.accountGroupId))))];
    },
  });
const termsOf = ({ a, group }: Serves) =>
  [group && `by the group ${group}`, `order ${a.priority ?? 0}`, limitsIn(a)].filter(Boolean).join(", ");

/** The pools that an account works for, and the way to its trade offers. */
export function PoolsOf({ account: a }: { account: Account }) {
  const query = useServes(a.id!);
  const names = useSubjectNames((query.data ?? []).map((s) => ({ subjectType: T.POOL, subjectId: s.a.poolId })));
  const poolOf = (s: Serves) => names.get(show(s.a.poolId))?.name ?? short(s.a.poolId);
  const columns = [
    { head: "Pool", text: poolOf },
    { head: "Does", text: (s: Serves) => does(s.a) },
    { head: "Group", text: (s: Serves) => s.group },
    { head: "Order", text: (s: Serves) => String(s.a.priority ?? 0) },
    { head: "Limits", text: (s: Serves) => limitsIn(s.a) },
  ];
  if (!may(listAssignments) && !may(listTradeOffers)) return null;
  return (
    <Card
      title="Pools and offers"
      note="What it works for, and what it trades"
      extra={may(listAssignments) && <SaveRows name="pools-of-account" columns={columns} rows={query.data ?? []} />}
    >
      <div className="stack">
        {may(listAssignments) && (
          <Loaded query={query} lines={2}>
            {(all) =>
              all.length === 0 ? (
                <p className="muted">No pool names it: it takes turns for the pools that name no account.</p>
              ) : (
                <ul className="doings" aria-label="Pools">
                  {all.map((s) => (
                    <li key={show(s.id)}>
                      <div>
                        <b>
                          <Link href={`/pools/${show(s.a.poolId)}`} className="textlink">
                            {poolOf(s)}
                          </Link>
                        </b>
                        <p className="muted">
                          {does(s.a) || "Nothing"}: {termsOf(s)}
                        </p>
                      </div>
                    </li>
                  ))}
                </ul>
              )
            }
          </Loaded>
        )}
        {may(listTradeOffers) && (
          <div className="row">
            <LinkButton href={`/offers?account=${show(a.id)}`}>Trade offers</LinkButton>
          </div>
        )}
      </div>
    </Card>
  );
}
