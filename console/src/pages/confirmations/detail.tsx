import { Link } from "wouter";
import { several, when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { useCall } from "../../core/queries.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { getConfirmation } from "../../gen/trading/v1/confirmation_calls.ts";
import { ConfirmationStatus as S } from "../../gen/trading/v1/confirmation_pb.ts";
import { Card, Facts, Head } from "../../ui/card.tsx";
import { History } from "../../ui/history.tsx";
import { Failed, Notice, Skeleton } from "../../ui/state.tsx";
import { Badge, Status } from "../../ui/status.tsx";
import { Actions } from "./actions.tsx";
import { changesAccount, checkName, kindOf, MEANS } from "./words.ts";

const BACK: [string, string] = ["/confirmations", "Confirmations"];
export default function ConfirmationDetail({ id = "" }: { id?: string }) {
  const confirmationId = read(id);
  const query = useCall(getConfirmation, { confirmationId });
  const c = query.data?.confirmation;
  if (query.isError || !c)
    return (
      <>
        <Head title="Confirmation" back={BACK} />
        {query.isError ? <Failed error={query.error} again={query.refetch} /> : <Skeleton lines={8} />}
      </>
    );
  return (
    <>
      <Head
        title={kindOf(c)}
        back={BACK}
        note={
          <>
            <Status name={S[c.status ?? 0]} /> {MEANS[c.status ?? 0]}
          </>
        }
      >
        <Actions c={c} />
      </Head>
      {changesAccount(c) && c.status === S.STRANGE && (
        <Notice tone="bad">
          It would change who controls {c.accountName}. If you asked for it yourself, allow it in the platform's own app. If not, deny it
          and change the account's password. Until it is denied here, the account gives no items.
        </Notice>
      )}
      <div className="split">
        <div className="stack">
          <Card title="Checks">
            {c.checks.length ? (
              <Facts
                of={c.checks.map((check) => [
                  checkName(check.code),
                  <>
                    <Badge tone={check.ok ? "gain" : "loss"}>{check.ok ? "Holds" : "Does not hold"}</Badge> {check.detail}
                  </>,
                ])}
              />
            ) : (
              <p className="muted">It was not checked yet.</p>
            )}
          </Card>
          <History type={T.CONFIRMATION} id={confirmationId} />
        </div>
        <div className="stack">
          <Card title="Record">
            <Facts
              of={[
                ["Account", c.accountName],
                ["Headline", c.headline || "none"],
                ["Text", c.summary.join(". ") || "none"],
                c.tradeOfferId?.length ? ["Offer", <Link href={`/offers/${show(c.tradeOfferId)}`}>The trade offer</Link>] : undefined,
                ["About", <span className="mono">{c.creator}</span>],
                ["Platform's id", <span className="mono">{c.platformConfirmationId}</span>],
                ["Platform's kind", `${c.platformKind} ${c.kindName}`],
                ["Answered", several(c.attempts ?? 0, "time", "times")],
                ["Created", when(c.createdAt)],
                ["Seen", when(c.seenAt)],
                ["Changed", when(c.updatedAt)],
                ["Version", String(c.version ?? "")],
                ["Id", <span className="mono">{show(c.id)}</span>],
              ]}
            />
          </Card>
        </div>
      </div>
    </>
  );
}
