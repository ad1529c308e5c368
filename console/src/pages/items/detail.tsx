import { Link } from "wouter";
import { money, toneOf, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { isAwaited, may, useCall } from "../../core/queries.ts";
import { getInventoryItem } from "../../gen/contracts/v1/inventory_item_calls.ts";
import { InventoryItemStatus as I, type InventoryItem } from "../../gen/contracts/v1/inventory_item_pb.ts";
import { Rarity } from "../../gen/contracts/v1/filter_set_pb.ts";
import { getItemProfitAndLoss } from "../../gen/contracts/v1/profit_and_loss_calls.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { getPrice } from "../../gen/markets/v1/pricing_calls.ts";
import { words } from "../../core/format.ts";
import { Card, Chip, Facts, Head, Money } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { History } from "../../ui/history.tsx";
import { ContractLink, Ref } from "../../ui/refs.tsx";
import { Failed, Loaded, Skeleton } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { ProblemsOf, useProblemsOf } from "../problems/problems-of.tsx";
import { hrefOf } from "../market/words.ts";
import { OffersOf } from "../offers/offers-of.tsx";
import { LedgerRows, LEGS, legsOf } from "../pools/ledger-rows.tsx";
import { ItemActions } from "./actions.tsx";
import { Chain, useChain } from "./chain.tsx";
import { LOCKS, MEANS } from "./words.ts";

export default function ItemDetail({ id = "" }: { id?: string }) {
  const inventoryItemId = read(id);
  const query = useCall(getInventoryItem, { inventoryItemId });
  // The cards appear together: one that came after the others would move them.
  const parts = [
    useChain(inventoryItemId),
    useCall(getItemProfitAndLoss, { inventoryItemId }),
    useProblemsOf(T.INVENTORY_ITEM, inventoryItemId),
  ];
  const i = parts.some(isAwaited) ? undefined : query.data?.inventoryItem;
  if (query.isError)
    return (
      <>
        <Head title="Item" back={["/items", "Inventory"]} />
        <Failed error={query.error} again={query.refetch} />
      </>
    );
  if (!i)
    return (
      <>
        <Head title="Item" back={["/items", "Inventory"]} mark={<Chip big name="" />} note="Loading" />
        <Skeleton lines={8} />
      </>
    );
  return (
    <>
      <Head
        title={i.marketHashName}
        back={["/items", "Inventory"]}
        mark={<Chip big name={i.marketHashName ?? ""} />}
        note={
          <>
            <Status name={I[i.status ?? 0]} /> {MEANS[i.status ?? 0]}
          </>
        }
      >
        <ItemActions item={i} />
      </Head>
      <div className="split">
        <div className="stack">
          <ProblemsOf type={T.INVENTORY_ITEM} id={inventoryItemId} />
          <Chain id={inventoryItemId} />
          <History type={T.INVENTORY_ITEM} id={inventoryItemId} />
          <OffersOf inventoryItemId={inventoryItemId} purchaseId={i.purchaseId} />
        </div>
        <div className="stack">
          <Brings item={i} />
          <Traits item={i} />
          <Card title="Record">
            <Facts
              of={[
                ["Asset id now", <span className="mono">{i.currentAssetId}</span>],
                ["Account", i.accountName],
                ["Contract", <ContractLink id={i.contractId} />],
                Boolean(i.sellingContractId?.length) && ["Sold by", <ContractLink id={i.sellingContractId} />],
                may(getPrice) && ["Market", <Link href={hrefOf(i)}>What it is worth, and why</Link>],
                ["Purchase", <Ref to="/purchases" id={i.purchaseId} name="How it was bought" />],
                i.saleMarketplace ? ["On sale at", i.saleMarketplace] : undefined,
                i.saleListingId ? ["Sale listing", <span className="mono">{i.saleListingId}</span>] : undefined,
                i.lockedUntil && [LOCKS[i.lockKind ?? 0] || "Locked", `until ${when(i.lockedUntil)}`],
                ["Received", when(i.createdAt)],
                i.soldAt && ["Sold", when(i.soldAt)],
                ["Version", String(i.version ?? "")],
                ["Id", <span className="mono">{show(i.id)}</span>],
              ]}
            />
          </Card>
          <Ledger item={i} />
        </div>
      </div>
    </>
  );
}

/** The last card of its column, because its height is not known before. */
function Ledger({ item }: { item: InventoryItem }) {
  const query = useCall(getItemProfitAndLoss, { inventoryItemId: item.id! });
  if (query.isLoadingError)
    return (
      <Card title="Ledger">
        <Failed error={query.error} again={query.refetch} />
      </Card>
    );
  const entries = query.data?.ledgerEntries ?? [];
  return entries.length > 0 ? (
    <Card title="Ledger" flush extra={<SaveRows name="item-ledger" columns={LEGS} rows={legsOf(entries)} />}>
      <LedgerRows entries={entries} narrow />
    </Card>
  ) : null;
}

function Brings({ item: i }: { item: InventoryItem }) {
  const query = useCall(getItemProfitAndLoss, { inventoryItemId: i.id! });
  return (
    <>
      <Card title="What it brings">
        <Loaded query={query} lines={6}>
          {(m) => {
            const unpriced = (m.unpricedCount ?? 0n) > 0n;
            const result = (m.realisedCents ?? 0n) + (m.pendingCents ?? 0n) + (m.unrealisedCents ?? 0n) - (m.writeOffsCents ?? 0n);
            return (
              <>
                <p className={`big ${unpriced ? "" : toneOf(result)}`}>{unpriced ? "No price" : money(result, true)}</p>
                <p className="muted">
                  {unpriced
                    ? "No source knows what it is worth now."
                    : (m.staleCount ?? 0n) > 0n
                      ? "By a price that is older than the rules allow."
                      : "Realised, pending and unrealised together."}
                </p>
                <br />
                <Facts
                  of={[
                    ["Bought for", <Money cents={i.buyPriceCents} />],
                    i.listPriceCents !== undefined && ["Asked", <Money cents={i.listPriceCents} />],
                    i.sellPriceCents !== undefined && ["Sold for", <Money cents={i.sellPriceCents} />],
                    i.saleFeeCents !== undefined && ["Fee of the sale", <Money cents={i.saleFeeCents} />],
                    ["Realised", <Money cents={m.realisedCents} signed />],
                    ["Pending", <Money cents={m.pendingCents} signed />],
                    ["Unrealised", unpriced ? "no price" : <Money cents={m.unrealisedCents} signed />],
                    (m.writeOffsCents ?? 0n) !== 0n && ["Written off", <Money cents={m.writeOffsCents} />],
                  ]}
                />
              </>
            );
          }}
        </Loaded>
      </Card>
    </>
  );
}

function Traits({ item: i }: { item: InventoryItem }) {
  const any =
    i.floatValue || i.paintSeed !== undefined || i.phase || i.rarity || i.stickers.length || i.charms.length || i.paintIndex !== undefined;
  if (!any) return null;
  return (
    <Card title="Traits">
      <Facts
        of={[
          i.floatValue ? ["Float", <span className="mono">{i.floatValue}</span>] : undefined,
          i.paintSeed !== undefined && ["Seed", <span className="mono">{i.paintSeed}</span>],
          i.paintIndex !== undefined && ["Finish", <span className="mono">{i.paintIndex}</span>],
          i.phase ? ["Phase", i.phase] : undefined,
          i.rarity ? ["Rarity", words(Rarity[i.rarity])] : undefined,
          i.stickers.length > 0 && [
            "Stickers",
            <ul className="tags">
              {i.stickers.map((s, n) => (
                <li key={n}>
                  {s.name}
                  {s.wear ? ` · ${s.wear}` : ""}
                </li>
              ))}
            </ul>,
          ],
          i.charms.length > 0 && [
            "Charms",
            <ul className="tags">
              {i.charms.map((c) => (
                <li key={c}>{c}</li>
              ))}
            </ul>,
          ],
        ]}
      />
    </Card>
  );
}
