import { useLocation, useSearchParams } from "wouter";
import { count, ms, plainly, when, words } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { marketNow } from "../../core/live.ts";
import { isAwaited, may, useCall } from "../../core/queries.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import {
  acknowledgeTradeProtection,
  disableAccount,
  disableGiving,
  enableAccount,
  enableGiving,
  getAccount,
  getAccountLoginCode,
  getAccountReadiness,
  refreshAccount,
  refreshTradeToken,
  removeAccount,
  updateAccount,
} from "../../gen/trading/v1/account_calls.ts";
import { AccountLockReason, AccountStatus as S, type Account } from "../../gen/trading/v1/account_pb.ts";
import { listAccountSessions } from "../../gen/trading/v1/account_session_calls.ts";
import { listConversations } from "../../gen/trading/v1/chat_calls.ts";
import { listFriends } from "../../gen/trading/v1/friend_calls.ts";
import { revealRevocationCode } from "../../gen/trading/v1/import_calls.ts";
import { listSnapshots } from "../../gen/trading/v1/snapshot_calls.ts";
import { Action } from "../../ui/action.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card, Facts, Head, Money } from "../../ui/card.tsx";
import { History } from "../../ui/history.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Failed, Loaded, Notice, Skeleton } from "../../ui/state.tsx";
import { Badge, Status, wordOf } from "../../ui/status.tsx";
import { ProblemsOf, useProblemsOf } from "../problems/problems-of.tsx";
import { useRenewalsOf } from "../renewals/of-account.tsx";
import { SessionOf, useSessionOf } from "../sessions/of-account.tsx";
import { SnapshotActions, SnapshotsOf } from "../snapshots/of-account.tsx";
import {
  CAPABILITIES,
  capabilitiesOf,
  CHANGES,
  GIVING,
  givingOver,
  givingStartOf,
  LIMITS,
  limitsOf,
  SECRETS,
  secretsOf,
  startOf,
  strangeOf,
} from "./fields.ts";
import { PoolsOf } from "./pools-of.tsx";
import { LoginCode, Reveal } from "./reveal.tsx";
import { troubleOf } from "./words.ts";

