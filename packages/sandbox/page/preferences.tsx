import { useEffect, useState } from "preact/hooks";
import { times } from "./format.ts";
import { update, useStore } from "./store.ts";

const THEMES = ["system", "light", "dark"] as const;
const ZONES = ["UTC", "local"] as const;

/** Chooses between the theme of the system, light and dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(() => readChoice("fieldmesh-theme", THEMES));
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    localStorage.setItem("fieldmesh-theme", theme);
  }, [theme]);
  return <Choice label="Theme" choices={THEMES} value={theme} onChange={setTheme} />;
}

/** Reads in which zone the user wants times, before the first one is written. */
export function readZone(): void {
  times.areLocal = readChoice("fieldmesh-times", ZONES) === "local";
}

/** Chooses between times in UTC and those of this machine. */
export function ZoneSwitch() {
  useStore();
  const choose = (zone: (typeof ZONES)[number]): void => {
    localStorage.setItem("fieldmesh-times", zone);
    update(() => void (times.areLocal = zone === "local"));
  };
  return (
    <Choice
      label="Times are"
      choices={ZONES}
      value={times.areLocal ? "local" : "UTC"}
      onChange={choose}
    />
  );
}

function Choice<T extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  label: string;
  choices: readonly T[];
  value: T;
  onChange: (choice: T) => void;
}) {
  return (
    <label>
      <span class="hidden">{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {choices.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function readChoice<T extends string>(name: string, choices: readonly [T, ...T[]]): T {
  const stored = localStorage.getItem(name);
  return choices.find((choice) => choice === stored) ?? choices[0];
}
