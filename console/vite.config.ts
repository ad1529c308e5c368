import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The server that `npm run dev` sends the calls to. The page asks at Vite's own address, so the cookie belongs to it.
const server = process.env.TRADEPOST_URL ?? "http://localhost:8080";

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "../crates/app/console-dist",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
  server: { proxy: { "^/(accounts|contracts|markets|trading|events)\\.v1\\.": { target: server, changeOrigin: true } } },
});
