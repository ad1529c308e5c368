import { decimal, iso, money, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { LedgerAccount as A, LedgerPosting as L, type LedgerEntry, type LedgerLeg } from "../../gen/contracts/v1/ledger_pb.ts";
import { Ref } from "../../ui/refs.tsx";
import { useBelow } from "../../ui/table.tsx";

export const POSTINGS: Record<L, string> = {
  [L.UNSPECIFIED]: "Entry",
  [L.RESERVED]: "Reserved",
  [L.RELEASED]: "Released",
  [L.PAID]: "Paid",
  [L.REFUND_DUE]: "Refund due",
  [L.REFUNDED]: "Refunded",
  [L.RECEIVED]: "Item received",
  [L.REVERTED]: "Trade reversed",
  [L.PURCHASE_WRITTEN_OFF]: "Purchase written off",
  [L.DELIVERED]: "Delivered to buyer",
  [L.SALE_REVERSED]: "Sale reversed",
  [L.SALE_SETTLED]: "Sale final",
  [L.ITEM_WRITTEN_OFF]: "Item written off",
  [L.FUNDS_ADJUSTED]: "Funds adjusted",
  [L.PAID_OUT]: "Paid out",
  [L.IMPORTED]: "Item imported",
};
export const ACCOUNTS: Record<A, string> = {
  [A.UNSPECIFIED]: "All accounts",
  [A.AVAILABLE]: "Free to spend",
  [A.RESERVED]: "Reserved",
  [A.PAID_IN_TRANSIT]: "Paid, not delivered",
  [A.REFUND_DUE]: "Refunds due",
  [A.INVENTORY_AT_COST]: "Items held",
  [A.DELIVERED_AT_COST]: "Delivered to buyers",
  [A.RECEIVABLE]: "To be paid out",
  [A.FEES]: "Fees",
  [A.REALISED_PNL]: "Realised profit",
  [A.WRITE_OFFS]: "Write-offs",
  [A.CAPITAL]: "Capital",
};

interface Row {
  id: Uint8Array | undefined;
  entry: LedgerEntry;
  leg: LedgerLeg;
}
/** A line of a file for each leg of each entry. */
export const legsOf = (entries: readonly LedgerEntry[]): Row[] =>
  entries.flatMap((entry) => entry.legs.map((leg) => ({ id: entry.id, entry, leg })));
export const LEGS = [
  { head: "Booked", text: (r: Row) => iso(r.entry.createdAt) },
  { head: "Entry", text: (r: Row) => POSTINGS[r.entry.posting ?? 0] },
  { head: "Item", text: (r: Row) => r.entry.marketHashName ?? "" },
  { head: "Account", text: (r: Row) => ACCOUNTS[r.leg.account ?? 0] },
  { head: "Amount", text: (r: Row) => decimal(r.leg.amountCents ?? 0n) },
  { head: "Reason", text: (r: Row) => r.entry.reason ?? "" },
];

/** The item or the purchase of an entry. */
const Of = ({ entry: e }: { entry: LedgerEntry }) =>
  e.inventoryItemId?.length ? (
    <Ref to="/items" id={e.inventoryItemId} name={e.marketHashName || "Item"} />
  ) : e.purchaseId?.length ? (
    <Ref to="/purchases" id={e.purchaseId} name={e.marketHashName || "Purchase"} />
  ) : (
    <span className="muted">–</span>
  );

/** Entries with their legs: each sums to zero. Where the page is narrow, an entry has its legs below it. */
export function LedgerRows({ entries, narrow: forced }: { entries: readonly LedgerEntry[]; narrow?: boolean }) {
  const narrow = useBelow("lg") || forced;
  if (narrow) {
    return (
      <ol className="feed" aria-label="Ledger entries" tabIndex={0}>
        {entries.map((e) => (
          <li key={show(e.id)} className="entry">
            <span className="what">
              <b>{POSTINGS[e.posting ?? 0]}</b>
              <small>
                {when(e.createdAt)}
                {e.reason && `, ${e.reason}`}
              </small>
            </span>
            <Of entry={e} />
            <span className="num">
              {e.legs.map((l, n) => (
                <span key={n} className="leg">
                  <span className="muted">{ACCOUNTS[l.account ?? 0]}</span> {money(l.amountCents, true)}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
    );
  }
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Ledger entries">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Entry</th>
            <th scope="col">Of</th>
            <th scope="col">Moves</th>
            <th scope="col">Reason</th>
            <th scope="col" className="end">
              Booked
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((e) => (
            <tr key={show(e.id)}>
              <th scope="row" className="tight">
                {POSTINGS[e.posting ?? 0]}
              </th>
              <td>
                <Of entry={e} />
              </td>
              <td>
                <ul className="legs">
                  {e.legs.map((l, n) => (
                    <li key={n}>
                      <span className="muted">{ACCOUNTS[l.account ?? 0]}</span> <span className="num">{money(l.amountCents, true)}</span>
                    </li>
                  ))}
                </ul>
              </td>
              <td className="muted">{e.reason || "–"}</td>
              <td className="end num muted tight">{when(e.createdAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
