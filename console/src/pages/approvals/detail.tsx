import { money, when, words } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { useCall } from "../../core/queries.ts";
import { itemOf, useSubjectNames } from "../../core/subject-names.ts";
import { getEvaluation } from "../../gen/contracts/v1/evaluation_calls.ts";
import { getIntent } from "../../gen/contracts/v1/intent_calls.ts";
import { IntentKind as K, IntentStatus as S } from "../../gen/contracts/v1/intent_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { Card, Chip, Facts, Head, Money } from "../../ui/card.tsx";
import { History } from "../../ui/history.tsx";
import { ContractLink, Ref } from "../../ui/refs.tsx";
import { Failed, Loaded, Notice, Skeleton } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { Reasons } from "../contracts/reasons.tsx";
import { Decide } from "./decide.tsx";
import { ofValue, outcomeOf, KINDS, nameOf, priceOf } from "./words.ts";

export default function ApprovalDetail({ id = "" }: { id?: string }) {
  const intentId = read(id);
  const query = useCall(getIntent, { intentId });
  const i = query.data?.intent;
  const names = useSubjectNames(i ? [itemOf(i)] : []);
  if (query.isError)
    return (
      <>
        <Head title="Proposal" back={["/approvals", "Approvals"]} />
        <Failed error={query.error} again={query.refetch} />
      </>
    );
  if (!i)
    return (
      <>
        <Head title="Proposal" back={["/approvals", "Approvals"]} />
        <Skeleton lines={6} />
      </>
    );
  const name = nameOf(i, names);
  return (
    <>
      <Head
        title={name}
        back={["/approvals", "Approvals"]}
        mark={<Chip big name={name} />}
        note={
          <>
            <Status name={S[i.status ?? 0]} /> {KINDS[i.kind ?? 0]}
            {(i.listing?.marketplace ?? i.item?.marketplace) ? ` at ${i.listing?.marketplace ?? i.item?.marketplace}` : ""}
          </>
        }
      >
        <Decide intent={i} name={name} />
      </Head>
      <div className="split">
        <div className="stack">
          {(i.failedCheck || i.reason) && (
            <Notice tone={i.status === S.FAILED || i.status === S.DENIED ? "bad" : ""}>
              {[words(i.failedCheck), i.reason].filter(Boolean).join(": ")}
            </Notice>
          )}
          {i.evaluationId?.length ? (
            <Why id={i.evaluationId} />
          ) : (
            <Card title="Why">
              <p className="muted">No evaluation is kept: a person proposed it.</p>
            </Card>
          )}
          <History type={T.INTENT} id={intentId} />
        </div>
        <div className="stack">
          {i.kind !== K.TRANSFER && (
            <Card title="Money">
              <p className="big">{money(priceOf(i))}</p>
              <p className="muted">{ofValue(i)}</p>
              <br />
              <Facts
                of={[
                  ["Value", <Money cents={i.fairValueCents} />],
                  i.listing && ["Fee", <Money cents={i.listing.platformFeeCents} />],
                  i.listing && ["At most, with fee", <Money cents={i.listing.maxBuyPriceCents} />],
                ]}
              />
            </Card>
          )}
          <Card title="Record">
            <Facts
              of={[
                ["Contract", <ContractLink id={i.contractId} />],
                Boolean(i.purchaseId?.length) && ["Purchase", <Ref to="/purchases" id={i.purchaseId} name="What it bought" />],
                Boolean(i.item?.inventoryItemId?.length) && ["Item", <Ref to="/items" id={i.item?.inventoryItemId} name={name} />],
                Boolean(i.item?.toAccountName) && ["To", i.item?.toAccountName],
                Boolean(i.transferOfferId?.length) && ["Trade offer", <Ref to="/offers" id={i.transferOfferId} name="How it moves" />],
                i.listing?.listingId ? ["Listing", <span className="mono">{i.listing.listingId}</span>] : undefined,
                ["Good until", when(i.expiresAt)],
                ["Proposed", when(i.createdAt)],
                i.followUp && [
                  "Ten minutes later",
                  [outcomeOf(i.followUp), i.followUp.priceCents && money(i.followUp.priceCents)].filter(Boolean).join(", "),
                ],
                ["Changed", when(i.updatedAt)],
                ["Version", String(i.version ?? "")],
                ["Id", <span className="mono">{show(i.id)}</span>],
              ]}
            />
          </Card>
        </div>
      </div>
    </>
  );
}
function Why({ id }: { id: Uint8Array }) {
  const query = useCall(getEvaluation, { evaluationId: id });
  return (
    <Card title="Why" note="Each rule, what it found, and its limit">
      <Loaded query={query} lines={19}>
        {(a) => <Reasons of={a.evaluation} />}
      </Loaded>
    </Card>
  );
}
