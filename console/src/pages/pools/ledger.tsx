import { useState } from "react";
import { decimal, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { may, useRecords } from "../../core/queries.ts";
import { getLedgerEntries, listLedgerEntries } from "../../gen/contracts/v1/ledger_calls.ts";
import { LedgerAccount as A, type LedgerEntry } from "../../gen/contracts/v1/ledger_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { csv, save } from "../../ui/copy.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Empty, Failed, Skeleton } from "../../ui/state.tsx";
import { ACCOUNTS, LedgerRows, POSTINGS } from "./ledger-rows.tsx";

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
  const file = () =>
    save(
      "ledger.csv",
      csv(
        ["booked", "entry", "item", "account", "amount", "reason"],
        list.rows.flatMap((e) =>
          e.legs.map((l) => [
            when(e.createdAt),
            POSTINGS[e.posting ?? 0],
            e.marketHashName ?? "",
            ACCOUNTS[l.account ?? 0],
            decimal(l.amountCents ?? 0n),
            e.reason ?? "",
          ]),
        ),
      ),
    );
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
          <Button onPress={file} isDisabled={list.rows.length === 0}>
            <Icon name="down" /> CSV
          </Button>
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
