import { Link } from "wouter";
import { when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { may, useCall } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { getInventoryChange, ignoreInventoryChange } from "../../gen/trading/v1/inventory_change_calls.ts";
import { InventoryChangeKind as K, InventoryChangeStatus as S, type InventoryChange } from "../../gen/trading/v1/inventory_change_pb.ts";
import { compareSnapshots, getSnapshots } from "../../gen/trading/v1/snapshot_calls.ts";
import { getTrade } from "../../gen/trading/v1/trade_offer_calls.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card, Chip, Facts, Head } from "../../ui/card.tsx";
import { History } from "../../ui/history.tsx";
import { Failed, Skeleton } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { TradeCard } from "../offers/trade-card.tsx";
import { ProblemsOf } from "../problems/problems-of.tsx";
import { Kind } from "../snapshots/kind.tsx";
import { contextName, sentenceOf, sidesOf, timeOf } from "../snapshots/words.ts";
import { Actions } from "./actions.tsx";
import { explanationOf, isOpen, NEXT } from "./words.ts";

const BACK: [string, string] = ["/changes", "Inventory changes"];
export default function ChangeDetail({ id = "" }: { id?: string }) {
  const inventoryChangeId = read(id);
  const query = useCall(getInventoryChange, { inventoryChangeId });
  const c = query.data?.inventoryChange;
  const names = useSubjectNames(
    c
      ? [
          { subjectType: T.ACCOUNT, subjectId: c.accountId },
          { subjectType: T.INVENTORY_ITEM, subjectId: c.inventoryItemId },
        ]
      : [],
  );
  if (query.isError || !c)
    return (
      <>
        <Head title="Inventory change" back={BACK} />
        {query.isError ? <Failed error={query.error} again={query.refetch} /> : <Skeleton lines={8} />}
      </>
    );
  const accountName = names.get(show(c.accountId))?.name ?? "";
  return (
    <>
      <Head
        title={c.marketHashName || "Inventory change"}
        back={BACK}
        mark={<Chip big name={c.marketHashName ?? ""} />}
        note={
          <>
            <Status name={S[c.status ?? 0]} /> <Kind kind={c.kind} /> {accountName && `in the inventory of ${accountName}`}
          </>
        }
      >
        <Actions c={c} accountName={accountName} />
      </Head>
      <div className="split">
        <div className="stack">
          <ProblemsOf type={T.INVENTORY_CHANGE} id={inventoryChangeId} />
          <What c={c} />
          <Explained c={c} item={names.get(show(c.inventoryItemId))?.name} />
          {c.tradeId && may(getTrade) && <TradeCard tradeId={c.tradeId} />}
          <History type={T.INVENTORY_CHANGE} id={inventoryChangeId} />
        </div>
        <div className="stack">
          <Between c={c} />
          <Record c={c} accountName={accountName} />
        </div>
      </div>
    </>
  );
}
const What = ({ c }: { c: InventoryChange }) => {
  const { before, after } = sidesOf(c);
  return (
    <Card title="What changed">
      <div className="stack">
        <div className="prose">
          <p>{sentenceOf(c)}</p>
        </div>
        <dl className="evidence">
          {[
            ["Before", before ?? "not in the inventory"],
            ["After", after ?? "not in the inventory"],
          ].map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className={c.kind === K.ASSET_ID_CHANGED ? "mono" : ""}>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Card>
  );
};
/** What explains it; of an open one what a person can do. */
const Explained = ({ c, item }: { c: InventoryChange; item: string | undefined }) => (
  <Card title={isOpen(c) ? "What to do" : "What explains it"}>
    <div className="stack">
      <div className="prose">
        <p>
          {explanationOf(c)}{" "}
          {isOpen(c) && (may(ignoreInventoryChange) ? NEXT[c.kind ?? K.UNSPECIFIED] : "A member who may trade decides about it.")}
        </p>
      </div>
      {Boolean(c.inventoryItemId?.length) && (
        <Facts
          of={[
            [
              isOpen(c) ? "The record with this asset id" : "Its record",
              <Link href={`/items/${show(c.inventoryItemId)}`}>{item || "The item"}</Link>,
            ],
          ]}
        />
      )}
    </div>
  </Card>
);
/** The two snapshots. Old ones are deleted, and then only their time is lost, not the change. */
function Between({ c }: { c: InventoryChange }) {
  const ids = [c.fromSnapshotId, c.toSnapshotId].filter((id): id is Uint8Array<ArrayBuffer> => Boolean(id?.length));
  const query = useCall(getSnapshots, { snapshotIds: ids }, { enabled: ids.length > 0 && may(getSnapshots) });
  const link = (id: Uint8Array | undefined) => {
    if (!query.data) return query.isLoading ? "…" : "–";
    const s = query.data.snapshots.find((one) => show(one.id) === show(id));
    return s ? <Link href={`/snapshots/${show(id)}`}>{when(timeOf(s))}</Link> : "deleted since";
  };
  const both = query.data?.snapshots.length === 2;
  return (
    <Card title="Between two snapshots">
      <div className="stack">
        <Facts
          of={[
            ["Earlier", link(c.fromSnapshotId)],
            ["Later", link(c.toSnapshotId)],
          ]}
        />
        {both && may(compareSnapshots) && (
          <p className="row">
            <LinkButton href={`/snapshots/${show(c.toSnapshotId)}?view=compare&with=${show(c.fromSnapshotId)}`}>Compare the two</LinkButton>
          </p>
        )}
      </div>
    </Card>
  );
}
const Record = ({ c, accountName }: { c: InventoryChange; accountName: string }) => (
  <Card title="Record">
    <Facts
      of={[
        ["Account", <Link href={`/accounts/${show(c.accountId)}`}>{accountName || "The account"}</Link>],
        ["Asset id", <span className="mono">{c.assetId}</span>],
        c.newAssetId ? ["Asset id now", <span className="mono">{c.newAssetId}</span>] : undefined,
        ["Where", contextName(c.newContextId ?? c.contextId)],
        c.floatValue ? ["Wear", <span className="mono">{c.floatValue}</span>] : undefined,
        c.paintSeed !== undefined && ["Seed", <span className="mono">{c.paintSeed}</span>],
        c.kind !== K.LOCK_CHANGED && c.lockedUntil && ["Locked", `until ${when(c.lockedUntil)}`],
        c.tradeId ? ["Trade", <span className="mono">{c.tradeId}</span>] : undefined,
        ["Recorded", when(c.createdAt)],
        ["Changed", when(c.updatedAt)],
        ["Version", String(c.version ?? "")],
        ["Id", <span className="mono">{show(c.id)}</span>],
      ]}
    />
  </Card>
);
