import { isValidElement, type ReactNode } from "react";
import { Link } from "wouter";
import { money, toneOf } from "../core/format.ts";
import { Icon } from "./icon.tsx";
import { Skeleton } from "./state.tsx";

export const Card = ({
  title,
  note,
  extra,
  children,
  className = "",
  flush,
}: {
  title?: ReactNode;
  note?: ReactNode;
  extra?: ReactNode;
  children: ReactNode;
  className?: string;
  flush?: boolean;
}) => (
  <section className={`card ${className}`}>
    {title && (
      <header>
        <div className="grow">
          <h2>{title}</h2>
          {note && <p className="muted">{note}</p>}
        </div>
        {extra}
      </header>
    )}
    {flush ? children : <div className="body">{children}</div>}
  </section>
);

export const Head = ({
  title,
  note,
  back,
  children,
  mark,
}: {
  title: ReactNode;
  note?: ReactNode;
  back?: [href: string, name: string];
  children?: ReactNode;
  mark?: ReactNode;
}) => (
  <div className="head">
    {back && (
      <Link href={back[0]} className="up">
        <Icon name="back" /> {back[1]}
      </Link>
    )}
    <div className="title">
      {mark}
      <div className="clipbox">
        <h1>{title}</h1>
        {note && <p>{note}</p>}
      </div>
    </div>
    {children && <div className="acts">{children}</div>}
  </div>
);

export const Stat = ({
  name,
  value,
  note,
  tone = "",
  href,
}: {
  name: string;
  value: ReactNode;
  note?: ReactNode;
  tone?: string;
  href?: string;
}) => {
  const isMoney = isValidElement<Parameters<typeof Money>[0]>(value) && value.type === Money;
  const text = isMoney ? money(value.props.cents, value.props.signed) : value;
  return (
    <dl className="card stat">
      <dt>{href ? <Link href={href}>{name}</Link> : name}</dt>
      <dd className={typeof text === "string" && text.length > 11 ? `${tone} long` : tone}>{value}</dd>
      {note !== undefined && <dd className="note">{note}</dd>}
    </dl>
  );
};

/** The value of a figure: what is known, a place holder while it is asked, a dash after it failed and where the answer has none. */
export const figure = (query: { isError: boolean; data: unknown }, value: ReactNode): ReactNode =>
  value !== undefined ? value : query.isError || query.data !== undefined ? "–" : <Skeleton lines={1} />;

/** Name and value pairs. A pair whose value is undefined is left out. */
export const Facts = ({ of }: { of: ([name: string, value: ReactNode] | false | undefined)[] }) => (
  <dl className="facts">
    {of
      .filter((f): f is [string, ReactNode] => Boolean(f) && (f as [string, ReactNode])[1] !== undefined)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === "" || value === null ? "–" : value}</dd>
        </div>
      ))}
  </dl>
);

export const Money = ({ cents, signed = false, plain = false }: { cents: bigint | undefined; signed?: boolean; plain?: boolean }) => (
  <span className={`num ${signed && !plain ? toneOf(cents) : ""}`}>{money(cents, signed)}</span>
);

/** Two letters on a hue of the name, in place of a picture of another site's. */
export function Chip({ name, big }: { name: string; big?: boolean }) {
  let hue = 0;
  for (const c of name) hue = (hue * 31 + c.charCodeAt(0)) % 360;
  const letters = name
    .replace(/[^\p{L}\p{N} |-]/gu, "")
    .trim()
    .split(/[ |-]+/)
    .slice(0, 2)
    .map((w) => w[0] ?? "")
    .join("")
    .toUpperCase();
  return (
    <span
      className={big ? "chip big" : "chip"}
      aria-hidden="true"
      ref={(e) => {
        e?.style.setProperty("--hue", String(hue));
      }}
    >
      {letters || "?"}
    </span>
  );
}

export const Named = ({ name }: { name: string | undefined }) => (
  <>
    <Chip name={name ?? ""} />
    <span className="clip" title={name}>
      {name || "–"}
    </span>
  </>
);

/** A share of a whole as a bar; the number next to it is the text. */
export const Meter = ({ part, whole, label, tone = "" }: { part: number; whole: number; label: string; tone?: string }) => (
  <span className={`meter ${tone}`} role="img" aria-label={label}>
    <i
      ref={(e) => {
        if (e) e.style.inlineSize = `${whole > 0 ? Math.min(100, Math.max(0, (part / whole) * 100)) : 0}%`;
      }}
    />
  </span>
);
