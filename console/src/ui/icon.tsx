import type { SVGProps } from "react";

/** Outlines on 16 by 16, one path each. */
const PATHS = {
  overview: "M2.5 9.5 6 6l2.5 2.5L13.5 3.5M10 3.5h3.5V7M2.5 13.5h11",
  purchases: "M3 3h1.5l1.4 7h6.4l1.2-5H5M6.5 13.25h.01M11.5 13.25h.01",
  inventory: "M8 1.75 13.5 4.6v6.8L8 14.25 2.5 11.4V4.6zM2.6 4.7 8 7.5l5.4-2.8M8 7.5v6.6",
  changes: "M4.5 2.5v5M2 5h5M2 11.5h5M10 4.5h4M10 7h4M10 11.5h4",
  chats: "M2.5 3h11v8H7l-3 2.75V11H2.5z",
  contracts: "M4 1.75h5.5L12 4.25v10H4zM6.25 7h3.5M6.25 9.75h3.5",
  filters: "M2.25 3h11.5L9.25 8.5v4.25L6.75 14V8.5z",
  problems: "M8 2 14.25 13.5H1.75zM8 6.5v3M8 11.4h.01",
  approvals: "M8 14.25A6.25 6.25 0 1 0 8 1.75a6.25 6.25 0 0 0 0 12.5ZM5.25 8.25l2 2 3.5-4",
  market: "M3.5 3v10M3.5 5h2v5h-2zM10.5 2v12M9.5 4.5h2v6h-2z",
  pools:
    "M8 6.5c3.3 0 5.5-1 5.5-2.25S11.3 2 8 2 2.5 3 2.5 4.25 4.7 6.5 8 6.5ZM2.5 4.25v7.5C2.5 13 4.7 14 8 14s5.5-1 5.5-2.25v-7.5M2.5 8c0 1.25 2.2 2.25 5.5 2.25s5.5-1 5.5-2.25",
  profit: "M2.5 13.5h11M4 13.5V9.5h2v4M7 13.5v-7h2v7M10 13.5V3h2v10.5",
  accounts: "M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8ZM2.75 13.75c.6-2.4 2.6-3.75 5.25-3.75s4.65 1.35 5.25 3.75",
  providers: "M5.5 2v3M10.5 2v3M4 5h8v2.5a4 4 0 0 1-8 0zM8 11.5V14",
  webhooks:
    "M8 6a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM4 13.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM12 13.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7 6l-2 3.5M9 6l2 3.5M6 11.5h4",
  alerts: "M8 1.75v1M4 6.75a4 4 0 0 1 8 0c0 3.5 1.5 4.75 1.5 4.75h-11S4 10.25 4 6.75ZM6.5 13.75h3",
  offers: "M2.5 5.5h10M10 3l2.5 2.5L10 8M13.5 10.5h-10M6 8l-2.5 2.5L6 13",
  keys: "M10.25 9.25a3.5 3.5 0 1 0-3.3-2.3L2 11.9V14h2.1v-1.5h1.5V11h1.5l1.1-1.1a3.5 3.5 0 0 0 2.05.35ZM11 5.25h.01",
  members:
    "M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5ZM1.75 13c.4-2.1 2-3.25 4.25-3.25S9.85 10.9 10.25 13M10.5 3.2a2.2 2.2 0 0 1 0 4.1M12 10.1c1.2.5 2 1.5 2.25 2.9",
  audit: "M8 1.75 13 3.5v4c0 3.2-2 5.5-5 6.75-3-1.25-5-3.55-5-6.75v-4zM5.75 7.75l1.6 1.6 2.9-3.2",
  usage: "M2 8h2.5l1.75-4.5 3 9L11 8h3",
  settings:
    "M2 4.5h6.5M11.5 4.5H14M2 11.5h2.5M7.5 11.5H14M10 6a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM6 13a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z",
  listing: "M2.5 7.5 7.5 2.5h5.5V8l-5 5.5zM10.25 5.75h.01",
  link: "M6.5 9.5a2.5 2.5 0 0 0 3.6.1l2-2A2.55 2.55 0 0 0 8.5 4l-.9.9M9.5 6.5a2.5 2.5 0 0 0-3.6-.1l-2 2A2.55 2.55 0 0 0 7.5 12l.9-.9",
  back: "M9.75 3.5 5.25 8l4.5 4.5",
  return: "M6 4.5 2.75 7.75 6 11M3 7.75h6.75a3.25 3.25 0 0 1 0 6.5H8",
  theme: "M8 2.25v11.5M8 2.25a5.75 5.75 0 1 1 0 11.5 5.75 5.75 0 0 1 0-11.5ZM10 3.2v9.6M12 4.6v6.8",
  out: "M6.5 2.5h-3v11h3M9.5 5 12.5 8l-3 3M12.5 8h-6",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.4 10.4 14 14",
  copy: "M5.5 5.5h8v8h-8zM3 10.5H2.5v-8h8V3",
  check: "M3 8.5l3.2 3.2L13 5",
  close: "M4 4l8 8M12 4l-8 8",
  plus: "M8 3v10M3 8h10",
  stop: "M5.5 1.75h5l3.75 3.75v5l-3.75 3.75h-5L1.75 10.5v-5zM8 5v3.5M8 11h.01",
  cease: "M4.5 4.5h7v7h-7zM2 5.5V2h3.5M14 5.5V2h-3.5M2 10.5V14h3.5M14 10.5V14h-3.5",
  play: "M4.5 2.75v10.5L13 8z",
  code: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5",
  down: "M8 2.5v8M4.75 7.5 8 10.75 11.25 7.5M3 13.5h10",
  next: "M6 3.5 10.5 8 6 12.5",
  passkey:
    "M5.5 7.25a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5ZM1.75 13.25c.3-2.3 1.7-3.6 3.75-3.6.9 0 1.65.25 2.3.7M11.75 8.5a2 2 0 1 0-1 0v5l.9.75 1-1-.7-.8.7-.8-.9-.9z",
};
export type IconName = keyof typeof PATHS;
export const Icon = ({ name, ...rest }: { name: IconName } & SVGProps<SVGSVGElement>) => (
  <svg
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth={name === "more" ? 2.2 : 1.35}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    {...rest}
  >
    <path d={PATHS[name]} />
  </svg>
);
export const Mark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#1d4f45" />
    <path d="M9 10h14M16 10v13" stroke="#f3efe4" strokeWidth="3.2" strokeLinecap="round" />
    <circle cx="23" cy="21.5" r="3" fill="#e0a93c" />
  </svg>
);
