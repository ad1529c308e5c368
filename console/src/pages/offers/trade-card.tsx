import { when, words } from "../../core/format.ts";
import { useCall } from "../../core/queries.ts";
import { getTrade } from "../../gen/trading/v1/trade_offer_calls.ts";
import { TradeStatus, type TradedAsset } from "../../gen/trading/v1/trade_offer_pb.ts";
import { Card, Facts } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Loaded } from "../../ui/state.tsx";
import { Badge } from "../../ui/status.tsx";

const FILE = [
  { head: "Item", text: (a: TradedAsset) => a.marketHashName ?? "" },
  { head: "Way", text: (a: TradedAsset) => (a.given ? "given" : "received") },
  { head: "Asset id before", text: (a: TradedAsset) => a.assetId ?? "" },
  { head: "Asset id after", text: (a: TradedAsset) => a.newAssetId ?? "" },
  { head: "Asset id after its return", text: (a: TradedAsset) => a.returnedAssetId ?? "" },
];
/** A trade, and which asset id each item got by it. */
export function TradeCard({ tradeId, title = "Trade" }: { tradeId: string; title?: string }) {
  const query = useCall(getTrade, { tradeId });
  return (
    <Card
      title={title}
      extra={
        query.data?.trade && (
          <>
            <Badge tone={query.data.trade.status === TradeStatus.COMPLETE ? "gain" : "warn"}>
              {words(TradeStatus[query.data.trade.status ?? 0])}
            </Badge>
            <SaveRows name="trade" columns={FILE} rows={query.data.trade.assetMap} />
          </>
        )
      }
    >
      <Loaded query={query}>
        {({ trade: t }) => (
          <>
            <div className="scroll">
              <table className="rows inset">
                <thead>
                  <tr>
                    <th scope="col">Item</th>
                    <th scope="col">Before</th>
                    <th scope="col">After</th>
                  </tr>
                </thead>
                <tbody>
                  {t?.assetMap.map((a) => (
                    <tr key={a.assetId}>
                      <th scope="row" className="two">
                        {a.marketHashName}
                        <small className="muted">{a.given ? "given" : "received"}</small>
                      </th>
                      <td className="mono">{a.assetId}</td>
                      <td className="mono">
                        {a.returnedAssetId || a.newAssetId || "–"}
                        {a.returnedAssetId && <small className="muted"> returned</small>}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <Facts
              of={[
                t?.heldUntil && ["Held until", when(t.heldUntil)],
                t?.protectedUntil && ["Reversible until", when(t.protectedUntil)],
                t?.rollbackTradeId ? ["Reversed by", <span className="mono">{t.rollbackTradeId}</span>] : undefined,
              ]}
            />
          </>
        )}
      </Loaded>
    </Card>
  );
}
