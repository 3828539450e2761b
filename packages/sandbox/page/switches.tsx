import type { Switch } from "../src/switch.ts";
import generated from "../src/generated/switches.json" with { type: "json" };
import { useStore } from "./store.ts";

const switches = generated as readonly Switch[];

/** The switches of the services that differ from their defaults, which are what the published spec states. */
export function Switches() {
  const { settings } = useStore();
  const changed = switches.flatMap((each) => {
    const value = valueAt(settings?.options, each.option.split("."));
    return value === undefined || codeOf(value) === codeOf(each.default) ? [] : [{ each, value }];
  });
  if (changed.length === 0) return null;
  return (
    <details class="options">
      <summary>
        {changed.length === 1
          ? "1 switch differs from its default"
          : `${changed.length} switches differ from their defaults`}
      </summary>
      <dl>
        {changed.map(({ each, value }) => (
          <div key={each.option}>
            <dt>
              <code>{each.option}</code> is <code>{codeOf(value)}</code>{" "}
              <span class="muted">
                instead of <code>{codeOf(each.default)}</code>
              </span>
            </dt>
            <dd>{each.about.replaceAll("`", "")}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inside, name) => (inside as Readonly<Record<string, unknown>> | undefined)?.[name],
    value,
  );
}

/** JSON has no Infinity. */
function codeOf(value: unknown): string {
  return value === null ? "Infinity" : JSON.stringify(value);
}
