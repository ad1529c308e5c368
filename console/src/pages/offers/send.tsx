import { useAccountChoices } from "../../core/accounts.ts";
import { read } from "../../core/ids.ts";
import { refreshTradeOffers, sendTradeOffer } from "../../gen/trading/v1/trade_offer_calls.ts";
import { Action } from "../../ui/action.tsx";
import type { Spec } from "../../ui/field.tsx";
import { HOLD, OFFERS, assetsOf, wrongAssets } from "./words.ts";

const HINT = "One asset id a line; GAME/CONTEXT/ASSET for other games.";
const FIELDS: Spec[] = [
  { name: "to", label: "Recipient", required: true, wide: true, hint: "A trade URL." },
  { name: "gives", label: "We give", kind: "lines", hint: HINT, check: wrongAssets },
  { name: "receives", label: "We receive", kind: "lines", hint: HINT, check: wrongAssets },
  { name: "message", label: "Message", max: 128, wide: true },
  HOLD,
];
/** Sends an offer, and has the offers of an account read. */
export function OfferActions() {
  const { accounts: options } = useAccountChoices();
  if (!options.length) return null;
  const account: Spec = { name: "account", label: "Account", kind: "select", options, required: true };
  const start = { account: options[0]![0] };
  return (
    <>
      <Action
        label="Read now"
        call={refreshTradeOffers}
        title="Read the offers of an account"
        confirm="Read them"
        done="The engine reads them in one of its next passes."
        old={OFFERS}
        text={<p>The engine reads the offers of each account every 5 min. This has it read those of one account now.</p>}
        start={start}
        fields={[account]}
        run={async (v) => void (await refreshTradeOffers({ accountId: read(v.account!) }))}
      />
      <Action
        label="Send an offer"
        icon="plus"
        kind="primary"
        call={sendTradeOffer}
        title="Send a trade offer"
        confirm="Send it"
        done="The engine sends it in one of its next passes."
        old={OFFERS}
        wide
        text={
          <p>
            Items that have a record cannot be given: they leave by a sale. The engine sends the offer once, and confirms exactly these
            items.
          </p>
        }
        start={start}
        fields={[account, ...FIELDS]}
        run={async (v) => {
          const [gives, receives] = [assetsOf(v.gives ?? ""), assetsOf(v.receives ?? "")];
          const [message, acceptHold] = [v.message?.trim() ?? "", v.hold === "yes"];
          await sendTradeOffer({ accountId: read(v.account!), partner: v.to!.trim(), gives, receives, message, acceptHold });
        }}
      />
    </>
  );
}
