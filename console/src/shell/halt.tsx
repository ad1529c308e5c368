import { when } from "../core/format.ts";
import { queries } from "../core/queries.ts";
import { setTradingHalt } from "../gen/accounts/v1/workspace_calls.ts";
import type { Workspace } from "../gen/accounts/v1/workspace_pb.ts";
import { Action } from "../ui/action.tsx";
import { Icon } from "../ui/icon.tsx";

const old = ["GetWorkspace", "GetContract", "GetContracts", "CountContracts"];
const refetch = () => void queries.invalidateQueries({ queryKey: ["GetWorkspace"] });

/** Stops and resumes trading, from every page; the stop is there even where nothing is known of the workspace. */
export function Halt({ workspace }: { workspace: Workspace | undefined }) {
  return workspace?.tradingHalt ? (
    <Action
      label="Resume trading"
      icon="play"
      kind="halt on"
      call={setTradingHalt}
      title="Resume trading?"
      confirm="Resume trading"
      done="Trading resumes."
      old={old}
      text={
        <p>
          Contracts that the halt suspended start again at the engine's next pass. Halted since {when(workspace.tradingHalt.since)}: “
          {workspace.tradingHalt.reason}”.
        </p>
      }
      run={async () => {
        await setTradingHalt({ halted: false });
        refetch();
      }}
    />
  ) : (
    <Action
      label="Halt"
      icon="stop"
      kind="halt"
      call={setTradingHalt}
      title="Halt all trading?"
      confirm="Halt trading"
      danger
      done="Trading is halted."
      old={old}
      text={
        <p>
          No contract of this workspace buys anything new. What is already paid for is followed to its end. Selling continues: items are put
          on sale, repriced and delivered. <b>Stop everything</b> also pauses the contracts that sell and delists what is on sale.
        </p>
      }
      fields={[
        {
          name: "reason",
          label: "Reason",
          required: true,
          wide: true,
          max: 200,
          placeholder: "What you saw",
          hint: "Everyone in the workspace sees it, and the audit log keeps it.",
        },
      ]}
      run={async (v) => {
        await setTradingHalt({ halted: true, reason: v.reason!.trim() });
        refetch();
      }}
    />
  );
}
export const HaltNotice = ({ workspace }: { workspace: Workspace | undefined }) =>
  workspace?.tradingHalt ? (
    <div className="notice bad halted" role="status">
      <Icon name="stop" />
      <div className="grow">
        <b>Trading is halted</b> since {when(workspace.tradingHalt.since)}: “{workspace.tradingHalt.reason}”. Nothing new is bought; what is
        paid for is followed to its end. Contracts that sell and are not paused go on selling.
      </div>
    </div>
  ) : null;
