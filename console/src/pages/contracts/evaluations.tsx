import { useState } from "react";
import { count, decimal, iso, money, percent, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { useRecords } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { getEvaluations, listEvaluations } from "../../gen/contracts/v1/evaluation_calls.ts";
import { EvaluationDecision as D, type Evaluation } from "../../gen/contracts/v1/evaluation_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Chip } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { ClearFilters, FilterText, numbersOf, useFilters } from "../../ui/filters.tsx";
import { ContractLink } from "../../ui/refs.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Empty, Failed, Skeleton } from "../../ui/state.tsx";
import { Status, wordOf } from "../../ui/status.tsx";
import { Reasons } from "./reasons.tsx";
import { RULES } from "./words.ts";

const CHOICES = [
  { id: "", name: "All" },
  { id: "BUY", name: "Buy" },
  { id: "SKIP", name: "Skip" },
  { id: "SELL", name: "Sell" },
  { id: "HOLD", name: "Hold" },
];
const FILTERS = ["decision", "listing"];
const stopper = (e: Evaluation) => e.reasons.find((r) => !r.passed)?.code;

const amount = (cents: bigint | undefined) => (cents === undefined ? "" : decimal(cents));
const fileOf = (nameOf: (e: Evaluation) => string) => [
  { head: "Time", text: (e: Evaluation) => iso(e.createdAt) },
  { head: "Item", text: nameOf },
  { head: "Marketplace", text: (e: Evaluation) => e.marketplace ?? "" },
  { head: "Listing", text: (e: Evaluation) => e.listingId ?? "" },
  { head: "Decision", text: (e: Evaluation) => wordOf(D[e.decision ?? 0]) },
  { head: "Not met", text: (e: Evaluation) => stopper(e) ?? "" },
  { head: "Price", text: (e: Evaluation) => amount(e.priceCents ?? e.askingPriceCents) },
  { head: "Value", text: (e: Evaluation) => amount(e.fairValueCents) },
  { head: "Cost with fee", text: (e: Evaluation) => amount(e.allInCostCents) },
  { head: "Expected", text: (e: Evaluation) => amount(e.expectedNetCents) },
];

/** What the contract decided lately, and why: each rule with what it found. Without a contract, what all of them decided. */
export function Evaluations({ contractId }: { contractId?: Uint8Array }) {
  const filters = useFilters(FILTERS);
  const decision = numbersOf<D>(D, filters.of("decision"))[0] ?? D.UNSPECIFIED;
  const listingId = filters.of("listing");
  const [open, setOpen] = useState("");
  const list = useRecords<Evaluation>({
    name: "ListEvaluations",
    filter: [show(contractId), decision, listingId],
    list: async (cursor, signal) => {
      const of = contractId ? { contractId } : {};
      const a = await listEvaluations({ ...of, decision, listingId, limit: 30, cursor }, { signal });
      return { ids: a.evaluationIds, next: a.nextCursor };
    },
    get: async (evaluationIds, signal) => (await getEvaluations({ evaluationIds }, { signal })).evaluations,
  });
  const names = useSubjectNames(
    list.rows.flatMap((e) => [
      { subjectType: T.CONTRACT, subjectId: contractId ? undefined : e.contractId },
      { subjectType: T.INVENTORY_ITEM, subjectId: e.marketHashName ? undefined : e.inventoryItemId },
    ]),
  );
  const nameOf = (e: Evaluation) => e.marketHashName || names.get(show(e.inventoryItemId))?.name || "";
  return (
    <Card
      title="Decisions"
      note="The newest first; open one to see every rule"
      flush
      extra={
        <>
          <Segments label="Decision" choices={CHOICES} chosen={filters.of("decision")} choose={(d) => filters.set("decision", d)} />
          <SaveRows name="decisions" columns={fileOf(nameOf)} of={list} />
        </>
      }
    >
      <div className="body row">
        <FilterText label="Listing" name="listing" filters={filters} seen={list.rows.map((e) => e.listingId ?? "")} />
        <ClearFilters filters={filters} />
      </div>
      {list.query.isError ? (
        <div className="body">
          <Failed error={list.query.error} again={list.query.refetch} />
        </div>
      ) : list.query.isPending ? (
        <div className="body">
          <Skeleton lines={8} />
        </div>
      ) : list.rows.length === 0 ? (
        <Empty icon="contracts" title={filters.any ? "No decision is like that." : "No decision is kept."}>
          <p>
            An active contract looks at every listing that its marketplaces show, and writes down what it decides. What led to nothing is
            kept for 7 days.
          </p>
        </Empty>
      ) : (
        <ol className="decisions">
          {list.rows.map((e) => {
            const id = show(e.id),
              isOpen = open === id,
              why = stopper(e);
            return (
              <li key={id}>
                <button type="button" aria-expanded={isOpen} onClick={() => setOpen(isOpen ? "" : id)}>
                  <Chip name={nameOf(e)} />
                  <span className="what">
                    <span>{nameOf(e) || "An item"}</span>
                    <small>
                      {!contractId && `${names.get(show(e.contractId))?.name ?? "A contract"}: `}
                      {why ? `${RULES[why]?.[0] ?? why}: not met` : "every rule met"} · {when(e.createdAt)}
                    </small>
                  </span>
                  <span className="num">{money(e.priceCents ?? e.askingPriceCents)}</span>
                  <Status name={D[e.decision ?? 0]} />
                </button>
                {isOpen && (
                  <div className="body">
                    <p className="muted num">
                      {when(e.createdAt)}. Value {money(e.fairValueCents)}, confidence {percent(e.confidenceBps)}, cost with fee{" "}
                      {money(e.allInCostCents)}, expected {money(e.expectedNetCents)} ({percent(e.expectedMarginBps)})
                    </p>
                    <p className="muted">
                      {!contractId && (
                        <>
                          By <ContractLink id={e.contractId} />.{" "}
                        </>
                      )}
                      {e.listingId && (
                        <>
                          Listing <span className="mono">{e.listingId}</span> at {e.marketplace}.
                        </>
                      )}
                    </p>
                    <Reasons of={e} />
                  </div>
                )}
              </li>
            );
          })}
        </ol>
      )}
      {!list.complete && (
        <div className="body">
          <Button onPress={list.more} isPending={list.loadingMore}>
            Show earlier
          </Button>{" "}
          <span className="muted">{count(list.rows.length)} shown</span>
        </div>
      )}
    </Card>
  );
}
