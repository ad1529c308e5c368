import { useQuery } from "@tanstack/react-query";
import { useAccountChoices } from "../../core/accounts.ts";
import { decimal, money, parseCents } from "../../core/format.ts";
import { read } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import { wholeList } from "../../core/whole.ts";
import { writeOffItem } from "../../gen/contracts/v1/inventory_item_calls.ts";
import { InventoryItemStatus as I, type InventoryItem } from "../../gen/contracts/v1/inventory_item_pb.ts";
import { delistItem, listItemForSale, repriceItem, transferItem } from "../../gen/contracts/v1/intent_calls.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { estimateSale, getProviders, listProviders } from "../../gen/markets/v1/provider_calls.ts";
import { ProviderCapability as C, ProviderKind } from "../../gen/markets/v1/provider_pb.ts";
import { getAccounts, listAccounts } from "../../gen/trading/v1/account_calls.ts";
import { AccountStatus } from "../../gen/trading/v1/account_pb.ts";
import { Action } from "../../ui/action.tsx";
import type { Spec } from "../../ui/field.tsx";
import { HOLD, OFFERS } from "../offers/words.ts";
import { useProblemsOf } from "../problems/problems-of.tsx";
import { AskContract } from "./ask-contract.tsx";
import { isLost, WITH_ACCOUNT } from "./words.ts";

const OLD = ["GetInventoryItem", "ListInventoryItems", "CountInventoryItems", "ListTransitions", "ListIntents", "CountIntents"];

export const MOVES =
  "The account that holds it sends a trade offer, which the other account accepts. No money moves. The game platform then keeps it from being traded for some days.";

/** The marketplaces at which items can be sold. */
export const useMarketplaces = () =>
  useQuery({
    queryKey: ["GetProviders", "selling"],
    staleTime: 60_000,
    enabled: may(listProviders),
    queryFn: async ({ signal }) => {
      const found = await wholeList(
        async (asked) => {
          const a = await listProviders({ kind: ProviderKind.MARKETPLACE, ...asked }, { signal });
          return { ids: a.providerIds, next: a.nextCursor };
        },
        async (providerIds) => (await getProviders({ providerIds }, { signal })).providers,
      );
      return found.filter((p) => p.enabled && p.capabilities.includes(C.SELL)).map((p) => p.name ?? "");
    },
  });

/** The names of the accounts that the platform has banned: what they hold is lost. */
const useBanned = (enabled: boolean) =>
  useQuery({
    queryKey: ["CountAccounts", "banned"],
    staleTime: 60_000,
    enabled: enabled && may(listAccounts),
    queryFn: async ({ signal }) => {
      const found = await wholeList(
        async (asked) => {
          const a = await listAccounts({ status: AccountStatus.BANNED, ...asked }, { signal });
          return { ids: a.accountIds, next: a.nextCursor };
        },
        async (accountIds) => (await getAccounts({ accountIds }, { signal })).accounts,
      );
      return new Set(found.map((a) => a.name));
    },
  });

/** What would come in after the marketplace's fee, while a price is typed. */
function Net({ item, marketplace, price }: { item: InventoryItem; marketplace: string; price: string }) {
  const cents = parseCents(price);
  const net = useQuery({
    queryKey: ["EstimateSale", item.marketHashName, marketplace, price],
    enabled: Boolean(cents && cents > 0n && marketplace) && may(estimateSale),
    retry: false,
    queryFn: ({ signal }) => estimateSale({ inventoryItemId: item.id!, marketplace, priceCents: cents! }, { signal }),
  });
  if (!net.data) return <>{net.isError ? "The marketplace's fee is not known." : "What comes in after the fee appears here."}</>;
  const left = (net.data.netCents ?? 0n) - (item.buyPriceCents ?? 0n);
  return (
    <>
      {money(net.data.feeCents)} fee, {money(net.data.netCents)} comes in: {money(left, true)} against the price it was bought for.
    </>
  );
}

