import "leaflet/dist/leaflet.css";
import "./app.css";

import { mount } from "svelte";
import { registerSW } from "virtual:pwa-register";

import App from "./App.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("The page has no #app.");
mount(App, { target });

// Service workers need https or localhost; over plain http the client works without one.
if ("serviceWorker" in navigator && import.meta.env.PROD) registerSW({ immediate: true });
