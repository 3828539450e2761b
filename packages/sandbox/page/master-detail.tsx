import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A list, and what is selected in it beside it. On a phone, what is selected covers the list. */
export function MasterDetail({
  list,
  details,
  isOpen,
  onClose,
}: {
  list: ComponentChildren;
  details: ComponentChildren;
  isOpen: boolean;
  onClose: () => void;
}) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // Escape closes a dialog first.
      const isElsewhere =
        event.target instanceof HTMLInputElement || document.querySelector("dialog[open]") !== null;
      if (event.key === "Escape" && isOpen && !isElsewhere) onClose();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [isOpen, onClose]);
  return (
    <div class={`master ${isOpen ? "is-open" : ""}`}>
      <div class="master-list">{list}</div>
      {isOpen && (
        <section class="details" aria-label="Details" tabIndex={0}>
          <button type="button" class="close" onClick={onClose}>
            Close <kbd>Esc</kbd>
          </button>
          {details}
        </section>
      )}
    </div>
  );
}

/** The words of a filter, what each has matched, and how many records of all fit. */
export interface FilterField {
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly said: string;
  readonly found: number;
  readonly total: number;
}

/** A field that filters a list, words that are often useful, and what each word has matched. The key `/` leads to it. */
export function Filter({
  label,
  placeholder,
  suggestions = [],
  said,
  words,
  onWords,
  found,
  total,
  children,
}: FilterField & {
  label: string;
  placeholder: string;
  suggestions?: readonly string[];
  /** What can be done with the list, beside the field. */
  children?: ComponentChildren;
}) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const list = document.querySelector<HTMLElement>(".list");
    if (event.key === "Escape" && words !== "") onWords("");
    else if (event.key === "Escape" || event.key === "ArrowDown" || event.key === "Enter")
      list?.focus();
    else return;
    event.preventDefault();
  };
  const given = words.split(/\s+/).filter(Boolean);
  const toggle = (word: string): void =>
    onWords(
      (given.includes(word) ? given.filter((each) => each !== word) : [...given, word]).join(" "),
    );
  return (
    <div class="filter">
      <div class="row">
        <kbd aria-hidden="true">/</kbd>
        <input
          ref={field}
          type="search"
          aria-label={label}
          placeholder={placeholder}
          value={words}
          onInput={(event) => onWords(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {children}
      </div>
      <div class="row">
        {suggestions.map((word) => (
          <button
            key={word}
            type="button"
            class="chip"
            aria-pressed={given.includes(word)}
            onClick={() => toggle(word)}
          >
            {word}
          </button>
        ))}
        <output class="muted">
          {/* One string: of two, the second one would move. */}
          {`${found.toLocaleString("en")} of ${total.toLocaleString("en")}${said && `: ${said}`}`}
        </output>
      </div>
    </div>
  );
}
