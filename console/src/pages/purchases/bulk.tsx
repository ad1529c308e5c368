import { cancelPurchase, reconcilePurchase } from "../../gen/contracts/v1/purchase_calls.ts";
import { PurchaseStatus as P, type Purchase } from "../../gen/contracts/v1/purchase_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";
import { over } from "./words.ts";

const old = ["GetPurchase", "GetPurchases", "ListPurchases", "CountPurchases", "GetPoolBalance", "GetCapital"];
export const BULK: readonly BulkAction<Purchase>[] = [
  {
    label: "Reconcile",
    call: reconcilePurchase,
    can: (p) => !over(p.status),
    text: <p>Asks the marketplace and the platform for the outcome of each, and takes the steps that they show.</p>,
    run: (p, _v, key) => reconcilePurchase({ purchaseId: p.id! }, { key }),
    old,
  },
  {
    label: "Cancel",
    danger: true,
    call: cancelPurchase,
    can: (p) => p.status === P.PENDING,
    text: <p>They were not sent yet. The money that they reserved is free again.</p>,
    fields: [{ name: "reason", label: "Reason", wide: true, max: 200 }],
    run: (p, v, key) =>
      cancelPurchase({ purchaseId: p.id!, expectedVersion: p.version, ...(v.reason ? { reason: v.reason } : {}) }, { key }),
    old,
  },
];