export function ItemActions({ item }: { item: InventoryItem }) {
  const places = useMarketplaces();
  const { accounts } = useAccountChoices();
  const others = accounts.filter(([, name]) => name !== item.accountName);
  const inventoryItemId = item.id!;
  const s = item.status ?? I.UNSPECIFIED;
  const banned = useBanned(may(writeOffItem) && WITH_ACCOUNT.includes(s));
  const problems = useProblemsOf(T.INVENTORY_ITEM, inventoryItemId);
  const names = places.data ?? [];
  const price = (marketplace?: string): Spec => ({
    name: "price",
    label: "Price",
    kind: "money",
    required: true,
    wide: true,
    check: (v) => (parseCents(v) === 0n ? "The price has to be more than nothing." : undefined),
    hint: (v) => <Net item={item} marketplace={marketplace ?? v.market ?? ""} price={v.price ?? ""} />,
  });
  return (
    <>
      {s === I.IN_INVENTORY && (
        <Action
          label="Sell"
          icon="listing"
          kind="primary"
          call={listItemForSale}
          title={`Sell ${item.marketHashName}`}
          confirm="Put on sale"
          done="A proposal to sell it was made."
          old={OLD}
          start={{ market: names[0] ?? "" }}
          fields={[
            names.length
              ? { name: "market", label: "Marketplace", kind: "select", wide: true, options: names.map((n) => [n, n]) }
              : { name: "market", label: "Marketplace", required: true, wide: true },
            price(),
          ]}
          run={async (v) => void (await listItemForSale({ inventoryItemId, marketplace: v.market!, priceCents: parseCents(v.price!)! }))}
        />
      )}
      {s === I.IN_INVENTORY && others.length > 0 && (
        <Action
          label="Move"
          call={transferItem}
          title={`Move ${item.marketHashName} to another account`}
          confirm="Move it"
          done="A trade offer to the other account was asked for."
          old={[...OLD, ...OFFERS]}
          text={<p>{MOVES}</p>}
          start={{ account: others[0]![0] }}
          fields={[{ name: "account", label: "To", kind: "select", wide: true, options: others }, HOLD]}
          run={async (v) => void (await transferItem({ inventoryItemId, accountId: read(v.account!), acceptHold: v.hold === "yes" }))}
        />
      )}
      {(s === I.IN_INVENTORY || s === I.LISTED) && <AskContract item={item} places={names} />}
      {s === I.LISTED && (
        <Action
          label="Change the price"
          kind="primary"
          call={repriceItem}
          title="Change the price"
          confirm="Change the price"
          done="A proposal to change the price was made."
          old={OLD}
          text={
            <p>
              Now {money(item.listPriceCents)} at {item.saleMarketplace}.
            </p>
          }
          start={{ price: item.listPriceCents === undefined ? "" : decimal(item.listPriceCents) }}
          fields={[price(item.saleMarketplace ?? "")]}
          run={async (v) => void (await repriceItem({ inventoryItemId, priceCents: parseCents(v.price!)! }))}
        />
      )}
      {s === I.LISTED && (
        <Action
          label="Delist"
          call={delistItem}
          title="Take it off sale?"
          text={<p>It stays in the inventory. A selling contract may put it on sale again.</p>}
          confirm="Delist"
          done="A proposal to delist it was made."
          old={OLD}
          run={async () => void (await delistItem({ inventoryItemId }))}
        />
      )}
      {isLost(s, problems.data ?? [], Boolean(banned.data?.has(item.accountName))) && (
        <Action
          label="Write off"
          kind="danger"
          danger
          call={writeOffItem}
          title="Write this item off?"
          confirm={`Write off ${money(item.buyPriceCents)}`}
          done="Written off."
          old={[...OLD, "CountRemediations"]}
          text={
            <p>Its cost of {money(item.buyPriceCents)} is booked as lost, and the item is no longer searched for. This cannot be undone.</p>
          }
          fields={[{ name: "reason", label: "Reason", required: true, wide: true, max: 200, hint: "The audit log keeps it." }]}
          run={async (v) => void (await writeOffItem({ inventoryItemId, reason: v.reason!.trim(), expectedVersion: item.version }))}
        />
      )}
    </>
  );
}
