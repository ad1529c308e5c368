// Loads modules of the sources without a browser. Needs what `npm run generate` makes.
import { createServer } from "vite";

/** A time as the interface has it: the beginning of a day, counted from that of 1970. */
export const day = (n) => ({ seconds: BigInt(n * 86_400), nanos: 0 });
/** `load` gives a module by its path in the console, such as /src/core/whole.ts. */
export async function startModules() {
  const vite = await createServer({
    configFile: false,
    root: new URL("..", import.meta.url).pathname,
    server: { middlewareMode: true, hmr: false, watch: null },
    appType: "custom",
    logLevel: "error",
  });
  return { load: (path) => vite.ssrLoadModule(path), close: () => vite.close() };
}
