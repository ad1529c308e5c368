import { when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { may, useCall } from "../../core/queries.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { getTrade, getTradeOffer } from "../../gen/trading/v1/trade_offer_calls.ts";
import {
  TradeOfferDirection as D,
  TradeOfferStatus as S,
  type OfferedAsset,
  type TradeOffer,
} from "../../gen/trading/v1/trade_offer_pb.ts";
import { Card, Chip, Facts, Head } from "../../ui/card.tsx";
import { History } from "../../ui/history.tsx";
import { Ref } from "../../ui/refs.tsx";
import { Failed, Notice, Skeleton } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { Actions } from "./actions.tsx";
import { TradeCard } from "./trade-card.tsx";
import { notesOf } from "./words.ts";

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
const titleOf = (o: TradeOffer) => {
  if (o.inventoryItemId?.length) return "Offer to a buyer";
  if (o.purchaseId?.length) return "Offer from a seller";
  return o.direction === D.SENT ? "Offer to another account" : "Offer of another account";
};
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
        title={titleOf(o)}
        back={["/offers", "Trade offers"]}
        note={
          <>
            <Status name={S[o.status ?? 0]} /> {o.accountName} with <span className="mono">{o.partner}</span>
          </>
        }
      >
        <Actions o={o} />
      </Head>
      <div className="split">
        <div className="stack">
          {o.glitched && <Notice>The platform shows this offer without its items. That passes by itself.</Notice>}
          {notesOf(o).map((note) => (
            <Notice key={note}>{note}</Notice>
          ))}
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
              Boolean(o.message) && ["Message", o.message],
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
