import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ago, count, iso, ms, parseWhole, when } from "../core/format.ts";
import { show, uuid } from "../core/ids.ts";
import { usePolicies, useUserNames } from "../core/members.ts";
import { place } from "../core/place.ts";
import { may, useCall } from "../core/queries.ts";
import {
  createAPIKey,
  listAPIKeys,
  reportLeakedAPIKey,
  revokeAPIKey,
  rotateAPIKey,
  updateAPIKey,
} from "../gen/accounts/v1/api_key_calls.ts";
import type { APIKey } from "../gen/accounts/v1/api_key_pb.ts";
import { getQuotas } from "../gen/accounts/v1/usage_calls.ts";
import { Action } from "../ui/action.tsx";
import { Card, Facts, Head } from "../ui/card.tsx";
import { SaveRows } from "../ui/copy.tsx";
import Window from "../ui/dialog.tsx";
import type { Spec, Values } from "../ui/field.tsx";
import { linesOf } from "../ui/form.tsx";
import { useNew, useOpened } from "../ui/opened.ts";
import { ShownOnce } from "../ui/shown-once.tsx";
import { Empty, Failed, Skeleton } from "../ui/state.tsx";
import { Badge } from "../ui/status.tsx";
import type { BulkAction } from "../ui/bulk.tsx";
import { Selected, Table, usePicks, type Column } from "../ui/table.tsx";

const OLD = ["ListAPIKeys", "CountAPIKeys", "GetQuotas"];
const policiesOf = (text: string | undefined) => (text ?? "").split("\n").filter(Boolean);
const cidr = (v: string) =>
  linesOf(v).every((l) => /^[0-9a-fA-F.:]+(\/\d{1,3})?$/.test(l)) ? undefined : "Write networks such as 203.0.113.0/24, one a line.";
