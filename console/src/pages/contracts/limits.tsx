import type { ReactNode } from "react";
import { Link } from "wouter";
import { count, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { useCall } from "../../core/queries.ts";
import type { Contract } from "../../gen/contracts/v1/contract_pb.ts";
import { getFilterSet } from "../../gen/contracts/v1/filter_set_calls.ts";
import { Card, Facts } from "../../ui/card.tsx";
import { PoolLink, Ref } from "../../ui/refs.tsx";
import { BUYING, SELLING, VALUE, WHAT, type Term } from "./terms.ts";

/** The figures at the top of the page have these. */
const SHOWN_ABOVE: Term[] = [BUYING.quantity, BUYING.budget, BUYING.daily, BUYING.open];

/** The terms that are set, by their names. */
const set = (terms: Record<string, Term>, c: Contract) =>
  Object.values(terms)
    .filter((t) => !SHOWN_ABOVE.includes(t) && t.text(c) !== undefined)
    .map((t): [string, ReactNode] => [t.name, <span className="num">{t.text(c)}</span>]);

export const Limits = ({ c }: { c: Contract }) => (
  <Card title="Limits">
    <Facts of={set(c.selling ? SELLING : BUYING, c)} />
    {c.priceReference && (
      <>
        <br />
        <h3>Where the value comes from</h3>
        <Facts of={Object.values(VALUE).map((t) => [t.name, t.text(c)])} />
      </>
    )}
  </Card>
);
export function Record({ c }: { c: Contract }) {
  const filter = useCall(
    getFilterSet,
    { filterSetId: c.filterSetId ?? new Uint8Array() },
    { enabled: Boolean(c.filterSetId?.length), staleTime: 60_000 },
  );
  const text = (t: Term) => t.text(c) ?? t.none;
  return (
    <Card title="Record">
      <Facts
        of={[
          [
            WHAT.filter.name,
            c.filterSetId?.length ? (
              <Ref to="/filters" id={c.filterSetId} name={filter.data?.filterSet?.name ?? "Its filter set"} />
            ) : (
              WHAT.filter.none
            ),
          ],
          [WHAT.pool.name, <PoolLink id={c.poolId} />],
          Boolean(c.buying) && ["Purchases", <Link href={`/purchases?contract=${show(c.id)}`}>What it bought</Link>],
          Boolean(c.buying) && ["Inventory", <Link href={`/items?contract=${show(c.id)}`}>The items of its purchases</Link>],
          ["Approvals", <Link href={`/approvals?status=all&contract=${show(c.id)}`}>What it proposed</Link>],
          [WHAT.approval.name, text(WHAT.approval)],
          [WHAT.markets.name, text(WHAT.markets)],
          c.startsAt && [WHAT.starts.name, text(WHAT.starts)],
          c.endsAt && [WHAT.ends.name, text(WHAT.ends)],
          ["Written", when(c.createdAt)],
          ["Changed", when(c.updatedAt)],
          ["Version", count(c.version)],
          ["History", <Link href={`/contracts/${show(c.id)}?view=history`}>Each change of its status</Link>],
          ["Id", <span className="mono">{show(c.id)}</span>],
        ]}
      />
    </Card>
  );
}
