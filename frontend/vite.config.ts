import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { VitePWA } from "vite-plugin-pwa";

import { mockServer } from "./mock/server.ts";

const server = process.env.UMPIRE_SERVER ?? "http://localhost:8000";
const mocked = process.env.UMPIRE_MOCK === "1";

export default defineConfig({
  plugins: [
    svelte(),
    ...(mocked ? [mockServer()] : []),
    VitePWA({
      registerType: "autoUpdate",
      injectRegister: null,
      manifest: {
        name: "Umpire",
        short_name: "Umpire",
        description: "Battles with hidden forces",
        start_url: "/",
        display: "standalone",
        background_color: "#f4f1e7",
        theme_color: "#22372c",
        icons: [
          { src: "/icon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
          { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
          { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any maskable" },
        ],
      },
      workbox: {
        // The shell only. What a seat may know is never kept by the worker.
        globPatterns: ["**/*.{js,css,html,svg,png}"],
        navigateFallback: "/index.html",
        navigateFallbackDenylist: [/^\/(?:api|live|static|healthz)/],
        runtimeCaching: [],
        cleanupOutdatedCaches: true,
      },
    }),
  ],
  build: { target: "es2022", sourcemap: false },
  server: mocked ? {} : { proxy: { "/api": server, "/live": server } },
});