/** Of an own key that has an end: no one widens the key of another person. */
const NEVER: Spec = { name: "never", label: "It never ends", kind: "check", hint: "If the workspace allows it." };
const ends = (v: Values) => (v.days ? timestampFromDate(new Date(Date.now() + parseWhole(v.days)! * 86_400_000)) : undefined);
const isMine = (k: APIKey) => show(k.ownerId) === show(place.userId);
/** Every user who may revoke keys revokes their own; one who may change keys revokes those of others too. */
const canRevoke = (k: APIKey) => isMine(k) || may(updateAPIKey);
const BULK: readonly BulkAction<APIKey>[] = [
  {
    label: "Revoke",
    danger: true,
    call: revokeAPIKey,
    can: canRevoke,
    text: <p>Every program that uses one of them is refused at once. This cannot be undone.</p>,
    fields: [{ name: "reason", label: "Reason", wide: true, max: 200, placeholder: "Leaked, replaced, no longer used" }],
    run: (k, v, key) => revokeAPIKey({ apiKeyId: k.id!, ...(v.reason ? { reason: v.reason } : {}) }, { key }),
    old: OLD,
  },
];
const idOf = (k: APIKey) => show(k.id);
const Secret = ({ raw }: { raw: string | undefined }) => (
  <ShownOnce text={raw ?? ""} name="the key">
    Copy the key now. It is shown this once, and only its beginning is kept.
  </ShownOnce>
);
export default function Keys() {
  const policies = usePolicies();
  const [open, setOpen] = useOpened();
  const isNew = useNew();
  const query = useCall(listAPIKeys, { withOwners: true });
  const owners = new Map((query.data?.apiKeys ?? []).flatMap((k) => (k.ownerId ? [[show(k.ownerId), k.ownerId] as const] : [])));
  const names = useUserNames([...owners.values()]);
  const owner = (k: APIKey) => (isMine(k) ? "You" : names.data?.get(show(k.ownerId)) || "Another member");
  const picks = usePicks(BULK);
  const quotas = useCall(getQuotas, {}, { enabled: may(getQuotas) });
  const fields: Spec[] = [
    { name: "name", label: "Name", required: true, max: 64, placeholder: "The program that uses it" },
    { name: "days", label: "Ends after", kind: "whole", suffix: "days", hint: "Empty: never, if the workspace allows it." },
    {
      name: "policies",
      label: "Policies",
      kind: "checks",
      options: policies.filter(([p]) => p !== "identity"),
      hint: "Give as few as the program needs.",
    },
    {
      name: "networks",
      label: "Networks",
      kind: "lines",
      placeholder: "203.0.113.0/24",
      hint: "From where it may be used, one a line. Empty: from everywhere.",
      check: cidr,
    },
  ];
  const state = (k: APIKey) =>
    k.expiresAt && ms(k.expiresAt) < Date.now() ? (
      <Badge shape="square">Expired</Badge>
    ) : k.expiresAt && ms(k.expiresAt) - Date.now() < 7 * 86_400_000 ? (
      <Badge tone="warn">Ends {ago(k.expiresAt, Date.now())}</Badge>
    ) : k.lastUsedAt ? (
      <Badge tone="gain">In use</Badge>
    ) : (
      <Badge shape="ring">Never used</Badge>
    );
  const columns: Column<APIKey>[] = [
    {
      id: "name",
      head: "Key",
      phone: "title",
      cell: (k) => (
        <button type="button" className="plainlink clip" onClick={() => setOpen(show(k.id))}>
          {k.name}
        </button>
      ),
      text: (k) => k.name ?? "",
    },
    {
      id: "prefix",
      head: "Begins with",
      width: "9rem",
      from: "lg",
      cell: (k) => <span className="mono muted clip">{k.keyPrefix}</span>,
      text: (k) => k.keyPrefix ?? "",
    },
    {
      id: "owner",
      head: "Owner",
      width: "9rem",
      from: "lg",
      cell: (k) => <span className="clip muted">{owner(k)}</span>,
      text: (k) => names.data?.get(show(k.ownerId)) || (k.ownerId ? uuid(k.ownerId) : ""),
    },
    { id: "state", head: "State", width: "8rem", phone: "status", cell: state },
    {
      id: "policies",
      head: "Policies",
      from: "md",
      cell: (k) => <span className="clip muted">{k.policies.join(", ") || "none"}</span>,
      text: (k) => k.policies.join(" "),
    },
    {
      id: "nets",
      head: "Networks",
      width: "9rem",
      from: "xl",
      cell: (k) => <span className="clip muted">{k.allowedCidrs.join(", ") || "everywhere"}</span>,
      text: (k) => k.allowedCidrs.join(" "),
    },
    {
      id: "used",
      head: "Last used",
      width: "8rem",
      end: true,
      from: "md",
      cell: (k) => <span className="muted">{ago(k.lastUsedAt, Date.now())}</span>,
      text: (k) => iso(k.lastUsedAt),
    },
    {
      id: "ends",
      head: "Ends",
      width: "11.5rem",
      end: true,
      from: "lg",
      cell: (k) => <span className="num muted">{k.expiresAt ? when(k.expiresAt) : "never"}</span>,
      text: (k) => (k.expiresAt ? iso(k.expiresAt) : "never"),
    },
    { id: "do", head: "Actions", width: "14rem", end: true, from: "md", cell: (k) => <Acts k={k} fields={fields} /> },
    { id: "note", head: "Begins with", phone: "note", phoneOnly: true, cell: (k) => <span className="mono">{k.keyPrefix}</span> },
  ];
  const chosen = query.data?.apiKeys.find((k) => show(k.id) === open);
  const room = quotas.data?.apiKeys;
  return (
    <>
      <Head
        title="API keys"
        note={
          room
            ? `${count(room.used)} of ${count(room.most)} keys. Programs sign in with them; people do not.`
            : "Programs sign in with them; people do not."
        }
      >
        <SaveRows name="api-keys" columns={columns} rows={query.data?.apiKeys ?? []} />
        <Action
          label="Report a leaked key"
          call={reportLeakedAPIKey}
          title="Report leaked keys"
          confirm="End them"
          done="Every one of them that is a key has ended."
          old={OLD}
          text={<p>Found a key where it should not be? It ends at once, of whichever workspace it is, and its owner gets a mail.</p>}
          fields={[
            {
              name: "tokens",
              label: "Whole keys",
              kind: "lines",
              required: true,
              placeholder: "tpk_…",
              hint: "One a line. Other texts are ignored, and the answer does not say which ones are keys.",
              check: (v) => (linesOf(v).length > 100 ? "At most 100 at a time." : undefined),
            },
          ]}
          run={async (v) => void (await reportLeakedAPIKey({ tokens: linesOf(v.tokens) }))}
        />
        <Action
          label="New key"
          begins={isNew}
          icon="plus"
          kind="primary"
          call={createAPIKey}
          title="New API key"
          confirm="Create the key"
          old={OLD}
          wide
          start={{ days: "90", policies: "analytics" }}
          fields={fields}
          run={async (v) => (
            <Secret
              raw={
                (
                  await createAPIKey({
                    name: v.name!.trim(),
                    policies: policiesOf(v.policies),
                    allowedCidrs: linesOf(v.networks),
                    expiresAt: ends(v),
                  })
                ).rawKey
              }
            />
          )}
        />
      </Head>
      <Card flush>
        {query.isError ? (
          <div className="body">
            <Failed error={query.error} again={query.refetch} />
          </div>
        ) : !query.data ? (
          <div className="body">
            <Skeleton lines={6} />
          </div>
        ) : query.data.apiKeys.length === 0 ? (
          <Empty icon="keys" title="There is no key yet.">
            <p>A bot, a script or another server uses one to call the same interface as this console.</p>
          </Empty>
        ) : (
          <Table
            label="API keys"
            columns={columns}
            rows={query.data.apiKeys}
            id={idOf}
            total={query.data.apiKeys.length}
            {...(picks ? { picks } : {})}
          />
        )}
        <Selected label="API keys" picks={picks} actions={BULK} rows={query.data?.apiKeys ?? []} id={idOf} name={(k) => k.name ?? ""} />
      </Card>
      {chosen && (
        <Window title={chosen.name ?? "API key"} close={() => setOpen("")}>
          <Facts
            of={[
              ["State", state(chosen)],
              ["Begins with", <span className="mono">{chosen.keyPrefix}</span>],
              ["Owner", owner(chosen)],
              ["Policies", chosen.policies.join(", ") || "none"],
              ["Networks", chosen.allowedCidrs.join(", ") || "everywhere"],
              ["Made", when(chosen.createdAt)],
              ["Last used", when(chosen.lastUsedAt)],
              ["Ends", chosen.expiresAt ? when(chosen.expiresAt) : "never"],
            ]}
          />
          <Acts k={chosen} fields={fields} />
        </Window>
      )}
    </>
  );
}
function Acts({ k, fields }: { k: APIKey; fields: Spec[] }) {
  const apiKeyId = k.id!;
  return (
    <span className="row nowrap">
      <Action
        label="Edit"
        kind="quiet"
        call={updateAPIKey}
        title={`Edit ${k.name}`}
        confirm="Save"
        done="Saved."
        old={OLD}
        wide
        start={{ name: k.name ?? "", policies: k.policies.join("\n"), networks: k.allowedCidrs.join("\n") }}
        fields={fields.flatMap((f) =>
          f.name === "days"
            ? [{ ...f, hint: "Empty: its end stays as it is.", when: (v: Values) => !v.never }, ...(k.expiresAt && isMine(k) ? [NEVER] : [])]
            : [f],
        )}
        run={async (v) => {
          const p = policiesOf(v.policies),
            n = linesOf(v.networks);
          await updateAPIKey({
            apiKeyId,
            name: v.name!.trim(),
            ...(p.length ? { policies: p } : { noPolicies: true }),
            ...(n.length ? { allowedCidrs: n } : { anyNetwork: true }),
            ...(v.never ? { neverExpires: true } : v.days ? { expiresAt: ends(v) } : {}),
          });
        }}
      />
      {isMine(k) && (
        <Action
          label="Replace"
          kind="quiet"
          call={rotateAPIKey}
          title={`Replace ${k.name}`}
          confirm="Make a new secret"
          old={OLD}
          start={{ hours: "24" }}
          fields={[
            {
              name: "hours",
              label: "The old secret works for another",
              kind: "whole",
              suffix: "hours",
              required: true,
              wide: true,
              hint: "0 ends it at once.",
              check: (v) => ((parseWhole(v) ?? 0) > 24 ? "At most 24." : undefined),
            },
          ]}
          run={async (v) => <Secret raw={(await rotateAPIKey({ apiKeyId, overlapSeconds: parseWhole(v.hours!)! * 3600 })).rawKey} />}
        />
      )}
      {canRevoke(k) && (
        <Action
          label="Revoke"
          kind="quiet danger"
          danger
          call={revokeAPIKey}
          title={`Revoke ${k.name}?`}
          confirm="Revoke the key"
          done="Revoked. It no longer works."
          old={OLD}
          text={<p>Every program that uses it is refused at once. This cannot be undone.</p>}
          fields={[{ name: "reason", label: "Reason", wide: true, max: 200, placeholder: "Leaked, replaced, no longer used" }]}
          run={async (v) => void (await revokeAPIKey({ apiKeyId, ...(v.reason ? { reason: v.reason } : {}) }))}
        />
      )}
    </span>
  );
}
