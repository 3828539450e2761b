import { FaultRules, setFaults } from "./fault-rules.tsx";
import { useStore } from "./store.ts";
import { useState } from "preact/hooks";
import type { Settings, FaultsView } from "../src/engine/controls/wire.ts";
import { call } from "./api.ts";
import { Failure, Section, Action } from "./parts.tsx";
import { Switch } from "./switch.tsx";
import { useSandboxTime } from "./clock-bar.tsx";
import { arePlayed, nameOf } from "./fault-text.ts";

/** The faults of requests, and the disturbances of deliveries. */
export function Faults() {
  const { settings } = useStore();
  if (settings === undefined) return <p class="note">Loading …</p>;
  return (
    <div class="panel">
      <FaultRules settings={settings} />
      <RandomFaults faults={settings.faults} />
      <Disturbances key={JSON.stringify(settings.disturbance)} disturbance={settings.disturbance} />
    </div>
  );
}

const DISTURBANCES: readonly {
  readonly name: keyof Settings["disturbance"];
  readonly label: string;
  readonly text: string;
  readonly on: number;
}[] = [
  { name: "duplicates", label: "Duplicates", text: "additional deliveries of each event", on: 1 },
  { name: "disorder", label: "Out of order", text: "ms of the longest random delay", on: 5_000 },
  { name: "delay", label: "Late", text: "ms of delay of every delivery", on: 10_000 },
  {
    name: "lostResponses",
    label: "Lost responses",
    text: "responses of each delivery that are dropped",
    on: 1,
  },
];

/** What happens to deliveries: duplicates, delays, and responses that are lost. */
function Disturbances({ disturbance }: { disturbance: Settings["disturbance"] }) {
  const [values, setValues] = useState<Settings["disturbance"]>(disturbance);
  const [error, setError] = useState("");
  const send = (next: Settings["disturbance"]): Promise<unknown> =>
    call("POST /webhooks/disturb", {
      body: Object.fromEntries(Object.entries(next).filter(([, value]) => (value ?? 0) > 0)),
    });
  return (
    <Section title="Disturbed deliveries">
      <ul class="switches">
        {DISTURBANCES.map(({ name, label, text, on }) => (
          <li key={name}>
            <Switch
              label={label}
              text={text}
              isOn={(disturbance[name] ?? 0) > 0}
              onChange={(isOn) => send({ ...disturbance, [name]: isOn ? values[name] || on : 0 })}
            />
            <label>
              <span class="hidden">
                {label}: {text}
              </span>
              <input
                type="number"
                min={0}
                value={values[name] || on}
                onChange={(event) => {
                  const next = { ...values, [name]: Number(event.currentTarget.value) };
                  setValues(next);
                  setError("");
                  if ((disturbance[name] ?? 0) === 0) return;
                  send({ ...disturbance, [name]: next[name] }).catch((thrown: unknown) => {
                    setValues(disturbance);
                    setError((thrown as Error).message);
                  });
                }}
              />
            </label>
          </li>
        ))}
      </ul>
      <Failure message={error} />
    </Section>
  );
}

const RANDOM_KINDS = ["reset", "lost", "truncate", "garbage", "delay", 503, 429] as const;

/** Faults of a random share of the requests. */
function RandomFaults({ faults }: { faults: FaultsView }) {
  const now = useSandboxTime();
  const current = faults.kind === "rate" && arePlayed(faults, now) ? faults.rate : undefined;
  const [percent, setPercent] = useState(Math.round((current?.rate ?? 0.1) * 100));
  const [kinds, setKinds] = useState<readonly unknown[]>(
    current?.kinds ?? RANDOM_KINDS.slice(0, 3),
  );
  return (
    <Section title="Random faults">
      <p class="note">
        {current === undefined
          ? "They replace the rules above."
          : `On: ${Math.round(current.rate * 100)} % of the requests fail.`}
      </p>
      <label class="field">
        <span>Share of requests: {percent} %</span>
        <input
          type="range"
          min={1}
          max={100}
          value={percent}
          onInput={(event) => setPercent(Number(event.currentTarget.value))}
        />
      </label>
      <div class="row">
        {RANDOM_KINDS.map((kind) => (
          <label key={kind} class="check">
            <input
              type="checkbox"
              checked={kinds.includes(kind)}
              onChange={(event) =>
                setKinds(
                  event.currentTarget.checked
                    ? [...kinds, kind]
                    : kinds.filter((each) => each !== kind),
                )
              }
            />
            {typeof kind === "number" ? nameOf({ kind: "status", status: kind }) : kind}
          </label>
        ))}
      </div>
      <div class="row">
        <Action tone="main" run={() => setFaults({ rate: percent / 100, kinds })}>
          {current === undefined ? "Switch on" : "Change"}
        </Action>
        {current !== undefined && <Action run={() => setFaults(null)}>Switch off</Action>}
      </div>
    </Section>
  );
}
