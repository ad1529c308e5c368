import { InventoryChangeKind as K } from "../../gen/trading/v1/inventory_change_pb.ts";
import { Badge } from "../../ui/status.tsx";
import { KINDS } from "./words.ts";

type Look = [tone: "" | "gain" | "loss" | "warn" | "info", shape?: "ring" | "square"];
const LOOKS: Record<K, Look> = {
  [K.UNSPECIFIED]: [""],
  [K.APPEARED]: ["info"],
  [K.DISAPPEARED]: ["warn", "square"],
  [K.ASSET_ID_CHANGED]: [""],
  [K.CONTEXT_CHANGED]: [""],
  [K.LOCK_CHANGED]: ["", "ring"],
};
/** What changed: by tone, shape and word. */
export function Kind({ kind }: { kind: K | undefined }) {
  const [tone, shape] = LOOKS[kind ?? K.UNSPECIFIED];
  return (
    <Badge tone={tone} {...(shape ? { shape } : {})}>
      {KINDS[kind ?? K.UNSPECIFIED]}
    </Badge>
  );
}
