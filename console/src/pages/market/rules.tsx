import { Link } from "wouter";
import { money, parseBps, parseWhole, percent, span, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { may, useCall } from "../../core/queries.ts";
import { PriceStatistic as P } from "../../gen/contracts/v1/contract_pb.ts";
import { deletePriceOverride, getPricingRules, listPriceOverrides, updatePricingRules } from "../../gen/markets/v1/pricing_calls.ts";
import { Action } from "../../ui/action.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { linesOf } from "../../ui/form.tsx";
import { Empty, Loaded } from "../../ui/state.tsx";
import { STATISTICS } from "../contracts/words.ts";

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
              { name: "sources", label: "Sources", kind: "lines", hint: "One name a line. Empty takes all." },
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
export function Overrides() {
  const query = useCall(listPriceOverrides, { limit: 50 }, { enabled: may(listPriceOverrides) });
  return (
    <Card title="Values set by hand" flush>
      <Loaded query={query}>
        {({ priceOverrides: rows }) =>
          rows.length === 0 ? (
            <Empty title="None is set by hand." />
          ) : (
            <ol className="feed">
              {rows.map((o) => (
                <li key={show(o.id)} className="entry">
                  <span className="what">
                    <Link href={`/market?name=${encodeURIComponent(o.variant?.marketHashName ?? "")}`}>{o.variant?.marketHashName}</Link>
                    <small>
                      until {when(o.expiresAt)}: {o.reason}
                    </small>
                  </span>
                  <b className="num">{money(o.priceCents)}</b>
                  <span>
                    <Action
                      label="Remove"
                      kind="quiet"
                      call={deletePriceOverride}
                      title="Remove this value?"
                      confirm="Remove"
                      done="Removed."
                      old={["ListPriceOverrides", "GetPrice", "GetPrices"]}
                      run={async () => void (await deletePriceOverride({ priceOverrideId: o.id!, expectedVersion: o.version }))}
                    />
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Card>
  );
}
