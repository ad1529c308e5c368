// Firefox by WebDriver BiDi, as far as a smoke test needs it. Playwright drives only a Firefox of its own build.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export async function firefox(program) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "tradepost-firefox-"));
  const child = spawn(program, ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, MOZ_HEADLESS: "1", HOME: profile },
  });
  const address = await new Promise((found, failed) => {
    let text = "";
    child.stderr.on("data", (d) => {
      text += d;
      const m = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(text);
      if (m) found(m[1]);
    });
    child.on("exit", () => failed(new Error(`Firefox ended: ${text.slice(-300)}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((open, failed) => {
    socket.onopen = open;
    socket.onerror = failed;
  });
  const waiting = new Map();
  socket.onmessage = ({ data }) => {
    const { id, type, result, message } = JSON.parse(data);
    const w = waiting.get(id);
    waiting.delete(id);
    if (type === "error") w?.failed(new Error(message));
    else w?.done(result);
  };
  let last = 0;
  const send = (method, params) =>
    new Promise((done, failed) => {
      waiting.set((last += 1), { done, failed });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  await send("session.new", { capabilities: {} });
  const { context } = await send("browsingContext.create", { type: "tab" });
  await send("browsingContext.setViewport", { context, viewport: { width: 1440, height: 900 } });
  const run = async (expression) => {
    const { result, exceptionDetails } = await send("script.evaluate", { expression, target: { context }, awaitPromise: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`);
    return result?.value;
  };
  return {
    run,
    go: (url) => send("browsingContext.navigate", { context, url, wait: "complete" }),
    /** Keys as WebDriver has them: U+E004 is Tab, U+E006 is Enter. */
    type: (text) =>
      send("input.performActions", {
        context,
        actions: [
          { type: "key", id: "keyboard", actions: [...text].flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value }))) },
        ],
      }),
    wait: async (expression, name = expression) => {
      for (let tries = 0; tries < 300; tries += 1) {
        if (await run(`Boolean(${expression})`)) return;
        await new Promise((r) => setTimeout(r, 100));
      }
      throw new Error(`not seen in 30 s: ${name}; the page has: ${String(await run("document.body.innerText")).slice(0, 300)}`);
    },
    close: async () => {
      await send("browser.close", {}).catch(() => child.kill());
      await new Promise((r) => (child.exitCode === null ? child.on("exit", r) : r()));
      fs.rmSync(profile, { recursive: true, force: true });
    },
  };
}
