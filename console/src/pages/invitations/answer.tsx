import { useState, type FormEvent } from "react";
import { useQuery } from "@tanstack/react-query";
import { when } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { rememberWorkspace } from "../../core/place.ts";
import { refresh } from "../../core/queries.ts";
import { acceptMembership, declineMembership, getInvitation, getMembership } from "../../gen/accounts/v1/membership_calls.ts";
import { MembershipRole as R, MembershipStatus as S, type Membership } from "../../gen/accounts/v1/membership_pb.ts";
import { Button } from "../../ui/button.tsx";
import { Facts } from "../../ui/card.tsx";
import { Field, firstProblem, type Spec } from "../../ui/field.tsx";
import { Failed, Loaded, Notice } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";

/** What names an invitation: the token of the mailed link, or the membership's id, which the mail has too. */
type Named = { token: string } | { membershipId: Uint8Array };
export function named(text: string): Named | undefined {
  const token = /tpi_\w+/.exec(text)?.[0];
  if (token) return { token };
  const id = /(?:^|[\s:])([\w+/-]{22}(?:==)?)\.?(?:\s|$)/.exec(text)?.[1];
  return id && read(id).length === 16 ? { membershipId: read(id) } : undefined;
}

const LINK: Spec = {
  name: "link",
  label: "Link of the mail",
  required: true,
  wide: true,
  placeholder: "https://…/email/invitation#tpi_…",
  hint: "The whole link, or the id of the membership that the mail names.",
  check: (v) => (named(v) ? undefined : "This has no invitation in it. Copy the whole link, with what follows the sign #."),
};

interface Shown {
  id: Uint8Array;
  workspace?: string | undefined;
  inviter?: string | undefined;
  email?: string | undefined;
  membership?: Membership | undefined;
}
async function find(of: Named, signal: AbortSignal): Promise<Shown> {
  const options = { signal, everywhere: true };
  if ("membershipId" in of) {
    const { membership } = await getMembership(of, options);
    return { id: of.membershipId, email: membership?.invitation?.email, membership };
  }
  const a = await getInvitation(of, options);
  // The link shows it to everyone; what is offered, and the answer, are for the person who was invited.
  const own = await getMembership({ membershipId: a.membershipId! }, options).catch(() => undefined);
  return { id: a.membershipId!, workspace: a.workspaceName, inviter: a.inviterName, email: a.email, membership: own?.membership };
}

/** Finds an invitation by the link of its mail, shows what is offered, and answers it. */
export function Answer() {
  const [values, setValues] = useState({ link: location.hash.slice(1) });
  const [shown, setShown] = useState(false);
  const [asked, setAsked] = useState(() => named(values.link));
  const submit = (e: FormEvent) => {
    e.preventDefault();
    setShown(true);
    if (!firstProblem([LINK], values)) setAsked(named(values.link));
  };
  return (
    <div className="stack">
      <form onSubmit={submit} noValidate className="stack">
        <Field spec={LINK} values={values} set={(_n, link) => setValues({ link })} show={shown} />
        <div className="row">
          <Button type="submit" kind={asked ? "" : "primary"}>
            Show the invitation
          </Button>
        </div>
      </form>
      {asked && <Offer key={"token" in asked ? asked.token : show(asked.membershipId)} of={asked} />}
    </div>
  );
}

function Offer({ of }: { of: Named }) {
  const query = useQuery({
    queryKey: ["GetInvitation", "token" in of ? of.token : show(of.membershipId)],
    retry: false,
    queryFn: ({ signal }) => find(of, signal),
  });
  return <Loaded query={query}>{(i) => <Decide i={i} />}</Loaded>;
}

function Decide({ i }: { i: Shown }) {
  const [busy, setBusy] = useState("");
  const [error, setError] = useState<unknown>();
  const [sure, setSure] = useState(false);
  const [over, setOver] = useState<Membership>();
  const m = over ?? i.membership;
  const answer = async (call: typeof acceptMembership | typeof declineMembership, word: string) => {
    setBusy(word);
    setError(undefined);
    try {
      setOver((await call({ membershipId: i.id }, { everywhere: true })).membership);
      void refresh("CountMemberships", "ListWorkspaces");
    } catch (x) {
      setError(x);
    } finally {
      setBusy("");
    }
  };
  return (
    <div className="stack">
      <Facts
        of={[
          i.workspace !== undefined && ["Workspace", <b>{i.workspace}</b>],
          Boolean(i.inviter) && ["Invited by", i.inviter],
          i.email !== undefined && ["Sent to", i.email],
          m && ["Role", m.role === R.ADMIN ? "Admin: everything but ownership" : "Member: what its policies allow"],
          m?.role === R.MEMBER && ["Policies", m.policies.join(", ") || "none"],
          m?.invitation?.expiresAt && ["Good until", when(m.invitation.expiresAt)],
          m && ["Status", <Status name={S[m.status ?? 0]} />],
        ]}
      />
      {error !== undefined && <Failed error={error} />}
      {over?.status === S.ACCEPTED ? (
        <>
          <Notice tone="good" icon="check">
            You are a member{i.workspace ? ` of ${i.workspace}` : ""} now.
          </Notice>
          <div className="row">
            <Button
              kind="primary"
              onPress={() => {
                rememberWorkspace(show(over.workspaceId));
                location.assign("/");
              }}
            >
              Go to the workspace
            </Button>
          </div>
        </>
      ) : over ? (
        <Notice tone="info">You declined it. Nothing was shared with the workspace but your answer.</Notice>
      ) : !m ? (
        <Notice>It was sent to another address than yours, so you cannot answer it. Sign in with the address above.</Notice>
      ) : m.status !== S.INVITED ? (
        <Notice tone="info">It was answered or revoked already. You need not do anything.</Notice>
      ) : (
        <div className="row">
          <Button kind="primary" isPending={busy === "accept"} onPress={() => void answer(acceptMembership, "accept")}>
            {busy === "accept" ? "Accepting…" : "Accept"}
          </Button>
          {sure ? (
            <Button kind="danger" isPending={busy === "decline"} onPress={() => void answer(declineMembership, "decline")}>
              {busy === "decline" ? "Declining…" : "Decline permanently"}
            </Button>
          ) : (
            <Button onPress={() => setSure(true)}>Decline</Button>
          )}
        </div>
      )}
    </div>
  );
}
