import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { isHidden, stringify } from "./json.ts";
import { Failure } from "./parts.tsx";

/** Fetches the value at a JSON pointer. */
export type Reveal = (pointer: string) => Promise<unknown>;

/** A value that was hidden, behind a button that fetches it. */
export function Hidden({ name, reveal }: { name: string; reveal: () => Promise<unknown> }) {
  const [shown, setShown] = useState<{ readonly value: unknown }>();
  const [error, setError] = useState("");
  if (shown !== undefined)
    return (
      <>
        <span class="revealed">
          {typeof shown.value === "string" ? shown.value : stringify(shown.value, 2)}
        </span>{" "}
        <button
          type="button"
          class="quiet"
          aria-label={`Hide ${name}`}
          onClick={() => setShown(undefined)}
        >
          Hide
        </button>
      </>
    );
  const show = async (): Promise<void> => {
    try {
      setShown({ value: await reveal() });
      setError("");
    } catch (thrown) {
      setError((thrown as Error).message);
    }
  };
  return (
    <>
      <span class="dots" aria-hidden="true">
        ••••••
      </span>{" "}
      <button type="button" class="quiet" aria-label={`Show ${name}`} onClick={() => void show()}>
        Show
      </button>
      <Failure message={error} />
    </>
  );
}

/** Lines that are drawn at first. More would take a second to draw. */
const FIRST_LINES = 400;

/** Shows JSON with its hidden values behind buttons. */
export function JsonView({ value, reveal }: { value: unknown; reveal?: Reveal | undefined }) {
  const [isWhole, setWhole] = useState(false);
  const lines = linesOf(value, reveal);
  const drawn = isWhole ? lines : lines.slice(0, FIRST_LINES);
  return (
    <div class="json" tabIndex={0} role="group" aria-label="JSON">
      {drawn.map(({ depth, content }, at) => (
        <div key={at} style={{ paddingLeft: `${depth * 1.25}em` }}>
          {content}
        </div>
      ))}
      {drawn.length < lines.length && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {lines.length} lines
        </button>
      )}
    </div>
  );
}

interface Line {
  readonly depth: number;
  readonly content: ComponentChildren;
}

function linesOf(root: unknown, reveal: Reveal | undefined): Line[] {
  const lines: Line[] = [];
  const add = (
    value: unknown,
    place: { name?: string; pointer: string; depth: number; end: string },
  ): void => {
    const { name, pointer, depth, end } = place;
    const key = name === undefined ? "" : <span class="key">{JSON.stringify(name)}: </span>;
    const put = (content: ComponentChildren): void => void lines.push({ depth, content });
    if (isHidden(value) && reveal !== undefined) {
      const label = name ?? "the value";
      put([key, <Hidden name={label} reveal={() => reveal(pointer)} />, end]);
      return;
    }
    if (typeof value !== "object" || value === null) {
      put([key, <span class={`value ${kindOf(value)}`}>{stringify(value)}</span>, end]);
      return;
    }
    const isList = Array.isArray(value);
    const entries = Object.entries(value);
    const [start, stop] = isList ? ["[", "]"] : ["{", "}"];
    if (entries.length === 0) return put([key, start, stop, end]);
    put([key, start]);
    entries.forEach(([child, each], at) =>
      add(each, {
        ...(!isList && { name: child }),
        pointer: `${pointer}/${child.replaceAll("~", "~0").replaceAll("/", "~1")}`,
        depth: depth + 1,
        end: at === entries.length - 1 ? "" : ",",
      }),
    );
    put([stop, end]);
  };
  add(root, { pointer: "", depth: 0, end: "" });
  return lines;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value;
}
