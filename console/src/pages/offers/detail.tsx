import { when, words } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { may, useCall } from "../../core/queries.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { getTrade, getTradeOffer } from "../../gen/trading/v1/trade_offer_calls.ts";
import {
  TradeOfferDirection as D,
  TradeOfferStatus as S,
  TradeStatus,
  type OfferedAsset,
  type TradedAsset,
} from "../../gen/trading/v1/trade_offer_pb.ts";
import { Card, Chip, Facts, Head } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { History } from "../../ui/history.tsx";
import { Ref } from "../../ui/refs.tsx";
import { Failed, Loaded, Notice, Skeleton } from "../../ui/state.tsx";
import { Badge, Status } from "../../ui/status.tsx";

const Assets = ({ of, none }: { of: readonly OfferedAsset[]; none: string }) =>
  of.length === 0 ? (
    <p className="muted">{none}</p>
  ) : (
    <ul className="steps plain">
      {of.map((a) => (
        <li key={a.assetId}>
          <span className="row">
            <Chip name={a.marketHashName ?? ""} />
            {a.marketHashName || "Item"}
          </span>
          <span className="mono muted">{a.assetId}</span>
        </li>
      ))}
    </ul>
  );
export default function OfferDetail({ id = "" }: { id?: string }) {
  const tradeOfferId = read(id);
  const query = useCall(getTradeOffer, { tradeOfferId });
  const o = query.data?.tradeOffer;
  if (query.isError)
    return (
      <>
        <Head title="Trade offer" back={["/offers", "Trade offers"]} />
        <Failed error={query.error} again={query.refetch} />
      </>
    );
  if (!o)
    return (
      <>
        <Head title="Trade offer" back={["/offers", "Trade offers"]} />
        <Skeleton lines={6} />
      </>
    );
  return (
    <>
      <Head
        title={o.direction === D.SENT ? "Offer to a buyer" : "Offer from a seller"}
        back={["/offers", "Trade offers"]}
        note={
          <>
            <Status name={S[o.status ?? 0]} /> {o.accountName} with <span className="mono">{o.partner}</span>
          </>
        }
      />
      <div className="split">
        <div className="stack">
          {o.glitched && <Notice>The platform shows this offer without its items. That passes by itself.</Notice>}
          <Card title="We give">
            <Assets of={o.gives} none="Nothing." />
          </Card>
          <Card title="We receive">
            <Assets of={o.receives} none="Nothing." />
          </Card>
          {o.tradeId && may(getTrade) && <TradeCard tradeId={o.tradeId} />}
          <History type={T.TRADE_OFFER} id={tradeOfferId} />
        </div>
        <Card title="Record">
          <Facts
            of={[
              Boolean(o.purchaseId?.length) && ["Purchase", <Ref to="/purchases" id={o.purchaseId} name="What it delivers" />],
              Boolean(o.inventoryItemId?.length) && ["Item", <Ref to="/items" id={o.inventoryItemId} name="The item" />],
              ["At the platform", <span className="mono">{o.platformOfferId || "not sent yet"}</span>],
              o.tradeId ? ["Trade", <span className="mono">{o.tradeId}</span>] : undefined,
              o.expiresAt && ["Good until", when(o.expiresAt)],
              ["Made", when(o.createdAt)],
              ["Changed", when(o.updatedAt)],
              ["Version", String(o.version ?? "")],
              ["Id", <span className="mono">{show(o.id)}</span>],
            ]}
          />
        </Card>
      </div>
    </>
  );
}
const FILE = [
  { head: "Item", text: (a: TradedAsset) => a.marketHashName ?? "" },
  { head: "Way", text: (a: TradedAsset) => (a.given ? "given" : "received") },
  { head: "Asset id before", text: (a: TradedAsset) => a.assetId ?? "" },
  { head: "Asset id after", text: (a: TradedAsset) => a.newAssetId ?? "" },
  { head: "Asset id after its return", text: (a: TradedAsset) => a.returnedAssetId ?? "" },
];
/** The trade that the offer became, and which asset id each item got by it. */
function TradeCard({ tradeId }: { tradeId: string }) {
  const query = useCall(getTrade, { tradeId });
  return (
    <Card
      title="Trade"
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
