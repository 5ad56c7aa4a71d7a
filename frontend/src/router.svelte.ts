// The address in the browser decides the screen; nothing else does.

class Router {
  path = $state(location.pathname);

  constructor() {
    addEventListener("popstate", () => (this.path = location.pathname));
  }

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.path = location.pathname;
    scrollTo(0, 0);
  }

  get parts(): string[] {
    return this.path.split("/").filter(Boolean).map(decodeURIComponent);
  }
}

export const router = new Router();

/** Follows links inside the client without loading the page anew. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = (event.target as Element).closest("a");
  if (!link || link.target || link.origin !== location.origin || link.hasAttribute("download")) return;
  if (/^\/(?:api|static|live)\//.test(link.pathname)) return;
  event.preventDefault();
  router.go(link.pathname);
}
