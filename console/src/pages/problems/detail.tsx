import { Link } from "wouter";
import { money, when, words } from "../../core/format.ts";
import { read, show } from "../../core/ids.ts";
import { place } from "../../core/place.ts";
import { useCall } from "../../core/queries.ts";
import { useSubjectNames } from "../../core/subject-names.ts";
import { NAMES, pathOf } from "../../core/subjects.ts";
import { assignRemediation, dismissRemediation, getRemediation } from "../../gen/contracts/v1/remediation_calls.ts";
import { RemediationSeverity as S, RemediationStatus as R, type Remediation } from "../../gen/contracts/v1/remediation_pb.ts";
import { TransitionSubjectType as T } from "../../gen/contracts/v1/transition_pb.ts";
import { Action } from "../../ui/action.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card, Facts, Head } from "../../ui/card.tsx";
import { History } from "../../ui/history.tsx";
import { Failed, Notice, Skeleton } from "../../ui/state.tsx";
import { Status } from "../../ui/status.tsx";
import { ProblemActions } from "./actions.tsx";
import { useMembers } from "./members.ts";
import { endsByItself, evidenceOf, kindCost, kindNext, problemName, problemWhat } from "./words.ts";

const OLD = ["GetRemediation", "ListRemediations", "CountRemediations", "ListTransitions"];
export default function ProblemDetail({ id = "" }: { id?: string }) {
  const remediationId = read(id);
  const query = useCall(getRemediation, { remediationId });
  const members = useMembers();
  const r = query.data?.remediation;
  const names = useSubjectNames(r ? [r] : []);
  const { name = "", paidCents } = names.get(show(r?.subjectId)) ?? {};
  if (query.isError)
    return (
      <>
        <Head title="Problem" back={["/problems", "Problems"]} />
        <Failed error={query.error} again={query.refetch} />
      </>
    );
  if (!r)
    return (
      <>
        <Head title="Problem" back={["/problems", "Problems"]} />
        <Skeleton lines={6} />
      </>
    );
  const over = r.status === R.RESOLVED || r.status === R.DISMISSED;
  const to = pathOf(r.subjectType, r.subjectId);
  const noOne = over ? "No one" : "No one yet";
  const kind = NAMES[r.subjectType ?? T.UNSPECIFIED];
  const assignee = r.assigneeId?.length
    ? (members.data?.find((u) => show(u.id) === show(r.assigneeId))?.displayName ?? show(r.assigneeId).slice(-8))
    : noOne;
  return (
    <>
      <Head
        title={problemName(r)}
        back={["/problems", "Problems"]}
        note={
          <>
            <Status name={S[r.severity ?? 0]} />
            <Status name={R[r.status ?? 0]} /> {kind} {name}
          </>
        }
      >
        {!over && <Assign r={r} members={members.data?.map((u) => [show(u.id), u.displayName || show(u.id)] as const) ?? []} />}
        {!over && (
          <Action
            label="Dismiss"
            call={dismissRemediation}
            title="Dismiss this problem?"
            confirm="Dismiss"
            done="Dismissed."
            old={OLD}
            text={<p>It is settled outside of the service, or it is none. While the same thing lasts it is not reported again.</p>}
            fields={[
              {
                name: "reason",
                label: "Reason",
                kind: "area",
                required: true,
                max: 500,
                hint: "What you found, and what came of it. The audit log keeps it.",
              },
            ]}
            run={async (v) => void (await dismissRemediation({ remediationId, reason: v.reason!.trim(), expectedVersion: r.version }))}
          />
        )}
      </Head>
      <div className="split">
        <div className="stack">
          <Card title="What happened">
            <div className="stack">
              <div className="prose">
                <p>{problemWhat(r)}</p>
                {!over && kindCost(r.kind) && (
                  <p>
                    <b>What it costs.</b> {kindCost(r.kind)} {paidCents !== undefined && `It was bought for ${money(paidCents)}.`}
                  </p>
                )}
              </div>
              <Evidence r={r} />
            </div>
          </Card>
          {!over && (
            <Card title="What to do">
              <div className="stack">
                <div className="prose">
                  <p>{kindNext(r.kind)}</p>
                </div>
                {to && (
                  <p className="row">
                    <LinkButton href={to}>Open the {kind.toLowerCase()}</LinkButton>
                  </p>
                )}
                {r.allowedActions.length > 0 ? (
                  <ProblemActions r={r} />
                ) : (
                  !endsByItself(r.kind) && (
                    <Notice tone="info" icon="check">
                      No button helps here: settle it where it happened, then dismiss it with a reason.
                    </Notice>
                  )
                )}
              </div>
            </Card>
          )}
          <History type={T.REMEDIATION} id={remediationId} />
        </div>
        <Card title="Record">
          <Facts
            of={[
              [kind, to ? <Link href={to}>{name || `${kind} ${show(r.subjectId).slice(-6)}`}</Link> : name || kind],
              [
                "Handled by",
                assignee === noOne ? (
                  <span className="muted">{assignee}</span>
                ) : show(r.assigneeId) === show(place.userId) ? (
                  `${assignee} (you)`
                ) : (
                  assignee
                ),
              ],
              ["Opened", when(r.createdAt)],
              ["Last seen", when(r.lastSeenAt)],
              ["Changed", when(r.updatedAt)],
              r.reason ? ["Reason", r.reason] : undefined,
              ["Version", String(r.version ?? "")],
              ["Id", <span className="mono">{show(r.id)}</span>],
            ]}
          />
        </Card>
      </div>
    </>
  );
}

function Evidence({ r }: { r: Remediation }) {
  const { expected, found, shownBy } = evidenceOf(r);
  const shown = [
    ["Expected", expected],
    ["Found", found],
    ["Shown by", shownBy && words(shownBy)],
  ].filter(([, value]) => value);
  return shown.length === 0 ? null : (
    <dl className="evidence">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={/^[\w-]*\d{4,}[\w-]*$/.test(value!) ? "mono" : ""}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
const Assign = ({ r, members }: { r: Remediation; members: readonly (readonly [string, string])[] }) => (
  <Action
    label="Assign"
    call={assignRemediation}
    title="Assign this problem"
    confirm="Assign"
    done="Assigned."
    old={OLD}
    start={{ who: show(r.assigneeId) || show(place.userId) }}
    fields={[
      {
        name: "who",
        label: "Member",
        kind: "select",
        wide: true,
        options: members.length ? members : [[show(place.userId), place.person || "You"]],
      },
    ]}
    run={async (v) => void (await assignRemediation({ remediationId: r.id!, userId: read(v.who!), expectedVersion: r.version }))}
  />
);
