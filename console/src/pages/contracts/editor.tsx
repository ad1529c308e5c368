import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { count, money, parseCents, parseWhole } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { usePoolNames } from "../../core/names.ts";
import { queries, refresh, useCall } from "../../core/queries.ts";
import { wholeList } from "../../core/whole.ts";
import { createContract, getContract, updateContract } from "../../gen/contracts/v1/contract_calls.ts";
import { ContractStatus, type Contract } from "../../gen/contracts/v1/contract_pb.ts";
import { getFilterSets, listFilterSets } from "../../gen/contracts/v1/filter_set_calls.ts";
import { Card, Head } from "../../ui/card.tsx";
import type { Values } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Failed, Skeleton } from "../../ui/state.tsx";
import { say } from "../../ui/toast.tsx";
import { poolOf, sectionsOf, startOf, termsOf } from "./fields.ts";

const useFilterNames = () =>
  useQuery({
    queryKey: ["GetFilterSets", "names"],
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const found = await wholeList(
        async (asked) => {
          const a = await listFilterSets(asked, { signal });
          return { ids: a.filterSetIds, next: a.nextCursor };
        },
        async (filterSetIds) => (await getFilterSets({ filterSetIds }, { signal })).filterSets,
      );
      return found.map((f) => [show(f.id), f.name ?? ""] as const).sort((a, b) => a[1].localeCompare(b[1]));
    },
  });

export default function ContractEditor({ id = "" }: { id?: string }) {
  const query = useCall(getContract, { contractId: read(id) }, { enabled: id !== "", staleTime: Infinity });
  const filters = useFilterNames();
  const pools = usePoolNames();
  const c = query.data?.contract;
  const back: [string, string] = id ? [`/contracts/${id}`, c?.name ?? "Contract"] : ["/contracts", "Contracts"];
  const failed = [query, filters, pools].find((q) => q.isLoadingError);
  return (
    <>
      <Head
        title={id ? `Edit ${c?.name ?? ""}` : "New contract"}
        back={back}
        note={id ? "Changes apply from the engine's next pass." : "It is a draft first, and does nothing until you activate it."}
      />
      {failed ? (
        <Failed error={failed.error} again={failed.refetch} />
      ) : (id && !c) || !filters.data || !pools.data ? (
        <Skeleton lines={10} />
      ) : (
        <Editor c={c} filters={filters.data} pools={[...pools.data].map(([key, p]) => [key, p.name ?? ""] as const)} />
      )}
    </>
  );
}
function Editor({
  c,
  filters,
  pools,
}: {
  c: Contract | undefined;
  filters: readonly (readonly [string, string])[];
  pools: readonly (readonly [string, string])[];
}) {
  const [, go] = useLocation();
  const editing = !c ? "new" : c.status === ContractStatus.DRAFT ? "draft" : "live";
  const save = async (v: Values) => {
    const terms = termsOf(v);
    let id: Uint8Array | undefined;
    if (!c) id = (await createContract({ ...terms, poolId: poolOf(v) })).contract?.id;
    else {
      const pool = editing === "draft" ? { poolId: poolOf(v) } : {};
      const times = editing === "draft" ? (terms.startsAt ? {} : { startsAtActivation: true }) : { startsAt: undefined };
      await updateContract({
        contractId: c.id!,
        expectedVersion: c.version,
        ...terms,
        ...pool,
        ...times,
        ...(terms.endsAt ? {} : { neverEnds: true }),
        ...(terms.marketplaces.length ? {} : { everyMarketplace: true }),
        ...(terms.priceReference ? {} : { noPriceReference: true }),
      });
      id = c.id;
    }
    queries.removeQueries({ queryKey: ["GetContract"] });
    await refresh("ListContracts", "CountContracts", "GetContracts", "ListContractVersions");
    say(c ? "Saved." : "The draft is kept.");
    go(`/contracts/${show(id)}`);
  };
  return (
    <Form
      start={startOf(c)}
      sections={(v) => sectionsOf(v, filters, pools, editing)}
      save={save}
      label={c ? "Save" : "Keep the draft"}
      aside={(v) => <Summary v={v} />}
    />
  );
}
/** What was typed, as a sentence. */
function Summary({ v }: { v: Values }) {
  const quantity = parseWhole(v.quantity ?? ""),
    max = parseCents(v.max ?? ""),
    budget = parseCents(v.budget ?? ""),
    floor = parseCents(v.floor ?? "");
  const buys = v.type !== "2";
  return (
    <Card title="In words">
      <div className="prose">
        {buys ? (
          <p>
            Buys {quantity ? <b>{count(quantity)}</b> : "…"} items for at most {max ? <b>{money(max)}</b> : "…"} each, fee included, and
            spends at most {budget ? <b>{money(budget)}</b> : "…"} in all.
          </p>
        ) : (
          <p>Puts items on sale, never below {floor ? <b>{money(floor)}</b> : "…"}.</p>
        )}
        {buys && quantity && max && budget && max * BigInt(quantity) > budget ? (
          <p>
            The budget is enough for {count(budget / max)} items at the highest price, not for all {count(quantity)}.
          </p>
        ) : null}
        {v.discount && <p>Only items that are offered {v.discount}% or more below their value.</p>}
        <p>
          {v.approval === "1"
            ? "It acts by itself."
            : v.approval === "3"
              ? "It decides and does nothing: a dry run."
              : "Each action waits for approval under Approvals."}
        </p>
      </div>
    </Card>
  );
}
