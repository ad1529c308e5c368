import { acceptTradeOffer, cancelTradeOffer, declineTradeOffer } from "../../gen/trading/v1/trade_offer_calls.ts";
import type { TradeOffer } from "../../gen/trading/v1/trade_offer_pb.ts";
import type { BulkAction } from "../../ui/bulk.tsx";
import { canAnswer, canCancel, HOLD, OFFERS } from "./words.ts";

const rest = (o: TradeOffer) => ({ tradeOfferId: o.id!, expectedVersion: o.version });
/** What can be done to offers that are for no purchase and no sale. The engine carries it out. */
export const BULK: readonly BulkAction<TradeOffer>[] = [
  {
    label: "Accept",
    danger: true,
    call: acceptTradeOffer,
    can: canAnswer,
    text: (
      <p>
        The engine accepts and confirms exactly the items that each offer shows. What they give of ours cannot be returned: open each one
        that you do not know first.
      </p>
    ),
    fields: [HOLD],
    run: (o, v, key) => acceptTradeOffer({ ...rest(o), acceptHold: v.hold === "yes" }, { key }),
    old: OFFERS,
  },
  {
    label: "Decline",
    call: declineTradeOffer,
    can: canAnswer,
    text: <p>Their senders see that they were declined. No item moves.</p>,
    run: (o, _v, key) => declineTradeOffer(rest(o), { key }),
    old: OFFERS,
  },
  {
    label: "Cancel",
    danger: true,
    call: cancelTradeOffer,
    can: canCancel,
    text: <p>No item moves by an offer that its recipient has not accepted by then.</p>,
    run: (o, _v, key) => cancelTradeOffer(rest(o), { key }),
    old: OFFERS,
  },
];
