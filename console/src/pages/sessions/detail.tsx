import { Link } from "wouter";
import { when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { useCall } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { getAccountSession } from "../../gen/trading/v1/account_session_calls.ts";
import { AccountSessionStatus as S } from "../../gen/trading/v1/account_session_pb.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card, Facts, Head } from "../../ui/card.tsx";
import { History } from "../../ui/history.tsx";
import { Failed, Skeleton } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { Asked, End, Trouble } from "./actions.tsx";
import { isAsked, MEANS } from "./words.ts";

const BACK: [string, string] = ["/sessions", "Account sessions"];
export default function SessionDetail({ id = "" }: { id?: string }) {
  const accountSessionId = read(id);
  const query = useCall(getAccountSession, { accountSessionId });
  const s = query.data?.accountSession;
  const names = useSubjectNames(s ? [{ subjectType: T.ACCOUNT, subjectId: s.accountId }] : []);
  if (query.isError || !s)
    return (
      <>
        <Head title="Account session" back={BACK} />
        {query.isError ? <Failed error={query.error} again={query.refetch} /> : <Skeleton lines={8} />}
      </>
    );
  const account = names.get(show(s.accountId))?.name;
  const to = `/accounts/${show(s.accountId)}`;
  return (
    <>
      <Head
        title={`Session of ${account || "an account"}`}
        back={BACK}
        note={
          <>
            <Status name={S[s.status ?? 0]} /> {MEANS[s.status ?? 0]}
          </>
        }
      >
        <LinkButton href={to}>Open the account</LinkButton>
        <End s={s} name={account || "the account"} />
      </Head>
      <div className="split">
        <div className="stack">
          <Trouble s={s} />
          {isAsked(s) && (
            <Card title="What the platform asks for">
              <div className="stack">
                <Asked s={s} />
              </div>
            </Card>
          )}
          <History type={T.ACCOUNT_SESSION} id={accountSessionId} />
        </div>
        <div className="stack">
          <Card title="Record">
            <Facts
              of={[
                ["Account", <Link href={to}>{account || "The account"}</Link>],
                ["Started by", s.isAutomatic ? "the engine" : "a person"],
                ["Codes", s.usesStoredCode ? "made of the stored secret" : "given by a person"],
                ["Codes given", `${s.codesGiven ?? 0} of 5`],
                s.emailDomain ? ["Mailed to", s.emailDomain] : undefined,
                ["Access token ends", s.accessExpiresAt ? when(s.accessExpiresAt) : "not issued"],
                ["Refresh token ends", s.refreshExpiresAt ? when(s.refreshExpiresAt) : "not issued"],
                ["Tokens issued", s.tokensIssuedAt ? when(s.tokensIssuedAt) : "not yet"],
                ["Started", when(s.createdAt)],
                ["Changed", when(s.updatedAt)],
                ["Version", String(s.version ?? "")],
                ["Id", <span className="mono">{show(s.id)}</span>],
              ]}
            />
          </Card>
        </div>
      </div>
    </>
  );
}
