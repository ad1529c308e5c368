import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { may } from "../../core/queries.ts";
import { getAccountSession, listAccountSessions, startAccountSession } from "../../gen/trading/v1/account_session_calls.ts";
import { AccountSessionStatus as S, type AccountSession } from "../../gen/trading/v1/account_session_pb.ts";
import { AccountStatus, type Account } from "../../gen/trading/v1/account_pb.ts";
import { listRenewals } from "../../gen/trading/v1/renewal_calls.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { Loaded } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { RenewalsOf } from "../renewals/of-account.tsx";
import { Asked, End, Start, Trouble } from "./actions.tsx";
import { canStart, MEANS, works } from "./words.ts";

const isWanted = (a: Account, newest: AccountSession | null): boolean => canStart(newest) && a.status !== AccountStatus.REMOVED;
/** The newest session of an account, or null if it has none. */
export const useSessionOf = (accountId: Uint8Array) =>
  useQuery<AccountSession | null>({
    queryKey: ["GetAccountSession", `newest of ${show(accountId)}`],
    enabled: may(listAccountSessions),
    queryFn: async ({ signal }) => {
      const [accountSessionId] = (await listAccountSessions({ accountId, limit: 1 }, { signal })).accountSessionIds;
      return (accountSessionId && (await getAccountSession({ accountSessionId }, { signal })).accountSession) || null;
    },
  });
/** How an account is signed in: its newest session, what the platform asks for, and when its tokens are renewed. */
export function SessionOf({ account: a }: { account: Account }) {
  const accountId = a.id!;
  const query = useSessionOf(accountId);
  const status = query.data?.status;
  return (
    <Card
      title="Session"
      note="How the engine signs it in at its platform, and until when that lasts"
      extra={status !== undefined && <Status name={S[status]} />}
    >
      <Loaded query={query} lines={4}>
        {(s) => (
          <div className="stack">
            {s ? (
              <>
                <p>
                  {MEANS[s.status ?? S.UNSPECIFIED]}{" "}
                  <Link href={`/sessions/${show(s.id)}`} className="textlink">
                    Its steps
                  </Link>
                </p>
                <Trouble s={s} />
                <Asked s={s} />
                {works(s) && (
                  <Facts
                    of={[
                      ["Access token ends", when(s.accessExpiresAt)],
                      ["Refresh token ends", when(s.refreshExpiresAt)],
                      ["Tokens issued", when(s.tokensIssuedAt)],
                    ]}
                  />
                )}
              </>
            ) : (
              <p className="muted">No session was started from here yet.</p>
            )}
            {isWanted(a, s) && !a.hasSecrets && may(startAccountSession) && (
              <p className="muted">To start one, first store its login name and password by Replace secrets.</p>
            )}
            <div className="row">
              {isWanted(a, s) && a.hasSecrets && <Start accountId={accountId} name={a.name ?? "the account"} />}
              {s && <End s={s} name={a.name ?? "the account"} />}
              <LinkButton href={`/sessions?account=${show(accountId)}`}>Sessions</LinkButton>
              {may(listRenewals) && <LinkButton href={`/renewals?account=${show(accountId)}`}>Renewals</LinkButton>}
            </div>
            {may(listRenewals) && <RenewalsOf accountId={accountId} isSignedIn={Boolean(s && works(s))} />}
          </div>
        )}
      </Loaded>
    </Card>
  );
}
