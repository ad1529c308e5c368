import { useState } from "react";
import { iso, when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { leaveFor, PLATFORMS, returnAddress } from "../../core/linked.ts";
import { may, useCall } from "../../core/queries.ts";
import { useServerInfo } from "../../core/server.ts";
import { trouble } from "../../core/trouble.ts";
import { beginAccountLink, listLinkedAccounts, unlinkAccount } from "../../gen/accounts/v1/account_link_calls.ts";
import type { LinkedAccount, LinkProvider } from "../../gen/accounts/v1/account_link_pb.ts";
import { Action } from "../../ui/action.tsx";
import type { BulkAction } from "../../ui/bulk.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Failed, Loaded, Notice } from "../../ui/state.tsx";
import { Selected, Table, usePicks, type Column } from "../../ui/table.tsx";

const OLD = ["ListLinkedAccounts"];
const idOf = (l: LinkedAccount) => show(l.id);
const platformOf = (l: LinkedAccount) => PLATFORMS[l.provider ?? 0];
const COLUMNS: readonly Column<LinkedAccount>[] = [
  { id: "platform", head: "Platform", width: "8rem", phone: "title", cell: platformOf, text: platformOf },
  {
    id: "subject",
    head: "Account",
    phone: "note",
    cell: (l) => <span className="mono muted clip">{l.subject}</span>,
    text: (l) => l.subject ?? "",
  },
  {
    id: "at",
    head: "Linked",
    width: "11.5rem",
    end: true,
    phone: "end",
    cell: (l) => <span className="num muted">{when(l.linkedAt)}</span>,
    text: (l) => iso(l.linkedAt),
  },
  {
    id: "do",
    head: "Actions",
    width: "6.5rem",
    end: true,
    phone: "status",
    cell: (l) => (
      <Action
        label="Unlink"
        kind="quiet danger"
        danger
        call={unlinkAccount}
        title={`Unlink ${platformOf(l)}?`}
        text={<p>You can no longer sign in with it. The last way to sign in cannot be taken away.</p>}
        confirm="Unlink"
        done="Unlinked."
        old={OLD}
        run={async () => void (await unlinkAccount({ linkedAccountId: l.id! }))}
      />
    ),
  },
];
const BULK: readonly BulkAction<LinkedAccount>[] = [
  {
    label: "Unlink",
    danger: true,
    call: unlinkAccount,
    can: () => true,
    text: <p>You can no longer sign in with them. The last way to sign in cannot be taken away.</p>,
    run: (l, _v, key) => unlinkAccount({ linkedAccountId: l.id! }, { key }),
    old: OLD,
  },
];
/** Identities of other platforms by which the person can sign in. */
export function Linked() {
  const query = useCall(listLinkedAccounts, {});
  const { linkedPlatforms = [] } = useServerInfo();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const link = async (platform: LinkProvider) => {
    setBusy(true);
    setError(undefined);
    try {
      await leaveFor(platform, "link");
    } catch (e) {
      setError(e);
      setBusy(false);
    }
  };
  const rows = query.data?.linkedAccounts ?? [];
  const picks = usePicks(BULK);
  if (linkedPlatforms.length === 0 && rows.length === 0) return null;
  const refusedAddress = error !== undefined && /redirectUri/.test(trouble(error).text);
  return (
    <Card
      title="Linked identities"
      note="Sign in with an account of another platform"
      flush
      extra={
        <>
          <SaveRows name="linked-identities" columns={COLUMNS} rows={rows} />
          {may(beginAccountLink) &&
            linkedPlatforms.map((p) => (
              <Button key={p} isPending={busy} onPress={() => void link(p)}>
                <Icon name="link" /> Link {PLATFORMS[p]}
              </Button>
            ))}
        </>
      }
    >
      {refusedAddress ? (
        <Notice tone="bad">
          The operator has not allowed this address: <span className="mono">{returnAddress()}</span> has to be in the setting{" "}
          <span className="mono">linking.redirect_uris</span>.
        </Notice>
      ) : error !== undefined ? (
        <Failed error={error} />
      ) : null}
      <Loaded query={query}>
        {() =>
          rows.length === 0 ? (
            <p className="muted body">None is linked. A second factor is asked for all the same, if you have one.</p>
          ) : (
            <Table label="Linked identities" columns={COLUMNS} rows={rows} id={idOf} {...(picks ? { picks } : {})} />
          )
        }
      </Loaded>
      <Selected label="Linked identities" picks={picks} actions={BULK} rows={rows} id={idOf} name={platformOf} />
    </Card>
  );
}
