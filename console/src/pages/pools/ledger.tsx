import { useState } from "react";
import { show } from "../../core/ids.ts";
import { may, useRecords } from "../../core/queries.ts";
import { getLedgerEntries, listLedgerEntries } from "../../gen/contracts/v1/ledger_calls.ts";
import { LedgerAccount as A, type LedgerEntry } from "../../gen/contracts/v1/ledger_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Cut } from "../../ui/cut.tsx";
import { Empty, Failed, Skeleton } from "../../ui/state.tsx";
import { ACCOUNTS, LedgerRows, LEGS, legsOf } from "./ledger-rows.tsx";

const CHOICES = Array.from({ length: A.CAPITAL + 1 }, (_, i) => i as A);
/** Every entry, the newest first: each sums to zero. */
export function Ledger({ poolId }: { poolId?: Uint8Array }) {
  const [account, setAccount] = useState<A>(A.UNSPECIFIED);
  const list = useRecords<LedgerEntry>({
    name: "ListLedgerEntries",
    filter: [show(poolId), account],
    enabled: may(listLedgerEntries),
    list: async (cursor, signal) => {
      const a = await listLedgerEntries({ account, poolId: poolId ?? new Uint8Array(), limit: 50, cursor }, { signal });
      return { ids: a.ledgerEntryIds, next: a.nextCursor };
    },
    get: async (ledgerEntryIds, signal) => (await getLedgerEntries({ ledgerEntryIds }, { signal })).ledgerEntries,
  });
  if (!may(listLedgerEntries)) return null;
  return (
    <Card
      title="Ledger"
      note="Each entry sums to zero: what goes out of one place goes into another"
      flush
      extra={
        <>
          <span className="field">
            <select aria-label="Account of the ledger" value={account} onChange={(e) => setAccount(Number(e.target.value) as A)}>
              {CHOICES.map((a) => (
                <option key={a} value={a}>
                  {ACCOUNTS[a]}
                </option>
              ))}
            </select>
          </span>
          <SaveRows
            name="ledger"
            columns={LEGS}
            of={{
              rows: legsOf(list.rows),
              complete: list.complete,
              cut: list.cut,
              page: async (cursor, signal) => {
                const p = await list.page(cursor, signal);
                return { rows: legsOf(p.rows), next: p.next };
              },
            }}
          />
        </>
      }
    >
      {list.query.isError ? (
        <div className="body">
          <Failed error={list.query.error} again={list.query.refetch} />
        </div>
      ) : list.query.isPending ? (
        <div className="body">
          <Skeleton lines={8} />
        </div>
      ) : list.rows.length === 0 ? (
        <Empty icon="pools" title="No entry is booked here yet." />
      ) : (
        <LedgerRows entries={list.rows} />
      )}
      <Cut of={list} />
      {!list.complete && (
        <div className="body">
          <Button onPress={list.more} isPending={list.loadingMore}>
            Show earlier
          </Button>
        </div>
      )}
    </Card>
  );
}
