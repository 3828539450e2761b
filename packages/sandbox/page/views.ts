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
} as const;

export type ViewName = keyof typeof VIEWS;

/** What the address says: `#/requests/12`. */
export interface Place {
  readonly view: ViewName;
  readonly id: string | undefined;
}

/** Changes the view and what is open in it. Moving inside a view adds nothing to the history. */
export function go(view: ViewName, id?: string): void {
  const hash = `#/${view}${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;
  if (readPlace().view === view) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  dispatchEvent(new Event("popstate"));
}

/** Draws the component again when the address changes. */
export function usePlace(): Place {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const onChange = (): void => setPlace(readPlace());
    addEventListener("popstate", onChange);
    return () => removeEventListener("popstate", onChange);
  }, []);
  return place;
}

function readPlace(): Place {
  const [view = "", id] = location.hash.replace(/^#\//, "").split("/");
  const known = Object.hasOwn(VIEWS, view) ? (view as ViewName) : "requests";
  return { view: known, id: id === undefined ? undefined : decodeURIComponent(id) };
}
