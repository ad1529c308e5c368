import type { ReactNode } from "react";
import { may } from "../core/queries.ts";
import type { Call } from "../rpc.ts";
import { trouble } from "../core/trouble.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { Slow, useSlow } from "./slow.tsx";

/** What went wrong, in words, with the id under which the server's log has it. `sent` is for a change that is sent again with its key. */
export function Failed({ error, again, sent = false }: { error: unknown; again?: (() => unknown) | undefined; sent?: boolean }) {
  const t = trouble(error, sent);
  return (
    <div className={`notice ${t.denied ? "" : "bad"}`} role="alert">
      <Icon name={t.denied ? "audit" : "problems"} />
      <div className="grow">
        <b>{t.title}.</b> {t.text}
        {t.id && (
          <small>
            Request <span className="mono">{t.id}</span>
          </small>
        )}
      </div>
      {again && !t.denied && !t.missing && <Button onPress={() => void again()}>Try again</Button>}
    </div>
  );
}

export const Notice = ({
  tone = "",
  icon = "problems",
  children,
}: {
  tone?: "" | "bad" | "info" | "good";
  icon?: IconName;
  children: ReactNode;
}) => (
  <div className={`notice ${tone}`} role={tone === "bad" ? "alert" : undefined}>
    <Icon name={icon} />
    <div className="grow">{children}</div>
  </div>
);

export const Empty = ({ icon, title, children }: { icon?: IconName; title: string; children?: ReactNode }) => (
  <div className="empty">
    {icon && <Icon name={icon} />}
    <p className="what">{title}</p>
    {children}
  </div>
);

export const NoRights = ({ what = "this page" }: { what?: string }) => (
  <Empty icon="audit" title={`Your role does not show ${what}.`}>
    <p>An owner or an admin of the workspace can give you the policy that does: see Members.</p>
  </Empty>
);

/** The place holder of an answer. One line has no room to say that the answer is slow. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  const isSlow = useSlow(lines > 1);
  return (
    <div role="status" aria-label="Loading">
      {isSlow && <Slow />}
      {Array.from({ length: lines }, (_, i) => (
        <span
          key={i}
          className="skel"
          ref={(e) => {
            if (e) e.style.inlineSize = `${92 - ((i * 17) % 40)}%`;
          }}
        />
      ))}
    </div>
  );
}

interface Asked<D> {
  data: D | undefined;
  isPending: boolean;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
}
/** Every query has three looks: what is asked, what failed, what is there. */
export function Loaded<D>({ query, lines = 3, children }: { query: Asked<D>; lines?: number; children: (data: D) => ReactNode }) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <Failed error={query.error} again={query.refetch} />;
  return <Skeleton lines={lines} />;
}

/** Shows its children only to those whose rights allow the call: no button is there to be refused. */
export const May = ({ call, children }: { call: Pick<Call, "service" | "method">; children: ReactNode }) =>
  may(call) ? <>{children}</> : null;