const OLD = ["GetAccount", "GetAccounts", "ListAccounts", "CountAccounts", "GetAccountReadiness", "ListTransitions"];
const SNAPSHOTS = "snapshots";
const VIEWS = [
  { id: "", name: "Account" },
  { id: SNAPSHOTS, name: "Snapshots" },
];
export default function AccountDetail({ id = "" }: { id?: string }) {
  const accountId = read(id);
  const query = useCall(getAccount, { accountId });
  const [search, setSearch] = useSearchParams();
  const view = search.get("view") === SNAPSHOTS && may(listSnapshots) ? SNAPSHOTS : "";
  // Problems are above all else: those that came after it would move it.
  const problems = useProblemsOf(T.ACCOUNT, accountId);
  const a = isAwaited(problems) ? undefined : query.data?.account;
  if (query.isError)
    return (
      <>
        <Head title="Account" back={["/accounts", "Accounts"]} />
        <Failed error={query.error} again={query.refetch} />
      </>
    );
  if (!a)
    return (
      <>
        <Head title="Account" back={["/accounts", "Accounts"]} />
        <Skeleton lines={8} />
      </>
    );
  const trouble = troubleOf(a);
  return (
    <>
      <Head
        title={a.name}
        back={["/accounts", "Accounts"]}
        note={
          <>
            <Status name={S[a.status ?? 0]} /> {a.platform} <span className="mono">{a.platformUserId}</span>
          </>
        }
      >
        {view === SNAPSHOTS ? <SnapshotActions account={a} /> : <Actions a={a} />}
      </Head>
      <div className="stack">
        {trouble && (
          <Notice tone={trouble.bad ? "bad" : ""}>
            <b>{trouble.what}</b> {trouble.cost} {trouble.next}
          </Notice>
        )}
        <ProblemsOf type={T.ACCOUNT} id={accountId} brief />
        {!a.tradeNoticeAcknowledgedAt && a.status !== S.REMOVED && (
          <Notice>
            <b>No one has accepted the platform's notice for it.</b> The platform can reverse a trade for days after it. The account neither
            buys nor sells before a person accepts that.
            <Accept a={a} />
          </Notice>
        )}
        {a.tokenRenewalRequestedAt && (
          <Notice>Its trade URL is being renewed since {when(a.tokenRenewalRequestedAt)}. It buys nothing until that is over.</Notice>
        )}
        {a.lockedUntil && a.status !== S.RESTRICTED && ms(a.lockedUntil) > marketNow() && (
          <Notice>
            {a.lockReason ? `${words(AccountLockReason[a.lockReason])}: l` : "L"}ocked until {when(a.lockedUntil)}.
          </Notice>
        )}
        {a.statusReason && <Notice>{/^[A-Z_]+$/.test(a.statusReason) ? words(a.statusReason) : a.statusReason}</Notice>}
        {may(listSnapshots) && (
          <div>
            <Segments label="What is shown of it" choices={VIEWS} chosen={view} choose={(v) => setSearch(v ? { view: v } : {})} />
          </div>
        )}
        {view === SNAPSHOTS ? <SnapshotsOf account={a} /> : <Overview a={a} />}
      </div>
    </>
  );
}
/** Whether the account is ready, what is known of it, and what happened to it. */
function Overview({ a }: { a: Account }) {
  const accountId = a.id!;
  const ready = useCall(getAccountReadiness, { accountId }, { enabled: may(getAccountReadiness) });
  // The cards appear together: one that came after the others would move them.
  const parts = [ready, useSessionOf(accountId), useRenewalsOf(accountId)];
  if (parts.some(isAwaited)) return <Skeleton lines={8} />;
  const h = a.health;
  const yes = (v: boolean | undefined) => (v === undefined ? "not known" : v ? "yes" : "no");
  return (
    <div className="split">
      <div className="stack">
        {may(getAccountReadiness) && (
          <Card
            title="Is it ready?"
            note="Everything that a purchase or a sale needs of it"
            extra={ready.data && (ready.data.ready ? <Badge tone="gain">Ready</Badge> : <Badge tone="loss">Not ready</Badge>)}
          >
            <Loaded query={ready} lines={6}>
              {(r) => (
                <ul className="reasons">
                  {r.checks.map((c) => (
                    <li key={c.code} className={c.ok ? "" : "loss"}>
                      <Icon name={c.ok ? "check" : "close"} />
                      <span>
                        {words(c.code)}
                        <span className="vh">{c.ok ? ": in order" : ": not in order"}</span>
                      </span>
                      <span className="muted">{c.code === "STATUS" ? wordOf(S[a.status ?? 0]) : plainly(c.detail)}</span>
                    </li>
                  ))}
                </ul>
              )}
            </Loaded>
          </Card>
        )}
        {may(listAccountSessions) && <SessionOf account={a} />}
        <History type={T.ACCOUNT} id={accountId} />
      </div>
      <div className="stack">
        <Card title="Health">
          <Facts
            of={[
              ["Balance", <Money cents={h?.balanceCents} />],
              ["Items", count(h?.inventoryCount)],
              ["Signed in", yes(h?.signedIn)],
              ["Its API key is ours", yes(h?.apiKeyOurs)],
              ["Authenticator since", when(h?.authenticatorSince)],
              h?.heldUntil && ["Trades held until", when(h.heldUntil)],
              ["Seen", when(h?.seenAt)],
              a.refreshRequestedAt && ["A reading was asked for", when(a.refreshRequestedAt)],
              a.refreshedAt && ["Read on request", when(a.refreshedAt)],
              a.refreshRefusal && ["Not read", "the engine does not trade with this account"],
            ]}
          />
        </Card>
        <Card title="Rights and limits">
          <Facts
            of={[
              ["It may", a.capabilities.map((c) => CAPABILITIES[c]).join(", ") || "nothing"],
              ["Items at most", a.limits?.maxInventory === undefined ? "no limit" : count(a.limits.maxInventory)],
              ["Open purchases", a.limits?.maxOpenPurchases === undefined ? "no limit" : count(a.limits.maxOpenPurchases)],
              ["Balance to keep", a.limits?.minBalanceCents === undefined ? "none" : <Money cents={a.limits.minBalanceCents} />],
              ["Chat", a.chatEnabled ? "read, and can be written" : "off"],
              ["Secrets", a.hasSecrets ? "stored, sealed" : "none"],
              ["Notice accepted", a.tradeNoticeAcknowledgedAt ? when(a.tradeNoticeAcknowledgedAt) : "no"],
              ["Gives items at a real platform", a.givingEnabledAt ? <>since {when(a.givingEnabledAt)}</> : "no"],
              ["Gives within an hour at most", <Limit cents={a.givingLimits?.maxGiveCentsPerHour} />],
              ["Gives within 24 h at most", <Limit cents={a.givingLimits?.maxGiveCentsPerDay} />],
              ["Trade token", a.tradeToken ? <span className="mono">{a.tradeToken}</span> : "none"],
            ]}
          />
          {a.status !== S.REMOVED && (
            <>
              <br />
              <div className="row">
                <GivingSwitch a={a} />
                <GivingLimit a={a} />
              </div>
            </>
          )}
        </Card>
        {(may(listFriends) || may(listConversations)) && (
          <Card title="Friends and chats" note="Whom it is related to at the platform, and what they write">
            <div className="row">
              {may(listFriends) && <LinkButton href={`/friends?account=${show(a.id)}`}>Friends</LinkButton>}
              {may(listConversations) && <LinkButton href={`/chats?account=${show(a.id)}`}>Chats</LinkButton>}
              <ChatSwitch a={a} />
            </div>
          </Card>
        )}
        <PoolsOf account={a} />
        {a.hasSecrets && (may(getAccountLoginCode) || may(revealRevocationCode)) && (
          <Card
            title="Authenticator"
            note="The code that signs a person in, and the one that removes it if the account was imported with it"
          >
            <div className="row">
              {may(getAccountLoginCode) && <LoginCode account={a} />}
              {may(revealRevocationCode) && <Reveal account={a} />}
            </div>
          </Card>
        )}
        <Card title="Record">
          <Facts
            of={[
              ["Added", when(a.createdAt)],
              ["Changed", when(a.updatedAt)],
              ["Version", String(a.version ?? "")],
              ["Id", <span className="mono">{show(a.id)}</span>],
            ]}
          />
        </Card>
      </div>
    </div>
  );
}
/** Health is recorded all the time, so the version of the page is of no use for this one field. */
const ChatSwitch = ({ a }: { a: Account }) => {
  const what = a.chatEnabled ? "Disable the chat" : "Enable the chat";
  return (
    <Action
      label={what}
      call={updateAccount}
      title={`${what} of ${a.name}?`}
      confirm={what}
      done={a.chatEnabled ? "Disabled." : "Enabled."}
      old={OLD}
      text={
        <p>
          {a.chatEnabled
            ? "No message is read or sent any longer. What is stored is kept until its 90 days are over."
            : "Messages are read every minute, and can be sent. Their texts are stored sealed, for 90 days. Nothing that a partner writes is done."}
        </p>
      }
      run={async () => void (await updateAccount({ accountId: a.id!, chatEnabled: !a.chatEnabled }))}
    />
  );
};
/** Health is recorded all the time, so the version of the page is of no use here either. */
const GivingSwitch = ({ a }: { a: Account }) =>
  a.givingEnabledAt ? (
    <Action
      label="Let it give nothing"
      call={disableGiving}
      title={`Let ${a.name} give nothing?`}
      confirm="Give nothing"
      done="It gives nothing from now on."
      old={OLD}
      text={
        <p>
          At a real platform, the server changes no trade offer, confirmation or trade URL of this account from now on. Offers that are out
          stay out. Friends and messages are changed as before.
        </p>
      }
      run={async () => void (await disableGiving({ accountId: a.id! }))}
    />
  ) : (
    <Action
      label="Let it give items"
      call={enableGiving}
      title={`Let ${a.name} give items?`}
      confirm="Give items"
      done="It gives items from now on."
      old={OLD}
      danger
      text={
        <p>
          At a real platform, the server sends, accepts, declines and cancels trade offers of this account from now on, and answers its
          confirmations. Items that are given are not restored. The audit log has who allowed it.
        </p>
      }
      run={async () => void (await enableGiving({ accountId: a.id! }))}
    />
  );
