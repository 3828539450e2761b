import { useState } from "preact/hooks";
import { Failure } from "./parts.tsx";

/** A switch that waits for the sandbox. */
export function Switch({
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
