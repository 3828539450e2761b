import { useEffect, useState } from "preact/hooks";
import { stateOf } from "../src/engine/webhooks/has-failed.ts";
import { ClockBar, useSandboxTime } from "./clock-bar.tsx";
import { Composer } from "./composer.tsx";
import { Connect } from "./connect.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Endpoints } from "./endpoints.tsx";
import { Events } from "./events.tsx";
import { Faults } from "./faults.tsx";
import { arePlayed } from "./fault-text.ts";
import { readFeed } from "./feed.ts";
import { MapView } from "./map.tsx";
import { Link } from "./parts.tsx";
import { ThemeSwitch, ZoneSwitch } from "./preferences.tsx";
import { UndoBar } from "./rewind.tsx";
import { Requests } from "./requests.tsx";
import { StateView } from "./state-view.tsx";
import { apply, type Connection, update, useStore } from "./store.ts";
import { setToken, token } from "./api.ts";
import { go, type Place, type Selection, usePlace, VIEWS, type ViewName } from "./views.ts";

const CONNECTIONS = {
  connecting: "Connecting",
  live: "Live",
  lost: "Connection lost, trying again",
  locked: "Locked",
} as const;

/** The whole page. */
export function App() {
  const place = usePlace();
  const { view } = place;
  const [run, setRun] = useState(0);
  const store = useStore();
  const now = useSandboxTime();
  useEffect(() => {
    const left = new AbortController();
    const show = (connection: Connection): void =>
      update((state) => void (state.connection = connection));
    void readFeed(apply, show, left.signal);
    return () => left.abort();
  }, [run]);
  const unlock = (text: string): void => {
    setToken(text);
    setRun(run + 1);
  };
  const states = Map.groupBy(store.deliveries, stateOf);
  const worst = (["dead", "retrying", "pending"] as const).find((state) => states.has(state));
  const counts: Partial<Record<ViewName, string>> = {
    requests: store.requests.length.toLocaleString("en"),
    events: store.events.length === 0 ? "" : store.events.length.toLocaleString("en"),
    deliveries: worst === undefined ? "" : `${states.get(worst)!.length} ${worst}`,
    faults: arePlayed(store.settings?.faults, now) ? "on" : "",
  };
  return (
    <>
      <header class="bar">
        <h1>
          <span class="mark" aria-hidden="true" /> fieldmesh <span class="muted">sandbox</span>
        </h1>
        <ClockBar />
        <span class="connection" role="status">
          {/* Another element for another state, so that no text moves. */}
          <span key={store.connection} class={store.connection}>
            {CONNECTIONS[store.connection]}
          </span>
        </span>
        <ZoneSwitch />
        <ThemeSwitch />
      </header>
      <nav class="tabs" aria-label="Views">
        {(Object.entries(VIEWS) as [ViewName, string][]).map(([name, label]) => (
          <Link key={name} to={name} isCurrent={name === view}>
            {label}
            {counts[name] && <span class="count">{counts[name]}</span>}
          </Link>
        ))}
      </nav>
      <main>
        {(token() === undefined || store.connection === "locked") && (
          <TokenBar isLocked={store.connection === "locked"} onToken={unlock} />
        )}
        <UndoBar />
        <h2 class="hidden">{VIEWS[view]}</h2>
        {store.connection === "locked" ? null : <View place={place} />}
      </main>
    </>
  );
}

function View({ place: { view, id, words } }: { place: Place }) {
  const selection: Selection = {
    selected: id,
    onSelect: (next) => go(view, next, words),
    words,
    onWords: (next) => go(view, id, next),
  };
  switch (view) {
    case "requests":
      return <Requests {...selection} />;
    case "events":
      return <Events {...selection} />;
    case "deliveries":
      return <Deliveries {...selection} />;
    case "compose":
      return <Composer {...selection} />;
    case "endpoints":
      return <Endpoints />;
    case "faults":
      return <Faults />;
    case "state":
      return <StateView {...selection} />;
    case "map":
      return <MapView />;
    case "connect":
      return (
        <div class="panel">
          <Connect />
        </div>
      );
  }
}

function TokenBar({ isLocked, onToken }: { isLocked: boolean; onToken: (text: string) => void }) {
  const [text, setText] = useState("");
  return (
    <form
      class="token"
      onSubmit={(event) => {
        event.preventDefault();
        onToken(text);
      }}
    >
      <label for="token">
        {isLocked ? "Nothing is shown without the token." : "Read only."} Open the address that the
        sandbox printed, or paste it:
      </label>
      <input
        id="token"
        type="password"
        autocomplete="off"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit">Use</button>
    </form>
  );
}
