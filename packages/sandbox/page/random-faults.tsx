import { useState } from "preact/hooks";
import type { FaultsView } from "../src/engine/controls/wire.ts";
import { nameOf } from "./fault-text.ts";
import { Action, Section } from "./parts.tsx";
import { setFaults } from "./set-faults.ts";

const RANDOM_KINDS = ["reset", "lost", "truncate", "garbage", "delay", 503, 429] as const;

/** Faults of a random share of the requests. */
export function RandomFaults({ faults }: { faults: FaultsView }) {
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
