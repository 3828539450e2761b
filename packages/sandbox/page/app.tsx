import { useEffect, useState } from "preact/hooks";
import { ClockBar } from "./clock-bar.tsx";
import { Composer } from "./composer.tsx";
import { Connect } from "./connect.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Endpoints } from "./endpoints.tsx";
import { Faults } from "./faults.tsx";
import { readFeed } from "./feed.ts";
import { MapView } from "./map.tsx";
import { UndoBar } from "./rewind.tsx";
import { Requests } from "./requests.tsx";
import { StateView } from "./state-view.tsx";
import { apply, type Connection, update, useStore } from "./store.ts";
import { setToken, token } from "./api.ts";
import { go, usePlace, VIEWS, type ViewName } from "./views.ts";

const CONNECTIONS = {
  connecting: "Connecting",
  live: "Live",
  lost: "Connection lost, trying again",
  locked: "Locked",
} as const;

/** The whole page. */
export function App() {
  const { view, id } = usePlace();
  const [run, setRun] = useState(0);
  const store = useStore();
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
  const waiting = store.deliveries.filter(({ status }) => status === "pending").length;
  const dead = store.deliveries.filter(({ status }) => status === "dead").length;
  const counts: Partial<Record<ViewName, string>> = {
    requests: store.requests.length.toLocaleString("en"),
    deliveries: dead > 0 ? `${dead} dead` : waiting > 0 ? `${waiting} pending` : "",
    faults: store.settings !== undefined && store.settings.faults.kind !== "none" ? "on" : "",
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
        <ThemeSwitch />
      </header>
      <nav class="tabs" aria-label="Views">
        {Object.entries(VIEWS).map(([name, label]) => (
          <a
            key={name}
            href={`#/${name}`}
            aria-current={name === view ? "page" : undefined}
            onClick={(event) => {
              event.preventDefault();
              go(name as ViewName);
            }}
          >
            {label}
            {counts[name as ViewName] && <span class="count">{counts[name as ViewName]}</span>}
          </a>
        ))}
      </nav>
      <main>
        {(token() === undefined || store.connection === "locked") && (
          <TokenBar isLocked={store.connection === "locked"} onToken={unlock} />
        )}
        <UndoBar />
        <h2 class="hidden">{VIEWS[view]}</h2>
        {store.connection === "locked" ? null : <View view={view} id={id} />}
      </main>
    </>
  );
}

function View({ view, id }: { view: ViewName; id: string | undefined }) {
  const onSelect = (next: string | undefined): void => go(view, next);
  switch (view) {
    case "requests":
      return <Requests selected={id} onSelect={onSelect} />;
    case "deliveries":
      return <Deliveries selected={id} onSelect={onSelect} />;
    case "compose":
      return <Composer selected={id} onSelect={onSelect} />;
    case "endpoints":
      return <Endpoints />;
    case "faults":
      return <Faults />;
    case "state":
      return <StateView selected={id} onSelect={onSelect} />;
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

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const NAME = "fieldmesh-theme";

/** Chooses between the theme of the system, light and dark. */
function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(readTheme);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    localStorage.setItem(NAME, theme);
  }, [theme]);
  return (
    <label class="theme">
      <span class="hidden">Theme</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function readTheme(): Theme {
  const stored = localStorage.getItem(NAME);
  return THEMES.find((name) => name === stored) ?? "system";
}
