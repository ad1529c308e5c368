// The demo server of a test: on a free port of loopback, ended by its process id.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { connect, type ConnectOptions, type Tradepost } from "tradepost";

/** The server's program: `DEMO_PROGRAM`, or what cargo builds in this repository. */
export const PROGRAM = resolve(process.env["DEMO_PROGRAM"] ?? new URL("../../../target/debug/tradepost", import.meta.url).pathname);

/** What the demo prints once it listens. */
interface Printed {
  baseUrl: string;
  apiKey: string;
  readOnlyApiKey: string;
  workspaceId: string;
  otherWorkspaceId: string;
}

export interface Demo extends Printed {
  connect(options?: ConnectOptions): Tradepost;
  stop(): Promise<void>;
}

/** Starts a demo: fixed sample data with `--still`, and otherwise contracts that trade. */
export async function startDemo(...options: "--still"[]): Promise<Demo> {
  const server = spawn(PROGRAM, ["demo", "--quiet", "--listen", "127.0.0.1:0", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TRADEPOST_LOG__LEVEL: "warn" },
  });
  const ended = new Promise<void>((done, reject) => {
    server.once("exit", () => done());
    server.once("error", reject);
  });
  const lines = createInterface({ input: server.stdout });
  const line = new Promise<string>((read) => lines.once("line", read));
  const first = await Promise.race([line, ended]);
  if (first === undefined) {
    throw new Error("the demo ended before it listened");
  }
  const printed = JSON.parse(first) as Printed;
  return {
    ...printed,
    connect: (options) => connect(printed.baseUrl, printed.apiKey, options),
    stop: async () => {
      server.kill("SIGTERM");
      await ended;
    },
  };
}
