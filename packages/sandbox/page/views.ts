import { useEffect, useState } from "preact/hooks";

/** The views, and their names in the navigation. */
export const VIEWS = {
  requests: "Requests",
  deliveries: "Deliveries",
  compose: "Send event",
  endpoints: "Endpoints",
  faults: "Faults",
  state: "State",
  map: "Map",
  connect: "Connect",
} as const;

export type ViewName = keyof typeof VIEWS;

/** What the address says: `#/requests/12`. */
export interface Place {
  readonly view: ViewName;
  readonly id: string | undefined;
}

/** What is open in a view, and how the view opens something else. */
export interface Selection {
  readonly selected: string | undefined;
  readonly onSelect: (id: string | undefined) => void;
}

/** Milliseconds before the address shows a selection. Browsers reject more than about ten changes in a second. */
const PAUSE = 300;

let current = readPlace();
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<(place: Place) => void>();

/** Changes the view and what is open in it. Moving inside a view adds nothing to the history. */
export function go(view: ViewName, id?: string): void {
  const isSame = current.view === view;
  show({ view, id });
  clearTimeout(timer);
  const hash = `#/${view}${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;
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

function readPlace(): Place {
  const [view = "", id] = location.hash.replace(/^#\//, "").split("/");
  const known = Object.hasOwn(VIEWS, view) ? (view as ViewName) : "requests";
  return { view: known, id: id === undefined ? undefined : decodeURIComponent(id) };
}
