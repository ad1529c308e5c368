import { useState } from "react";
import { when } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { leaveFor, PLATFORMS, returnAddress } from "../../core/linked.ts";
import { may, useCall } from "../../core/queries.ts";
import { useServerInfo } from "../../core/server.ts";
import { trouble } from "../../core/trouble.ts";
import { beginAccountLink, listLinkedAccounts, unlinkAccount } from "../../gen/accounts/v1/account_link_calls.ts";
import type { LinkProvider } from "../../gen/accounts/v1/account_link_pb.ts";
import { Action } from "../../ui/action.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Failed, Loaded, Notice } from "../../ui/state.tsx";

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
  if (linkedPlatforms.length === 0 && !query.data?.linkedAccounts.length) return null;
  const refusedAddress = error !== undefined && /redirectUri/.test(trouble(error).text);
  return (
    <Card
      title="Linked identities"
      note="Sign in with an account of another platform"
      extra={
        may(beginAccountLink) &&
        linkedPlatforms.map((p) => (
          <Button key={p} isPending={busy} onPress={() => void link(p)}>
            <Icon name="link" /> Link {PLATFORMS[p]}
          </Button>
        ))
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
        {({ linkedAccounts }) =>
          linkedAccounts.length === 0 ? (
            <p className="muted">None is linked. A second factor is asked for all the same, if you have one.</p>
          ) : (
            <div className="scroll" tabIndex={0} role="region" aria-label="Linked identities">
              <table className="rows inset">
                <tbody>
                  {linkedAccounts.map((l) => (
                    <tr key={show(l.id)}>
                      <th scope="row">{PLATFORMS[l.provider ?? 0]}</th>
                      <td className="mono muted">{l.subject}</td>
                      <td className="end muted">{when(l.linkedAt)}</td>
                      <td className="end tight">
                        <Action
                          label="Unlink"
                          kind="quiet danger"
                          danger
                          call={unlinkAccount}
                          title={`Unlink ${PLATFORMS[l.provider ?? 0]}?`}
                          text={<p>You can no longer sign in with it. The last way to sign in cannot be taken away.</p>}
                          confirm="Unlink"
                          done="Unlinked."
                          old={["ListLinkedAccounts"]}
                          run={async () => void (await unlinkAccount({ linkedAccountId: l.id! }))}
                        />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
    </Card>
  );
}
