// Serves the files of a folder in front of a server that has a console of its own, with that server's headers. A browser that takes the
// server's address for this one (see openBrowser) sees one origin, so sessions and passkeys work as they do without it.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { gzipSync } from "node:zlib";

const KINDS = {
  html: "text/html; charset=utf-8",
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
  woff2: "font/woff2",
  txt: "text/plain",
};

/** Answers at a free port of loopback. `server` is the address of the server behind. */
export async function startFront(dist, server) {
  const headers = Object.fromEntries((await fetch(server, { headers: { accept: "text/html" } })).headers);
  for (const own of ["content-type", "content-length", "content-encoding", "etag", "cache-control", "date", "connection"])
    delete headers[own];
  const kept = new Map();
  const read = (file) => {
    if (!kept.has(file)) kept.set(file, fs.existsSync(file) && fs.statSync(file).isFile() ? gzipSync(fs.readFileSync(file)) : undefined);
    return kept.get(file);
  };
  const front = http.createServer((ask, answer) => {
    const { pathname } = new URL(ask.url, server);
    const page = ask.headers.accept?.includes("text/html") && !pathname.includes(".");
    const file = path.join(dist, page ? "index.html" : pathname);
    const body = ask.method === "GET" && file.startsWith(dist) ? read(file) : undefined;
    if (body) {
      answer.writeHead(200, {
        ...headers,
        "content-type": KINDS[path.extname(file).slice(1)] ?? "application/octet-stream",
        "content-encoding": "gzip",
        "cache-control": pathname.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      });
      answer.end(body);
      return;
    }
    // A browser that cannot take the server's address for this one comes to this one, and is let in as the server's own page.
    const mine = ask.headers.origin === `http://localhost:${front.address().port}`;
    const sent = mine ? { ...ask.headers, origin: server.replace("127.0.0.1", "localhost") } : ask.headers;
    const on = http.request(server + ask.url, { method: ask.method, headers: sent }, (said) => {
      answer.writeHead(said.statusCode, said.headers);
      said.pipe(answer);
    });
    // The server is down: the browser is to see what it sees without this program.
    on.on("error", () => answer.destroy());
    answer.on("close", () => on.destroy());
    ask.pipe(on);
  });
  await new Promise((ready) => front.listen(0, "127.0.0.1", ready));
  front.unref();
  return front;
}
