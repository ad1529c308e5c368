import { acceptTradeOffer, cancelTradeOffer, declineTradeOffer } from "../../gen/trading/v1/trade_offer_calls.ts";
import type { TradeOffer } from "../../gen/trading/v1/trade_offer_pb.ts";
import { Action } from "../../ui/action.tsx";
import { HOLD, OFFERS, canAnswer, canCancel } from "./words.ts";

/** What an offer allows that is for no purchase and no sale. The engine carries it out. */
export function Actions({ o }: { o: TradeOffer }) {
  const rest = { tradeOfferId: o.id!, expectedVersion: o.version };
  const done = "The engine does it in one of its next passes.";
  return (
    <>
      {canAnswer(o) && (
        <>
          <Action
            label="Accept"
            icon="check"
            kind="primary"
            call={acceptTradeOffer}
            title="Accept this offer?"
            confirm="Accept it"
            done={done}
            old={OFFERS}
            danger={o.gives.length > 0}
            text={
              <p>
                {o.gives.length
                  ? "It gives items of ours. The engine accepts and confirms exactly the items that are shown here. That cannot be undone."
                  : "It gives nothing of ours. The engine accepts exactly the items that are shown here."}
              </p>
            }
            fields={[HOLD]}
            run={async (v) => void (await acceptTradeOffer({ ...rest, acceptHold: v.hold === "yes" }))}
          />
          <Action
            label="Decline"
            call={declineTradeOffer}
            title="Decline this offer?"
            confirm="Decline it"
            done={done}
            old={OFFERS}
            text={<p>Its sender sees that it was declined. No item moves.</p>}
            run={async () => void (await declineTradeOffer(rest))}
          />
        </>
      )}
      {canCancel(o) && (
        <Action
          label="Cancel the offer"
          call={cancelTradeOffer}
          title="Cancel this offer?"
          confirm="Cancel it"
          done={done}
          old={OFFERS}
          text={<p>If its recipient has not accepted it by then, no item moves.</p>}
          run={async () => void (await cancelTradeOffer(rest))}
        />
      )}
    </>
  );
}
