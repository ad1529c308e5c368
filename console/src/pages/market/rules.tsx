import { Link } from "wouter";
import { decimal, iso, money, parseBps, parseWhole, percent, span, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { usePages } from "../../core/pages.ts";
import { may, useCall } from "../../core/queries.ts";
import { PriceStatistic as P } from "../../gen/contracts/v1/contract_pb.ts";
import { deletePriceOverride, getPricingRules, listPriceOverrides, updatePricingRules } from "../../gen/markets/v1/pricing_calls.ts";
import type { PriceOverride } from "../../gen/markets/v1/pricing_pb.ts";
import { Action } from "../../ui/action.tsx";
import type { BulkAction } from "../../ui/bulk.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { linesOf } from "../../ui/form.tsx";
import { priceSources } from "../../ui/on-record.tsx";
import { PickOne, type Picks } from "../../ui/picks.tsx";
import { Failed, Loaded, Skeleton } from "../../ui/state.tsx";
import { Selected, usePicks } from "../../ui/table.tsx";
import { STATISTICS } from "../contracts/words.ts";
import { hrefOf, nameOf } from "./words.ts";

/** How the workspace takes a value from its sources. */
export function PricingRulesCard() {
  const query = useCall(getPricingRules, {}, { enabled: may(getPricingRules) });
  const r = query.data?.rules?.priceReference;
  return (
    <Card
      title="How values are made"
      extra={
        query.data && (
          <Action
            label="Edit"
            kind="quiet"
            call={updatePricingRules}
            title="How values are made"
            confirm="Save"
            done="Saved."
            old={["GetPricingRules", "GetPrice", "GetPrices"]}
            start={{
              statistic: String(r?.statistic ?? P.MEDIAN),
              age: String(r?.maxAgeSeconds ?? ""),
              confidence: r?.minConfidenceBps === undefined ? "" : String(r.minConfidenceBps / 100),
              sources: r?.sources.join("\n") ?? "",
            }}
            fields={[
              {
                name: "statistic",
                label: "Taken from the sources",
                kind: "select",
                wide: true,
                options: [P.MEDIAN, P.LOWEST_ASK, P.HIGHEST_BID, P.SALES_7D].map((p) => [String(p), STATISTICS[p]] as const),
              },
              { name: "age", label: "Not older than", kind: "whole", suffix: "seconds", required: true },
              { name: "confidence", label: "Confidence at least", kind: "percent", required: true },
              { name: "sources", label: "Sources", kind: "lines", hint: "One name a line. Empty takes all.", pick: priceSources },
            ]}
            run={async (v) =>
              void (await updatePricingRules({
                expectedVersion: query.data.rules?.version,
                priceReference: {
                  sources: linesOf(v.sources),
                  statistic: Number(v.statistic) as P,
                  maxAgeSeconds: parseWhole(v.age!),
                  minConfidenceBps: parseBps(v.confidence!),
                },
              }))
            }
          />
        )
      }
    >
      <Loaded query={query}>
        {() => (
          <Facts
            of={[
              ["Taken as", STATISTICS[r?.statistic ?? 0]],
              ["Not older than", span(r?.maxAgeSeconds)],
              ["Confidence at least", percent(r?.minConfidenceBps)],
              ["Sources", r?.sources.length ? r.sources.join(", ") : "all"],
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
const OLD = ["ListPriceOverrides", "GetPrice", "GetPrices"];
const idOf = (o: PriceOverride) => show(o.id);
const remove = (o: PriceOverride, key?: string) => deletePriceOverride({ priceOverrideId: o.id!, expectedVersion: o.version }, { key });
const FILE = [
  { head: "Item", text: (o: PriceOverride) => o.variant?.marketHashName ?? "" },
  { head: "Phase", text: (o: PriceOverride) => o.variant?.phase ?? "" },
  { head: "Game", text: (o: PriceOverride) => String(o.variant?.appId ?? "") },
  { head: "Value", text: (o: PriceOverride) => decimal(o.priceCents ?? 0n) },
  { head: "Until", text: (o: PriceOverride) => iso(o.expiresAt) },
  { head: "Reason", text: (o: PriceOverride) => o.reason ?? "" },
];
const BULK: readonly BulkAction<PriceOverride>[] = [
  {
    label: "Remove",
    danger: true,
    call: deletePriceOverride,
    can: () => true,
    text: <p>Contracts take what the sources say again.</p>,
    run: (o, _v, key) => remove(o, key),
    old: OLD,
  },
];
const Override = ({ o, picks }: { o: PriceOverride; picks: Picks<PriceOverride> | undefined }) => (
  <li>
    {picks && <PickOne row={o} id={idOf(o)} name={nameOf(o.variant)} picks={picks} />}
    <div className="grow">
      <Link href={hrefOf(o.variant)} className="textlink">
        {nameOf(o.variant)}
      </Link>
      <p>
        <b className="num">{money(o.priceCents)}</b>{" "}
        <small className="muted">
          until {when(o.expiresAt)}: {o.reason}
        </small>
      </p>
    </div>
    <Action
      label="Remove"
      kind="quiet"
      call={deletePriceOverride}
      title="Remove this value?"
      text={<p>Contracts take what the sources say again.</p>}
      confirm="Remove"
      done="Removed."
      old={OLD}
      run={async () => void (await remove(o))}
    />
  </li>
);
export function Overrides() {
  const list = usePages<PriceOverride>({
    name: "ListPriceOverrides",
    filter: "",
    enabled: may(listPriceOverrides),
    page: async (cursor, signal) => {
      const a = await listPriceOverrides({ limit: 50, cursor }, { signal });
      return { rows: a.priceOverrides, next: a.nextCursor };
    },
  });
  const picks = usePicks(BULK);
  const { rows, query } = list;
  return (
    <Card title="Values set by hand" extra={<SaveRows name="values-set-by-hand" columns={FILE} of={list} />}>
      {rows.length > 0 ? (
        <div className="scroll tall" tabIndex={0} role="region" aria-label="Values set by hand">
          <ul className="doings">
            {rows.map((o) => (
              <Override key={idOf(o)} o={o} picks={picks} />
            ))}
          </ul>
        </div>
      ) : query.isPending ? (
        <Skeleton />
      ) : query.isError ? null : (
        <p className="muted">None is set by hand.</p>
      )}
      {query.isError && <Failed error={query.error} again={query.refetch} />}
      {!list.complete && rows.length > 0 && (
        <>
          <br />
          <Button onPress={list.more} isPending={list.loadingMore}>
            Show earlier
          </Button>
        </>
      )}
      <Selected label="Values set by hand" picks={picks} actions={BULK} rows={rows} id={idOf} name={(o) => nameOf(o.variant)} />
    </Card>
  );
}
