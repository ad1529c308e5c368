import { Link } from "wouter";
import { show } from "../../core/ids.ts";
import type { ImportRow } from "../../gen/trading/v1/import_pb.ts";
import { Facts } from "../../ui/card.tsx";
import { Notice } from "../../ui/state.tsx";
import { Badge } from "../../ui/status.tsx";
import { fieldName, isGiven, outcomeLook, reasonOf } from "./words.ts";

export function Outcome({ of }: { of: ImportRow }) {
  const [word, tone, shape] = outcomeLook(of.outcome);
  return (
    <Badge tone={tone} {...(shape ? { shape } : {})}>
      {word}
    </Badge>
  );
}
const missingOf = (r: ImportRow): string =>
  r.fields
    .filter((f) => !isGiven(f.value))
    .map((f) => fieldName(f.name))
    .join(", ");
/** A row with what was understood of it, and why it is not applied. Of a secret it says that it was given, or that it is missing. */
export const Row = ({ r }: { r: ImportRow }) => (
  <div className="stack">
    {r.reasons.map((why, n) => {
      const { what, next, detail } = reasonOf(why);
      return (
        <Notice key={n} tone="bad">
          <b>{what}</b> {next} {detail && <small>{detail}</small>}
        </Notice>
      );
    })}
    <Facts
      of={[
        ["Row", String(r.number ?? "–")],
        ["Outcome", <Outcome of={r} />],
        r.accountId?.length ? ["Account", <Link href={`/accounts/${show(r.accountId)}`}>Open the account</Link>] : undefined,
        r.inventoryItemId?.length ? ["Item", <Link href={`/items/${show(r.inventoryItemId)}`}>Open the item</Link>] : undefined,
        r.purchaseId?.length ? ["Purchase", <Link href={`/purchases/${show(r.purchaseId)}`}>Open the purchase</Link>] : undefined,
        ...r.fields.filter((f) => isGiven(f.value)).map((f): [string, string] => [fieldName(f.name), f.value ?? ""]),
        missingOf(r) ? ["Missing", <span className="muted">{missingOf(r)}</span>] : undefined,
      ]}
    />
  </div>
);
