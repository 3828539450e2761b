import { useEffect, useState } from "preact/hooks";

/** The views, and their names in the navigation. */
export const VIEWS = {
  requests: "Requests",
  events: "Events",
  deliveries: "Deliveries",
  compose: "Send event",
  endpoints: "Endpoints",
  faults: "Faults",
  state: "State",
  map: "Map",
  connect: "Connect",
} as const;

export type ViewName = keyof typeof VIEWS;

/** What the address says: `#/requests/12?filter=401`. */
export interface Place {
  readonly view: ViewName;
  /** What is open. A record of a list of the state is `devices/<id>`. */
  readonly id: string | undefined;
  /** The words of the filter. */
  readonly words: string;
}

/** What is open in a view and what it is filtered by, and how the view changes them. */
export interface Selection {
  readonly selected: string | undefined;
  readonly onSelect: (id: string | undefined) => void;
  readonly words: string;
  readonly onWords: (words: string) => void;
}

/** Milliseconds before the address shows a selection. Browsers reject more than about ten changes in a second. */
const PAUSE = 300;

let current = readPlace();
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<(place: Place) => void>();

/** Changes the view, what is open in it, and its filter. Moving inside a view adds nothing to the history. */
export function go(view: ViewName, id?: string, words = ""): void {
  const isSame = current.view === view;
  show({ view, id, words });
  clearTimeout(timer);
  const hash = addressOf(current);
  if (isSame) timer = setTimeout(() => history.replaceState(null, "", hash), PAUSE);
  else history.pushState(null, "", hash);
}

/** Draws the component again when the place changes. */
export function usePlace(): Place {
  const [place, setPlace] = useState(current);
  useEffect(() => {
    listeners.add(setPlace);
    return () => void listeners.delete(setPlace);
  }, []);
  return place;
}

/** Follows the buttons of the browser. */
export function followAddress(): void {
  show(readPlace());
  addEventListener("popstate", () => show(readPlace()));
}

function show(place: Place): void {
  current = place;
  for (const listener of listeners) listener(place);
}

/** Returns the fragment of the address of a place, which a link shares. */
export function addressOf({ view, id, words }: Place): string {
  const parts = [view, ...(id?.split("/") ?? [])].map(encodeURIComponent);
  return `#/${parts.join("/")}${words === "" ? "" : `?${new URLSearchParams({ filter: words })}`}`;
}

function readPlace(): Place {
  const [path = "", query] = location.hash.replace(/^#\//, "").split("?");
  const [view = "", ...parts] = path.split("/").map(decodeURIComponent);
  return {
    view: Object.hasOwn(VIEWS, view) ? (view as ViewName) : "requests",
    id: parts.length === 0 ? undefined : parts.join("/"),
    words: new URLSearchParams(query).get("filter") ?? "",
  };
}
