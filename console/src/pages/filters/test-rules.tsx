import { useDeferredValue } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { decimal, money, words } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import { testFilterSet } from "../../gen/contracts/v1/filter_set_calls.ts";
import type { FilterMatch, FilterRulesSchema } from "../../gen/contracts/v1/filter_set_pb.ts";
import { getMarketObservations, listMarketObservations } from "../../gen/markets/v1/observation_calls.ts";
import { Card } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Failed, Skeleton } from "../../ui/state.tsx";

/** Of the listings that are tested. */
const SHOWN = 40;
type Rules = MessageInitShape<typeof FilterRulesSchema>;
/** Whether nothing is typed into the rules. What they leave out, the server decides. */
const isEmpty = ({ exclude: _exclude, ...rules }: Rules): boolean =>
  Object.values(rules).every((v) => v === undefined || v === false || (Array.isArray(v) && v.length === 0));

/** The rules against what the marketplaces showed last, while one types. */
export function TestRules({ rules }: { rules: Rules }) {
  const late = useDeferredValue(rules);
  const seen = useQuery({
    queryKey: ["ListMarketObservations", "test"],
    enabled: may(listMarketObservations),
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const { observationIds } = await listMarketObservations({ limit: 100 }, { signal });
      return observationIds.length ? (await getMarketObservations({ observationIds }, { signal })).observations : [];
    },
  });
  const test = useQuery({
    queryKey: ["TestFilterSet", JSON.stringify(late, (_k, v: unknown) => (typeof v === "bigint" ? String(v) : v))],
    enabled: Boolean(seen.data?.length) && !isEmpty(late),
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }) => {
      await new Promise((r) => setTimeout(r, 300));
      if (signal.aborted) throw new DOMException("The rules changed", "AbortError");
      return testFilterSet({ rules: late, observationIds: seen.data!.map((o) => o.id!) }, { signal });
    },
  });
  if (!may(testFilterSet)) return null;
  const byId = new Map(seen.data?.map((o) => [show(o.id), o.listing]));
  const key = (id: string | undefined) => (id ?? "").replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const matches = isEmpty(late) ? [] : [...(test.data?.matches ?? [])].sort((a, b) => Number(b.matched) - Number(a.matched));
  const passed = matches.filter((m) => m.matched).length;
  const listingOf = (m: FilterMatch) => byId.get(key(m.id));
  const file = [
    { head: "Item", text: (m: FilterMatch) => listingOf(m)?.marketHashName ?? "" },
    { head: "Marketplace", text: (m: FilterMatch) => listingOf(m)?.marketplace ?? "" },
    { head: "Listing", text: (m: FilterMatch) => listingOf(m)?.listingId ?? "" },
    {
      head: "Price",
      text: (m: FilterMatch) => {
        const price = listingOf(m)?.priceCents;
        return price === undefined ? "" : decimal(price);
      },
    },
    { head: "Stopped by", text: (m: FilterMatch) => m.failedRule ?? "" },
  ];
  return (
    <Card
      title="Test"
      note="Against the newest observations"
      flush
      extra={may(listMarketObservations) && <SaveRows name="filter-test" columns={file} rows={matches} />}
    >
      {!may(listMarketObservations) ? (
        <p className="body muted">Your role shows no observed listings: there is nothing to try the rules on.</p>
      ) : seen.isError || test.isError ? (
        <div className="body">
          <Failed error={seen.error ?? test.error} again={seen.isError ? seen.refetch : test.refetch} />
        </div>
      ) : seen.data?.length === 0 ? (
        <p className="body muted">Nothing was observed yet: an engine that runs, or RecordMarketObservations, brings listings in.</p>
      ) : isEmpty(late) ? (
        <p className="body muted">Set a rule, and the observations that pass it appear here.</p>
      ) : !test.data ? (
        <div className="body">
          <Skeleton lines={4} />
        </div>
      ) : (
        <>
          <p className="body">
            <b className={passed ? "gain" : ""}>
              {passed} of {matches.length}
            </b>{" "}
            pass.{matches.length > SHOWN && ` The first ${SHOWN} are shown, those that pass before the others.`}
          </p>
          <ul className="passes" tabIndex={0} aria-label="Observations against the rules">
            {matches.slice(0, SHOWN).map((m, n) => {
              const l = listingOf(m);
              return (
                <li key={n}>
                  <Icon name={m.matched ? "check" : "close"} className={m.matched ? "gain" : "muted"} />
                  <span className="what">
                    <span title={l?.marketHashName}>{l?.marketHashName ?? "Observation"}</span>
                    <small>
                      {m.matched
                        ? money(l?.priceCents)
                        : `stopped by ${words(m.failedRule?.replace(/([a-z])([A-Z])/g, "$1 $2")).toLowerCase()}`}
                    </small>
                  </span>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </Card>
  );
}