const Limit = ({ cents }: { cents: bigint | undefined }) => (cents === undefined ? <>no limit</> : <Money cents={cents} />);
/** The call replaces both limits. The account is read again before: its version of then is the one that the call names. */
const GivingLimit = ({ a }: { a: Account }) => (
  <Action
    label="Limit what it gives"
    call={updateAccount}
    title={`Limit what ${a.name} gives`}
    confirm="Save"
    done="Saved."
    old={OLD}
    start={givingStartOf(a)}
    fields={GIVING}
    text={
      <p>
        Items count with the price at which they are sold or with their last known value (their cost, if no value is known), whichever is
        higher. What would exceed a limit is not offered, or its confirmation waits. A sale that exceeds a limit by itself is offered and
        waits until a person approves its confirmation. What a person approves is not limited.
      </p>
    }
    run={async (v) => {
      const now = (await getAccount({ accountId: a.id! })).account ?? a;
      await updateAccount({ accountId: a.id!, givingLimits: givingOver(a, v, now), expectedVersion: now.version });
    }}
  />
);
const Accept = ({ a }: { a: Account }) => (
  <Action
    label="Accept the notice"
    call={acknowledgeTradeProtection}
    title={`Accept the platform's notice for ${a.name}?`}
    confirm="Accept"
    done="Accepted."
    old={OLD}
    text={<p>Trades of this account can be reversed by the platform for days. The audit log has who accepted it.</p>}
    run={async () => void (await acknowledgeTradeProtection({ accountIds: [a.id!] }))}
  />
);
function Actions({ a }: { a: Account }) {
  const [, go] = useLocation();
  const rest = { accountId: a.id!, expectedVersion: a.version };
  const s = a.status;
  return (
    <>
      <Action
        label="Edit"
        call={updateAccount}
        title={`Edit ${a.name}`}
        confirm="Save"
        done="Saved."
        old={OLD}
        wide
        start={startOf(a)}
        fields={[...CHANGES, ...LIMITS]}
        run={async (v) =>
          void (await updateAccount({
            ...rest,
            tradeToken: v.token?.trim() ?? "",
            capabilities: capabilitiesOf(v),
            limits: limitsOf(v),
            ...strangeOf(a, v),
          }))
        }
      />
      <Action
        label="Replace secrets"
        call={updateAccount}
        title="Replace the secrets"
        confirm="Store them"
        done="Stored."
        old={OLD}
        wide
        text={<p>All secrets are replaced by what you type here. They are sealed and never shown.</p>}
        fields={SECRETS}
        run={async (v) => void (await updateAccount({ ...rest, ...secretsOf(v) }))}
      />
      <Action
        label="Read now"
        call={refreshAccount}
        title={`Have ${a.name} read now?`}
        confirm="Read it"
        done="The engine reads it in its next pass."
        old={OLD}
        text={
          <p>
            Its status, balance, inventory and trade URL are read. The request waits until an engine runs that trades with this account.
          </p>
        }
        run={async () => void (await refreshAccount({ accountId: a.id! }))}
      />
      <Action
        label="Renew trade URL"
        call={refreshTradeToken}
        title={`Renew the trade URL of ${a.name}?`}
        confirm="Renew it"
        done="The engine has it renewed in its next pass."
        old={OLD}
        danger
        text={
          <p>
            The present URL reaches no one from then on. The account buys nothing until the new one is on record. It is refused while
            purchases are open.
          </p>
        }
        run={async () => void (await refreshTradeToken({ accountId: a.id!, renew: true }))}
      />
      {s === S.DISABLED ? (
        <Action
          label="Enable"
          icon="play"
          kind="primary"
          call={enableAccount}
          title={`Enable ${a.name}?`}
          confirm="Enable"
          done="Enabled. It is checked first."
          old={OLD}
          run={async () => void (await enableAccount(rest))}
        />
      ) : (
        <Action
          label="Disable"
          call={disableAccount}
          title={`Disable ${a.name}?`}
          confirm="Disable"
          done="Disabled."
          old={OLD}
          text={<p>It starts nothing new. What is open on it is followed to its end.</p>}
          fields={[{ name: "reason", label: "Reason", wide: true, max: 200 }]}
          run={async (v) => void (await disableAccount({ ...rest, ...(v.reason ? { reason: v.reason } : {}) }))}
        />
      )}
      {(s === S.DISABLED || s === S.NEW || s === S.BANNED) && (
        <Action
          label="Remove"
          kind="danger"
          danger
          call={removeAccount}
          title={`Remove ${a.name}?`}
          confirm="Remove the account"
          done="Removed."
          old={OLD}
          text={<p>Its secrets are deleted. Its records stay, for the ledger.</p>}
          run={async () => {
            await removeAccount(rest);
            go("/accounts");
          }}
        />
      )}
    </>
  );
}
