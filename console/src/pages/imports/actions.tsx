import { several } from "../../core/format.ts";
import { applyImport, cancelImport } from "../../gen/trading/v1/import_calls.ts";
import { ImportStatus as S, type Import } from "../../gen/trading/v1/import_pb.ts";
import { Action } from "../../ui/action.tsx";
import { ACCOUNTS, HOLDINGS, IMPORTS, isHoldings, isOfItems, isOpen, isPurchases } from "./words.ts";

/** As long as the server works on one call: a thousand accounts are sealed one after the other. */
const PATIENCE = 29_000;
/** What an import that is not over allows. */
export function Actions({ i }: { i: Import }) {
  if (!isOpen(i)) return null;
  const rest = { importId: i.id!, expectedVersion: i.version };
  const begun = i.status === S.APPLYING;
  const rejected = i.rejected ?? 0;
  return (
    <>
      {(i.accepted ?? 0) > 0 && (
        <Action
          label={begun ? "Apply the rest" : "Apply"}
          icon="check"
          kind="primary"
          call={applyImport}
          title={begun ? "Apply the rest of the import?" : "Apply the import?"}
          confirm={begun ? "Apply the rest" : `Apply ${several(i.accepted ?? 0, "row", "rows")}`}
          done="Applied."
          old={[...IMPORTS, ...(isOfItems(i) ? HOLDINGS : ACCOUNTS)]}
          text={
            <>
              {isHoldings(i) ? (
                <p>
                  Each holding becomes an item with its purchase, as the rows say. What it cost counts as put in; a holding without a price
                  has an unknown cost.
                </p>
              ) : isPurchases(i) ? (
                <p>
                  Each purchase is recorded with its item, as the rows say. What it cost counts as put in on the day of the purchase, and
                  the profit or loss of its sale on the day of the sale.
                </p>
              ) : isOfItems(i) ? (
                <p>
                  Each item becomes settled with its sale, as the rows say. Its profit or loss counts on the day of the sale, and what it
                  brought counts as taken out.
                </p>
              ) : (
                <p>
                  The accounts are created or updated as the rows say, and their secrets are sealed. Each new one is signed in and checked
                  before it trades.
                </p>
              )}
              {rejected > 0 && (
                <p>
                  {rejected === 1 ? "The row that was refused is" : `The ${several(rejected, "row", "rows")} that were refused are`} left
                  out.
                </p>
              )}
            </>
          }
          run={async () => void (await applyImport(rest, { timeoutMs: PATIENCE }))}
        />
      )}
      <Action
        label="Cancel"
        kind="danger"
        danger
        call={cancelImport}
        title="Cancel the import?"
        confirm="Cancel the import"
        done="Cancelled."
        old={IMPORTS}
        text={
          <p>
            What it read is destroyed. {begun ? "Records that it has created or updated stay." : "No record is created."} To import the
            files later, begin again.
          </p>
        }
        run={async () => void (await cancelImport(rest))}
      />
    </>
  );
}
