import { useState } from "react";
import { place } from "../core/place.ts";
import { refresh, useCall } from "../core/queries.ts";
import { trouble } from "../core/trouble.ts";
import { acknowledgeRiskNotice, getRiskNotice } from "../gen/accounts/v1/risk_notice_calls.ts";
import { Button } from "../ui/button.tsx";
import Window from "../ui/dialog.tsx";
import { Loaded, Notice } from "../ui/state.tsx";
import { RiskPoints } from "../ui/risk-points.tsx";

/** The risks of trading accounts, read and acknowledged before the workspace stores the first secret. */
export default function Risks({ done }: { done: (acknowledged: boolean) => void }) {
  const notice = useCall(getRiskNotice, { workspaceId: place.workspaceId });
  const [isRead, setIsRead] = useState(false);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const acknowledge = async () => {
    setBusy(true);
    setProblem("");
    try {
      await acknowledgeRiskNotice({ workspaceId: place.workspaceId, version: notice.data?.notice?.version });
      done(true);
    } catch (e) {
      setProblem(trouble(e).text);
      setBusy(false);
    }
    void refresh("GetRiskNotice");
  };
  return (
    <Window title="Before the first secret is stored" wide close={() => done(false)}>
      <Loaded query={notice}>{(n) => <RiskPoints of={n.notice?.points ?? []} />}</Loaded>
      <label className="row">
        <input type="checkbox" checked={isRead} onChange={(e) => setIsRead(e.target.checked)} /> <span>I have read this</span>
      </label>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <footer>
        <Button onPress={() => done(false)}>Cancel</Button>
        <Button kind="primary" isPending={busy} isDisabled={!isRead || !notice.data} onPress={() => void acknowledge()}>
          Acknowledge and store
        </Button>
      </footer>
    </Window>
  );
}
