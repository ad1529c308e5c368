import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { count, iso, when, words } from "../../core/format.ts";
import { show } from "../../core/ids.ts";
import { refresh, useCall, useRecords } from "../../core/queries.ts";
import { getWebhookDeliveries, listWebhookDeliveries, resendWebhookDelivery } from "../../gen/events/v1/webhook_delivery_calls.ts";
import { WebhookDeliveryState as D, type WebhookDelivery } from "../../gen/events/v1/webhook_delivery_pb.ts";
import { listEventTypes } from "../../gen/events/v1/webhook_endpoint_calls.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Choice } from "../../ui/choice.tsx";
import { SaveRows } from "../../ui/copy.tsx";
import Window from "../../ui/dialog.tsx";
import { Empty, Failed, Skeleton } from "../../ui/state.tsx";
import type { BulkAction } from "../../ui/bulk.tsx";
import { Selected, Table, usePicks, type Column } from "../../ui/table.tsx";
import { Delivery, DELIVERIES, Resend } from "./delivery.tsx";
import { DeliveryState, deliveryWord, outcome } from "./words.tsx";

const AT_ONCE = 50;
const EVERY = 10_000;
const STATES = [D.PENDING, D.DELIVERED, D.FAILED, D.CANCELLED];
const waits = (d: WebhookDelivery) => d.state === D.PENDING;
const columns = (open: (id: string) => void): Column<WebhookDelivery>[] => [
  {
    id: "type",
    head: "Event",
    phone: "title",
    cell: (d) => (
      <button type="button" className="plainlink clip" onClick={() => open(show(d.id))}>
        {d.type}
      </button>
    ),
    text: (d) => d.type ?? "",
  },
  { id: "state", head: "State", width: "8rem", phone: "status", cell: (d) => <DeliveryState d={d} />, text: deliveryWord },
  {
    id: "outcome",
    head: "Answer",
    from: "md",
    cell: (d) => <span className={`clip ${d.error ? "loss" : "muted"}`}>{outcome(d)}</span>,
    text: outcome,
  },
  {
    id: "tries",
    head: "Tries",
    width: "4.5rem",
    end: true,
    from: "lg",
    cell: (d) => <span className="num muted">{count(d.tries ?? 0)}</span>,
    text: (d) => String(d.tries ?? 0),
  },
  {
    id: "at",
    head: "Created",
    width: "11.5rem",
    end: true,
    phone: "end",
    cell: (d) => <span className="num muted">{when(d.createdAt)}</span>,
    text: (d) => iso(d.createdAt),
  },
  { id: "note", head: "Answer", phone: "note", phoneOnly: true, cell: (d) => <span className="clip">{outcome(d)}</span> },
];
const idOf = (d: WebhookDelivery) => show(d.id);
const BULK: readonly BulkAction<WebhookDelivery>[] = [
  {
    label: "Resend",
    call: resendWebhookDelivery,
    can: (d) => !waits(d),
    text: <p>The receiver gets each event under the same id, with new tries. A receiver drops an id that it knows.</p>,
    run: (d, _v, key) => resendWebhookDelivery({ deliveryId: d.id! }, { key }),
    old: DELIVERIES,
  },
];
/** Deliveries that wait are asked for again, and only these: the list itself stays. */
function useCurrent(rows: readonly WebhookDelivery[]): WebhookDelivery[] {
  const deliveryIds = rows
    .filter(waits)
    .map((d) => d.id!)
    .slice(0, 200);
  const query = useQuery<WebhookDelivery[]>({
    queryKey: ["GetWebhookDeliveries", deliveryIds.map(show).join()],
    enabled: deliveryIds.length > 0,
    refetchInterval: (q) => (q.state.data?.every((d) => !waits(d)) ? false : EVERY),
    queryFn: async ({ signal }) => (await getWebhookDeliveries({ deliveryIds }, { signal })).deliveries,
  });
  const now = new Map(query.data?.map((d) => [show(d.id), d]));
  return rows.map((d) => now.get(show(d.id)) ?? d);
}
/** The deliveries of an endpoint, the newest first, some at a time. */
export function Deliveries({ endpointId }: { endpointId: Uint8Array }) {
  const [search, setSearch] = useSearchParams();
  const [open, setOpen] = useState("");
  const state = (D[(search.get("state") ?? "") as keyof typeof D] ?? D.UNSPECIFIED) as D;
  const type = search.get("type") ?? "";
  const choose = (name: string, value: string) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      if (value) after.set(name, value);
      else after.delete(name);
      return after;
    });
  const known = useCall(listEventTypes, {}, { staleTime: Infinity });
  const list = useRecords<WebhookDelivery>({
    name: "ListWebhookDeliveries",
    filter: [show(endpointId), state, type],
    list: async (cursor, signal) => {
      const a = await listWebhookDeliveries({ endpointId, limit: AT_ONCE, cursor, state, type }, { signal });
      return { ids: a.deliveryIds, next: a.nextCursor };
    },
    get: async (deliveryIds, signal) => (await getWebhookDeliveries({ deliveryIds }, { signal })).deliveries,
  });
  const rows = useCurrent(list.rows);
  const picks = usePicks(BULK);
  const shown = columns(setOpen);
  const chosen = rows.find((d) => show(d.id) === open);
  return (
    <>
      <Card
        title="Deliveries"
        flush
        extra={
          <div className="choices">
            <Choice label="State of the deliveries" value={state ? D[state] : ""} choose={(v) => choose("state", v)} none="Every state">
              {STATES.map((s) => (
                <option key={s} value={D[s]}>
                  {words(D[s])}
                </option>
              ))}
            </Choice>
            <Choice label="Type of event" value={type} choose={(v) => choose("type", v)} none="Every event">
              {known.data?.eventTypes.map((t) => (
                <option key={t.type} value={t.type}>
                  {t.type}
                </option>
              ))}
            </Choice>
            <Button onPress={() => void refresh(...DELIVERIES)}>Refresh</Button>
            <SaveRows name="deliveries" columns={shown} of={{ ...list, rows }} />
          </div>
        }
      >
        {list.query.isError ? (
          <div className="body">
            <Failed error={list.query.error} again={list.query.refetch} />
          </div>
        ) : list.query.isPending ? (
          <div className="body">
            <Skeleton lines={6} />
          </div>
        ) : rows.length === 0 ? (
          <Empty title={state || type ? "No delivery is like that." : "Nothing was delivered yet."}>
            <p>{state || type ? "Choose other ones." : "The next event of the chosen types is, and so is a test."}</p>
          </Empty>
        ) : (
          <Table label="Deliveries" columns={shown} rows={rows} id={idOf} {...(picks ? { picks } : {})} />
        )}
        <Selected label="Deliveries" picks={picks} actions={BULK} rows={rows} id={idOf} name={(d) => d.type ?? ""} />
      </Card>
      {!list.complete && (
        <p className="row">
          <Button onPress={list.more} isPending={list.loadingMore}>
            Show earlier
          </Button>
        </p>
      )}
      {chosen && (
        <Window title={chosen.type ?? "Delivery"} close={() => setOpen("")} wide>
          <Delivery d={chosen} />
          <footer>
            <Resend d={chosen} />
            <Button kind="primary" onPress={() => setOpen("")}>
              Close
            </Button>
          </footer>
        </Window>
      )}
    </>
  );
}
