import { useQuery } from "@tanstack/react-query";
import { read, show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import { trouble } from "../../core/trouble.ts";
import { wholeList } from "../../core/whole.ts";
import { findInventoryItemByAssetID, getInventoryItems, listInventoryItems } from "../../gen/contracts/v1/inventory_item_calls.ts";
import { ignoreInventoryChange, matchInventoryChange } from "../../gen/trading/v1/inventory_change_calls.ts";
import { InventoryChangeKind as K, type InventoryChange } from "../../gen/trading/v1/inventory_change_pb.ts";
import { Action } from "../../ui/action.tsx";
import { WHY } from "./bulk.tsx";
import { fieldsOf, likeliest, startOf } from "./match.ts";
import { CHANGES, isOpen } from "./words.ts";

/** The items of the account that have the change's name. */
const useCandidates = (c: InventoryChange, accountName: string) =>
  useQuery({
    queryKey: ["ListInventoryItems", "candidates", show(c.id), accountName],
    enabled: isOpen(c) && accountName !== "" && may(listInventoryItems),
    queryFn: ({ signal }) =>
      wholeList(
        async (asked) => {
          const a = await listInventoryItems({ marketHashName: c.marketHashName ?? "", accountName, ...asked }, { signal });
          return { ids: a.inventoryItemIds, next: a.nextCursor };
        },
        async (inventoryItemIds) => (await getInventoryItems({ inventoryItemIds }, { signal })).inventoryItems,
      ),
  });
async function itemOf(assetId: string): Promise<Uint8Array> {
  try {
    return (await findInventoryItemByAssetID({ assetId })).inventoryItemId ?? new Uint8Array();
  } catch (e) {
    throw trouble(e).missing ? new Error(`No record has, or had, the asset id ${assetId}`) : e;
  }
}
/** What an open change allows. One that is closed needs nothing. */
export function Actions({ c, accountName }: { c: InventoryChange; accountName: string }) {
  const candidates = useCandidates(c, accountName);
  if (!isOpen(c)) return null;
  const items = likeliest(candidates.data ?? [], c);
  // The window has the items as its choices, so it is offered once they are known.
  const isReady = candidates.isFetched || !may(listInventoryItems);
  const rest = { inventoryChangeId: c.id!, expectedVersion: c.version };
  return (
    <>
      {isReady && (
        <Action
          key={items.map((i) => show(i.id)).join()}
          label="Match to an item"
          icon="link"
          kind="primary"
          call={matchInventoryChange}
          title="Which item is it?"
          confirm="Match"
          done="Matched."
          old={CHANGES}
          wide
          text={
            <p>
              {c.kind === K.DISAPPEARED
                ? "The change is closed with the item that you choose. The item's own record stays as it is."
                : "The item that you choose has this asset id from now on. One that was missing is found by it."}
            </p>
          }
          start={startOf(items, c)}
          fields={fieldsOf(items)}
          run={async (v) =>
            void (await matchInventoryChange({ ...rest, inventoryItemId: v.item ? read(v.item) : await itemOf(v.asset!.trim()) }))
          }
        />
      )}
      <Action
        label="Ignore"
        call={ignoreInventoryChange}
        title="Ignore this change?"
        confirm="Ignore it"
        done="Ignored."
        old={CHANGES}
        text={<p>It is closed with your reason. No record is changed, and an item without a record is not sold. This cannot be undone.</p>}
        fields={[WHY]}
        run={async (v) => void (await ignoreInventoryChange({ ...rest, reason: v.reason!.trim() }))}
      />
    </>
  );
}
