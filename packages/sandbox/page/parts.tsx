import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { stamp, type Tone } from "./format.ts";
import { addressOf, go, type ViewName } from "./views.ts";

/** A time to the second. A narrow list has no room for its date. */
export function Stamp({ time }: { time: number }) {
  const [date, clock] = stamp(time).split(" ");
  return (
    <>
      <span class="date">{date} </span>
      {clock}
    </>
  );
}

/** A short word on a colored ground. */
export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** A link to a place of the page, which can also be opened in another tab. */
export function Link({
  to,
  id,
  words = "",
  isCurrent = false,
  children,
}: {
  to: ViewName;
  id?: string | undefined;
  words?: string;
  /** Whether the page shows this place. */
  isCurrent?: boolean;
  children: ComponentChildren;
}) {
  return (
    <a
      href={addressOf({ view: to, id, words })}
      aria-current={isCurrent ? "page" : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go(to, id, words);
      }}
    >
      {children}
    </a>
  );
}

/** A button that shows that its work is in progress, and the error of it. */
export function Action({
  run,
  children,
  tone,
  label,
  isDisabled = false,
}: {
  run: () => Promise<unknown> | void;
  children: ComponentChildren;
  tone?: "main" | "danger" | undefined;
  label?: string | undefined;
  isDisabled?: boolean;
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const onClick = async (): Promise<void> => {
    setBusy(true);
    setError("");
    try {
      await run();
    } catch (thrown) {
      setError((thrown as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button
        type="button"
        class={tone}
        disabled={isBusy || isDisabled}
        aria-label={label}
        onClick={() => void onClick()}
      >
        {children}
      </button>
      <Failure message={error} />
    </>
  );
}

/** What went wrong, if anything did. */
export function Failure({ message }: { message: string }) {
  if (message === "") return null;
  return (
    <span class="error" role="alert">
      {message}
    </span>
  );
}

/** Chooses the environment of an event or an endpoint. */
export function LiveSwitch({
  isLive,
  onChange,
}: {
  isLive: boolean;
  onChange: (isLive: boolean) => void;
}) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={isLive}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      Live environment
    </label>
  );
}

/** Copies a string, and says so. */
export function Copy({
  text,
  children,
}: {
  text: () => string | Promise<string>;
  children: ComponentChildren;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(await text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <Action run={copy}>
      {isCopied ? "Copied" : children}
      <span class="hidden" role="status">
        {isCopied ? "Copied" : ""}
      </span>
    </Action>
  );
}

/** A part of the details with a heading. */
export function Section({
  title,
  children,
  aside,
}: {
  title: string;
  children: ComponentChildren;
  aside?: ComponentChildren;
}) {
  return (
    <section class="section">
      <header>
        <h3>{title}</h3>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** Names and values. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
