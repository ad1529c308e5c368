import { ago, iso, moment, ms } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { passkeysPossible } from "../../core/passkey.ts";
import { useCall } from "../../core/queries.ts";
import { deletePasskey, listPasskeys, updatePasskey } from "../../gen/accounts/v1/passkey_calls.ts";
import type { Passkey } from "../../gen/accounts/v1/passkey_pb.ts";
import { Action } from "../../ui/action.tsx";
import type { BulkAction } from "../../ui/bulk.tsx";
import { Card } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Empty, Loaded } from "../../ui/state.tsx";
import { Badge } from "../../ui/status.tsx";
import { Selected, Table, usePicks, type Column } from "../../ui/table.tsx";
import { AddPasskey } from "./add-passkey.tsx";
import { OLD } from "./old.ts";

const idOf = (p: Passkey) => show(p.id);
const nameOf = (p: Passkey) => p.name ?? "";
const keeperOf = (p: Passkey) => `${p.authenticatorName || "not known"}${p.backedUp ? ", backed up" : ""}`;
const lastUse = (p: Passkey) => (p.lastUsedAt ? ago(p.lastUsedAt, Date.now()) : "never");
const LOST = <p>You can no longer sign in with it, and your other sessions end. The last way to sign in cannot be taken away.</p>;
const Acts = ({ p }: { p: Passkey }) => (
  <span className="row nowrap">
    <Action
      label="Rename"
      kind="quiet"
      call={updatePasskey}
      title="Rename the passkey"
      confirm="Save"
      done="Saved."
      old={OLD}
      start={{ name: nameOf(p) }}
      fields={[{ name: "name", label: "Name", required: true, wide: true, max: 64 }]}
      run={async (v) => void (await updatePasskey({ passkeyId: p.id!, name: v.name!.trim(), expectedVersion: p.version }))}
    />
    <Action
      label="Remove"
      kind="quiet danger"
      danger
      call={deletePasskey}
      title={`Remove ${p.name}?`}
      text={LOST}
      confirm="Remove"
      done="Removed."
      old={OLD}
      run={async () => void (await deletePasskey({ passkeyId: p.id! }))}
    />
  </span>
);
const COLUMNS: readonly Column<Passkey>[] = [
  {
    id: "name",
    head: "Passkey",
    phone: "title",
    cell: (p) => <span className="clip">{p.name}</span>,
    text: nameOf,
  },
  {
    id: "by",
    head: "Kept by",
    phone: "note",
    cell: (p) => (p.disabledAt ? <Badge tone="loss">Disabled</Badge> : <span className="clip muted">{keeperOf(p)}</span>),
    text: keeperOf,
  },
  {
    id: "at",
    head: "Added",
    width: "7rem",
    end: true,
    from: "md",
    cell: (p) => <span className="num muted">{moment(ms(p.createdAt), { dateStyle: "medium" })}</span>,
    text: (p) => iso(p.createdAt),
  },
  {
    id: "used",
    head: "Last used",
    width: "7rem",
    end: true,
    phone: "end",
    cell: (p) => <span className="muted">{lastUse(p)}</span>,
    text: (p) => iso(p.lastUsedAt),
  },
  { id: "do", head: "Actions", width: "11rem", end: true, phone: "status", cell: (p) => <Acts p={p} /> },
];
/** With the one that is only in the file: on the page a disabled one has its mark. */
const FILE = [...COLUMNS, { head: "Disabled", text: (p: Passkey) => iso(p.disabledAt) }];
const BULK: readonly BulkAction<Passkey>[] = [
  {
    label: "Remove",
    danger: true,
    call: deletePasskey,
    can: () => true,
    text: <p>You can no longer sign in with them, and your other sessions end. The last way to sign in cannot be taken away.</p>,
    run: (p, _v, key) => deletePasskey({ passkeyId: p.id! }, { key }),
    old: OLD,
  },
];
export function Passkeys() {
  const query = useCall(listPasskeys, {});
  const picks = usePicks(BULK);
  const rows = query.data?.passkeys ?? [];
  return (
    <Card
      title="Passkeys"
      note="Sign in without a password, by your device or a security key"
      flush
      extra={
        <>
          <SaveRows name="passkeys" columns={FILE} rows={rows} />
          <AddPasskey />
        </>
      }
    >
      <Loaded query={query}>
        {() =>
          rows.length === 0 ? (
            <Empty icon="passkey" title="You have no passkey.">
              <p>
                {passkeysPossible()
                  ? "It is the quickest and the safest way in."
                  : "This address has no TLS, so the browser offers none here."}
              </p>
            </Empty>
          ) : (
            <Table label="Passkeys" columns={COLUMNS} rows={rows} id={idOf} {...(picks ? { picks } : {})} />
          )
        }
      </Loaded>
      <Selected label="Passkeys" picks={picks} actions={BULK} rows={rows} id={idOf} name={nameOf} />
    </Card>
  );
}
