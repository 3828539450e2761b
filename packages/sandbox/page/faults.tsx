import { useState } from "preact/hooks";
import type { FaultsView, RuleView, Settings } from "../src/engine/controls/wire.ts";
import { call } from "./api.ts";
import { Action, Failure, Section } from "./parts.tsx";
import { useStore } from "./store.ts";

/** The kinds of faults, and what a client sees of each. */
const KINDS: readonly { readonly rule: RuleView; readonly label: string; readonly text: string }[] =
  [
    {
      rule: { kind: "reset" },
      label: "Reset",
      text: "The connection breaks before the work is done.",
    },
    {
      rule: { kind: "lost" },
      label: "Lost response",
      text: "The work is done, and the connection breaks.",
    },
    { rule: { kind: "truncate" }, label: "Cut off", text: "The response ends in the middle." },
    { rule: { kind: "garbage" }, label: "Garbage", text: "The body is not JSON in any encoding." },
    {
      rule: { kind: "delay", ms: 2_000 },
      label: "Slow",
      text: "Each response takes two seconds more.",
    },
    {
      rule: { kind: "status", status: 503 },
      label: "503",
      text: "Service Unavailable, without the work.",
    },
    { rule: { kind: "status", status: 429 }, label: "429", text: "Too many requests." },
  ];

const setFaults = (faults: unknown): Promise<FaultsView> =>
  call("POST /sandbox/faults", { body: { faults } });

/** The faults of requests, and the disturbances of deliveries. */
export function Faults() {
  const { settings } = useStore();
  if (settings === undefined) return <p class="note">Loading …</p>;
  return (
    <div class="panel">
      <Rules settings={settings} />
      <Random faults={settings.faults} />
      <Disturbances key={JSON.stringify(settings.disturbance)} disturbance={settings.disturbance} />
    </div>
  );
}

function Rules({ settings: { faults, calls } }: { settings: Settings }) {
  const [on, setOn] = useState("");
  const [times, setTimes] = useState<"all" | number>("all");
  const rules = faults.kind === "rules" ? faults.rules : [];
  const services = Object.keys(calls);
  const place = (): Partial<RuleView> =>
    on === "" ? {} : services.includes(on) ? { service: on } : { on };
  const fits = (rule: RuleView, kind: RuleView): boolean =>
    rule.kind === kind.kind &&
    rule.status === kind.status &&
    (rule.service ?? rule.on ?? "") === on;
  const toggle = (kind: RuleView, isOn: boolean): Promise<unknown> =>
    setFaults(
      isOn ? [...rules, { ...kind, ...place(), times }] : rules.filter((rule) => !fits(rule, kind)),
    );
  return (
    <Section
      title="Faults"
      aside={faults.kind !== "none" && <Action run={() => setFaults(null)}>Switch all off</Action>}
    >
      <div class="fields">
        <label class="field">
          <span>Requests</span>
          <select value={on} onChange={(event) => setOn(event.currentTarget.value)}>
            <option value="">every request</option>
            {services.map((service) => (
              <optgroup key={service} label={service}>
                <option value={service}>all of {service}</option>
                {calls[service]?.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        <label class="field">
          <span>How often</span>
          <select
            value={String(times)}
            onChange={({ currentTarget: { value } }) =>
              setTimes(value === "all" ? "all" : Number(value))
            }
          >
            <option value="all">until it is switched off</option>
            <option value="1">once</option>
            <option value="3">three times</option>
            <option value="10">ten times</option>
          </select>
        </label>
      </div>
      <ul class="switches">
        {KINDS.map(({ rule, label, text }) => (
          <li key={label}>
            <Switch
              label={label}
              text={text}
              isOn={rules.some((each) => fits(each, rule))}
              onChange={(isOn) => toggle(rule, isOn)}
            />
          </li>
        ))}
      </ul>
      {rules.length > 0 && (
        <ol class="rules" aria-label="Rules, of which the first that fits is played">
          {rules.map((rule, at) => (
            <li key={at}>
              <code>{describe(rule)}</code>
              <Action
                tone="danger"
                label={`Remove the rule ${describe(rule)}`}
                run={() => setFaults(rules.filter((_, other) => other !== at))}
              >
                Remove
              </Action>
            </li>
          ))}
        </ol>
      )}
      {faults.kind === "function" && (
        <p class="note">A function of the program chooses the faults. A switch replaces it.</p>
      )}
    </Section>
  );
}

/** A switch that waits for the sandbox. */
function Switch({
  label,
  text,
  isOn,
  onChange,
}: {
  label: string;
  text: string;
  isOn: boolean;
  onChange: (isOn: boolean) => Promise<unknown>;
}) {
  const [error, setError] = useState("");
  const change = async (next: boolean): Promise<void> => {
    try {
      await onChange(next);
      setError("");
    } catch (thrown) {
      setError((thrown as Error).message);
    }
  };
  return (
    <>
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          onClick={(event) => {
            // It moves when the sandbox has done it.
            event.preventDefault();
            void change(!isOn);
          }}
        />
        <span>
          <strong>{label}</strong> <span class="muted">{text}</span>
        </span>
      </label>
      <Failure message={error} />
    </>
  );
}

function describe({ kind, status, ms, on, service, times, skip }: RuleView): string {
  const what = [kind, status, ms === undefined ? "" : `${ms} ms`].filter(Boolean).join(" ");
  const where = on ?? service ?? "every request";
  const often = times === "all" ? "always" : `${times ?? 1}×`;
  return [what, where, often, skip ? `after ${skip}` : ""].filter(Boolean).join(" · ");
}

const RANDOM_KINDS = ["reset", "lost", "truncate", "garbage", "delay", 503, 429] as const;

function Random({ faults }: { faults: FaultsView }) {
  const current = faults.kind === "rate" ? faults.rate : undefined;
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
            {kind}
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
