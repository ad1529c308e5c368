import { useQuery } from "@tanstack/react-query";
import { iso, ms, when, words } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { useCall } from "../../core/queries.ts";
import { listAssetIDLinks, verifyAssetIDChain } from "../../gen/contracts/v1/asset_id_link_calls.ts";
import type { AssetIDLink } from "../../gen/contracts/v1/asset_id_link_pb.ts";
import { Card } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded, Notice } from "../../ui/state.tsx";
import { Badge } from "../../ui/status.tsx";
import { SOURCES, SOURCE_WORDS } from "./words.ts";

export const useChain = (id: Uint8Array) =>
  useQuery({
    queryKey: ["ListAssetIDLinks", show(id)],
    queryFn: async ({ signal }) => {
      const links: AssetIDLink[] = [];
      for (let cursor = ""; ;) {
        const a = await listAssetIDLinks({ inventoryItemId: id, limit: 200, cursor }, { signal });
        links.push(...a.assetIdLinks);
        if (!(cursor = a.nextCursor ?? "")) return links;
      }
    },
  });
const sourceOf = (l: AssetIDLink) => SOURCES[l.source ?? ""]?.[0] ?? words(l.source);
const FILE = [
  { head: "Step", text: (l: AssetIDLink) => String(l.step ?? "") },
  { head: "What happened", text: sourceOf },
  { head: "Asset id before", text: (l: AssetIDLink) => l.previousAssetId ?? "" },
  { head: "Asset id", text: (l: AssetIDLink) => l.assetId ?? "" },
  { head: "Shown by", text: (l: AssetIDLink) => SOURCE_WORDS[l.source ?? ""] ?? "evidence" },
  { head: "Evidence", text: (l: AssetIDLink) => l.sourceId ?? "" },
  { head: "Time", text: (l: AssetIDLink) => iso(l.createdAt) },
];
/** Every asset id that the item has had, with what showed it, and whether the laws of chains hold. */
export function Chain({ id }: { id: Uint8Array }) {
  const chain = useChain(id);
  const laws = useCall(verifyAssetIDChain, { inventoryItemId: id });
  const badge =
    laws.data &&
    chain.data?.length !== 0 &&
    (laws.data.valid ? (
      <Badge tone="gain" shape="square">
        Chain is whole
      </Badge>
    ) : (
      <Badge tone="loss">Chain is broken</Badge>
    ));
  return (
    <Card
      title="Asset ids"
      extra={
        <>
          {badge}
          <SaveRows name="asset-ids" columns={FILE} rows={chain.data ?? []} />
        </>
      }
    >
      {laws.data && !laws.data.valid && (
        <Notice tone="bad">{laws.data.problems.map((p) => `Step ${p.step}: ${p.description}`).join(" ")}</Notice>
      )}
      <Loaded query={chain} lines={8}>
        {(links) =>
          links.length === 0 ? (
            <p className="muted">No asset id is recorded yet.</p>
          ) : (
            <ol className="chain" aria-label="Every asset id that this item has had, the first one first">
              {links.map((l, n) => (
                <li key={show(l.id)} {...(n === links.length - 1 ? { "aria-current": "step" as const } : {})}>
                  <span className="node">
                    <Icon name={SOURCES[l.source ?? ""]?.[1] ?? "link"} />
                  </span>
                  <div>
                    <div className="title">
                      {sourceOf(l)} <span className="count">step {l.step}</span>
                    </div>
                    <div className="ids mono">
                      {l.previousAssetId && l.previousAssetId !== l.assetId ? (
                        <>
                          <s>
                            <span className="vh">before: </span>
                            {l.previousAssetId}
                          </s>
                          <span aria-hidden="true">→</span>
                        </>
                      ) : null}
                      <b>{l.assetId}</b>
                      {l.previousAssetId === l.assetId && <span className="muted">unchanged</span>}
                    </div>
                    <div className="proof">
                      shown by {SOURCE_WORDS[l.source ?? ""] ?? "evidence"} <span className="mono">{l.sourceId}</span>
                    </div>
                  </div>
                  <time dateTime={l.createdAt ? new Date(ms(l.createdAt)).toISOString() : undefined}>{when(l.createdAt)}</time>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Card>
  );
}
