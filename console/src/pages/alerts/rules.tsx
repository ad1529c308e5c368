import { iso, several } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { place } from "../../core/place.ts";
import { useCall, useRecords } from "../../core/queries.ts";
import {
  countAlertRules,
  createAlertRule,
  deleteAlertRule,
  getAlertRules,
  listAlertRules,
  updateAlertRule,
} from "../../gen/alerts/v1/alert_rule_calls.ts";
import type { AlertRule } from "../../gen/alerts/v1/alert_rule_pb.ts";
import { Action } from "../../ui/action.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import type { BulkAction } from "../../ui/bulk.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import { PickOne, type Picks } from "../../ui/picks.tsx";
import { Selected, usePicks } from "../../ui/table.tsx";
import { Empty, Failed, Skeleton } from "../../ui/state.tsx";
import { kindName } from "../problems/words.ts";
import { ruleFields } from "./rule-fields.tsx";
import { FIRST, ruleOf, topicName, valuesOf, whenSent } from "./rule.ts";

const RULES = ["ListAlertRules", "CountAlertRules", "GetAlertRule"];
const Create = ({ channelId }: { channelId: Uint8Array }) => (
  <Action
    label="New rule"
    icon="plus"
    call={createAlertRule}
    title="New rule"
    confirm="Create the rule"
    done="The rule is there."
    old={RULES}
    wide
    start={{ ...FIRST, zone: place.timeZone }}
    fields={ruleFields()}
    run={async (v) => void (await createAlertRule({ channelId, ...ruleOf(v) }))}
  />
);
const Edit = ({ r }: { r: AlertRule }) => (
  <Action
    label="Edit"
    kind="quiet"
    call={updateAlertRule}
    title="Edit the rule"
    confirm="Save"
    done="Saved."
    old={RULES}
    wide
    start={{ ...valuesOf(r), zone: r.timeZone || "UTC" }}
    fields={ruleFields()}
    run={async (v) => void (await updateAlertRule({ ruleId: r.id!, expectedVersion: r.version, ...ruleOf(v) }))}
  />
);
const Delete = ({ r }: { r: AlertRule }) => (
  <Action
    label="Delete"
    kind="quiet danger"
    danger
    call={deleteAlertRule}
    title="Delete the rule?"
    confirm="Delete the rule"
    done="Deleted."
    old={RULES}
    text={<p>It sends nothing to the channel from now on. Messages that wait are sent.</p>}
    run={async () => void (await deleteAlertRule({ ruleId: r.id!, expectedVersion: r.version }))}
  />
);
const idOf = (r: AlertRule) => show(r.id);
const nameOf = (r: AlertRule) => r.topics.map(topicName).join(", ");
const FILE = [
  { head: "Topics", text: nameOf },
  { head: "Sent in any case", text: (r: AlertRule) => r.urgentTopics.map(topicName).join(", ") },
  { head: "Problems", text: (r: AlertRule) => r.problemKinds.map(kindName).join(", ") },
  { head: "Sent", text: whenSent },
  { head: "Changed", text: (r: AlertRule) => iso(r.updatedAt) },
];
const BULK: readonly BulkAction<AlertRule>[] = [
  {
    label: "Delete",
    danger: true,
    call: deleteAlertRule,
    can: () => true,
    text: <p>They send nothing from now on. Messages that wait are sent.</p>,
    run: (r, _v, key) => deleteAlertRule({ ruleId: r.id!, expectedVersion: r.version }, { key }),
    old: RULES,
  },
];
const Rule = ({ r, picks }: { r: AlertRule; picks: Picks<AlertRule> | undefined }) => (
  <li>
    {picks && <PickOne row={r} id={idOf(r)} name={nameOf(r)} picks={picks} />}
    <div className="grow">
      <ul className="tags">
        {r.topics.map((t) => (
          <li key={t}>
            {topicName(t)}
            {r.urgentTopics.includes(t) && ", in any case"}
          </li>
        ))}
      </ul>
      <p className="muted">
        Sent {whenSent(r)}
        {r.problemKinds.length > 0 && `. Of other problems only ${several(r.problemKinds.length, "kind", "kinds")}`}
      </p>
    </div>
    {picks && (
      <span className="row">
        <Edit r={r} />
        <Delete r={r} />
      </span>
    )}
  </li>
);
/** What a channel is sent, and when. */
export function Rules({ channelId, canChange }: { channelId: Uint8Array; canChange: boolean }) {
  const counted = useCall(countAlertRules, { channelId });
  const list = useRecords<AlertRule>({
    name: "ListAlertRules",
    filter: show(channelId),
    list: async (cursor, signal) => {
      const a = await listAlertRules({ channelId, limit: 100, cursor }, { signal });
      return { ids: a.ruleIds, next: a.nextCursor };
    },
    get: async (ruleIds, signal) => (await getAlertRules({ ruleIds }, { signal })).rules,
  });
  const all = usePicks(BULK);
  const picks = canChange ? all : undefined;
  const total = counted.data?.count;
  return (
    <Card
      title="Rules"
      note={total ? `${total} in all: what is sent, and when` : "What is sent, and when"}
      extra={
        <>
          <SaveRows name="alert-rules" columns={FILE} of={list} />
          {canChange && <Create channelId={channelId} />}
        </>
      }
    >
      {list.query.isError ? (
        <Failed error={list.query.error} again={list.query.refetch} />
      ) : list.query.isPending ? (
        <Skeleton lines={4} />
      ) : list.rows.length === 0 ? (
        <Empty icon="alerts" title="It has no rule, so it sends nothing.">
          <p>The first one that is offered wakes you for what costs money while you wait.</p>
        </Empty>
      ) : (
        <ul className="doings">
          {list.rows.map((r) => (
            <Rule key={idOf(r)} r={r} picks={picks} />
          ))}
        </ul>
      )}
      <Selected label="Rules" picks={picks} actions={BULK} rows={list.rows} id={idOf} name={nameOf} />
      {!list.complete && list.rows.length > 0 && (
        <p className="row">
          <Button onPress={list.more} isPending={list.loadingMore}>
            Show earlier
          </Button>
        </p>
      )}
    </Card>
  );
}
