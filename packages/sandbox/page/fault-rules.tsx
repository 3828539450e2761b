import { useState } from "preact/hooks";
import type { RuleView, Settings, FaultsView } from "../src/engine/controls/wire.ts";
import { useSandboxTime } from "./clock-bar.tsx";
import { arePlayed, isOver, nameOf, oftenText, ruleText } from "./fault-text.ts";
import { span } from "./format.ts";
import { Action, Section } from "./parts.tsx";
import { Switch } from "./switch.tsx";
import { call } from "./api.ts";

/** The kinds of faults, and what a client sees of each. */
const KINDS: readonly { readonly rule: RuleView; readonly text: string }[] = [
  { rule: { kind: "reset" }, text: "The connection breaks before the work is done." },
  { rule: { kind: "lost" }, text: "The work is done, and the connection breaks." },
  { rule: { kind: "truncate" }, text: "The response ends in the middle." },
  { rule: { kind: "garbage" }, text: "The body is not JSON in any encoding." },
  {
    rule: { kind: "delay", ms: 2_000 },
    text: "The work is done two seconds late, even if its caller has left.",
  },
  { rule: { kind: "status", status: 503 }, text: "Service Unavailable, without the work." },
  { rule: { kind: "status", status: 429 }, text: "Too many requests." },
];

const TEN = 600_000;
const OUTAGE: RuleView = { kind: "status", status: 503, duration: TEN };

/** How long a rule is played: for a time, or for a number of requests. */
const LASTING: Readonly<Record<string, { readonly text: string; readonly rule: object }>> = {
  all: { text: "until it is switched off", rule: { times: "all" } },
  minute: { text: "for one minute", rule: { duration: TEN / 10 } },
  ten: { text: "for ten minutes", rule: { duration: TEN } },
  hour: { text: "for one hour", rule: { duration: 6 * TEN } },
  once: { text: "once", rule: { times: 1 } },
  three: { text: "three times", rule: { times: 3 } },
  many: { text: "ten times", rule: { times: 10 } },
};

/** Rules that play a fault for the requests of one call, of one service, or for every request. */
export function FaultRules({ settings: { faults, calls } }: { settings: Settings }) {
  const [on, setOn] = useState("");
  const [lasting, setLasting] = useState("all");
  const now = useSandboxTime();
  const rules = faults.kind === "rules" ? faults.rules.filter((rule) => !isOver(rule, now)) : [];
  const services = Object.keys(calls);
  const place = (): Partial<RuleView> =>
    on === "" ? {} : services.includes(on) ? { service: on } : { on };
  const fits = (rule: RuleView, kind: RuleView): boolean =>
    rule.kind === kind.kind &&
    rule.status === kind.status &&
    (rule.service ?? rule.on ?? "") === on;
  const toggle = (kind: RuleView, isOn: boolean): Promise<unknown> =>
    setFaults(
      isOn
        ? [...rules, { ...kind, ...place(), ...LASTING[lasting]?.rule }]
        : rules.filter((rule) => !fits(rule, kind)),
    );
  return (
    <Section
      title="Faults"
      aside={arePlayed(faults, now) && <Action run={() => setFaults(null)}>Switch all off</Action>}
    >
      <div class="row">
        <Action run={() => setFaults([...rules, OUTAGE])}>503 for ten minutes</Action>
        <span class="muted">An outage of all services, by the clock of the sandbox.</span>
      </div>
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
          <span>How long the next one is played</span>
          <select value={lasting} onChange={(event) => setLasting(event.currentTarget.value)}>
            {Object.entries(LASTING).map(([name, { text }]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </div>
      <ul class="switches">
        {KINDS.map(({ rule, text }) => {
          const current = rules.find((each) => fits(each, rule));
          return (
            <li key={nameOf(rule)}>
              <Switch
                label={nameOf(rule)}
                text={current === undefined ? text : `${text} On ${oftenText(current)}.`}
                isOn={current !== undefined}
                onChange={(isOn) => toggle(rule, isOn)}
              />
            </li>
          );
        })}
      </ul>
      {rules.length > 0 && (
        <ol class="rules" aria-label="Rules, of which the first that fits is played">
          {rules.map((rule, at) => (
            <li key={at}>
              <span>{ruleText(rule)}</span>
              {rule.until !== undefined && (
                <>
                  <span class="muted">{span(rule.until - now)} left</span>
                  <Action
                    label={`Extend the rule ${ruleText(rule)} by 10 min`}
                    run={() => setFaults(rules.with(at, { ...rule, until: rule.until! + TEN }))}
                  >
                    +10 min
                  </Action>
                </>
              )}
              <Action
                tone="danger"
                label={`Remove the rule ${ruleText(rule)}`}
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

/** Replaces the faults of the sandbox; `null` switches them off. */
export function setFaults(faults: unknown): Promise<FaultsView> {
  return call("POST /sandbox/faults", { body: { faults } });
}
