import { useState } from "preact/hooks";
import type { Settings } from "../src/engine/controls/wire.ts";
import { call } from "./api.ts";
import { Failure, Section } from "./parts.tsx";
import { Switch } from "./switch.tsx";

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
export function Disturbances({ disturbance }: { disturbance: Settings["disturbance"] }) {
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
