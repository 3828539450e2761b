import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** A list of which only the visible part is drawn. */
interface ListProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly idOf: (item: T) => string | number;
  readonly selected: string | number | undefined;
  readonly onSelect: (id: string) => void;
  readonly draw: (item: T) => ComponentChildren;
  /** What is marked for an action on several items. The key x marks. */
  readonly marks?: {
    readonly marked: ReadonlySet<string | number>;
    readonly toggle: (id: string | number) => void;
  };
  readonly empty: ComponentChildren;
}

/** The height of a line, which style.css has too. */
const LINE = 30;
/** Lines that are drawn above and below the visible ones. */
const MARGIN = 8;
const PAGE = 10;
/** Where these keys mean something else. */
const KEYS_OF_OTHERS = "input, select, textarea, dialog, [role=listbox]";
/** The keys of the list while nothing has the focus. */
const FREE_KEYS = new Set(["j", "k", "x", "ArrowDown", "ArrowUp"]);

/** Shows items with the newest first. Arrows, j, k, Home, End and Enter select. */
export function List<T>({ items, idOf, selected, onSelect, marks, ...props }: ListProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const count = items.length;
  const itemAt = (index: number): T => items[count - 1 - index]!;
  const indexOf = (id: string | number | undefined): number => {
    if (id === undefined) return -1;
    for (let at = count - 1; at >= 0; at--) if (idOf(items[at]!) === id) return count - 1 - at;
    return -1;
  };
  const current = indexOf(selected);

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [count === 0]);

  // What is read stays in its place when new items arrive above it.
  const first = useRef<{ readonly id: string | number; readonly index: number } | undefined>(
    undefined,
  );
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const before = first.current;
    if (before !== undefined && element.scrollTop > 0) {
      const moved = indexOf(before.id) - before.index;
      if (moved > 0) element.scrollTop += moved * LINE;
    }
    const index = Math.floor(element.scrollTop / LINE);
    first.current = count > index ? { id: idOf(itemAt(index)), index } : undefined;
  });

  const select = (index: number): void => {
    if (count === 0) return;
    const next = Math.max(0, Math.min(count - 1, index));
    onSelect(String(idOf(itemAt(next))));
    const element = box.current;
    if (element === null) return;
    const [start, end] = [next * LINE, (next + 1) * LINE];
    if (start < element.scrollTop) element.scrollTop = start;
    else if (end > element.scrollTop + element.clientHeight)
      element.scrollTop = end - element.clientHeight;
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "x" && selected !== undefined) return marks?.toggle(selected);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: PAGE,
      PageUp: -PAGE,
      Home: -Infinity,
      End: Infinity,
      Enter: 0,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    select(current === -1 ? 0 : current + step);
  };

  const latest = useRef(onKeyDown);
  latest.current = onKeyDown;
  useEffect(() => {
    // At first, nothing has the focus. After a click in the menu or on a button, arrows still scroll, and letters move.
    const onKey = (event: KeyboardEvent): void => {
      if (!FREE_KEYS.has(event.key)) return;
      const { target } = event;
      const isLetter = event.key.length === 1;
      const isFree =
        isLetter && target instanceof Element && target.closest(KEYS_OF_OTHERS) === null;
      if (target === document.body || isFree) latest.current(event);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  // Another element than the list, so that nothing moves when the first item arrives.
  if (count === 0)
    return (
      <div key="empty" class="empty">
        {props.empty}
      </div>
    );
  const from = Math.max(0, Math.floor(top / LINE) - MARGIN);
  const to = Math.min(count, Math.ceil((top + height) / LINE) + MARGIN);
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  const isDrawn = current >= from && current < to;
  return (
    <div
      key="list"
      class={marks === undefined ? "list" : "list marks"}
      ref={box}
      role="listbox"
      aria-label={props.label}
      aria-multiselectable={marks !== undefined}
      tabIndex={0}
      aria-activedescendant={isDrawn ? `item-${selected}` : undefined}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <div class="list-space" role="presentation" style={{ height: `${count * LINE}px` }}>
        {indexes.map((index) => {
          const item = itemAt(index);
          const id = idOf(item);
          return (
            <div
              key={id}
              id={`item-${id}`}
              class="line"
              role="option"
              aria-selected={id === selected}
              aria-checked={marks?.marked.has(id)}
              aria-setsize={count}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${index * LINE}px)` }}
              onClick={() => onSelect(String(id))}
            >
              {marks !== undefined && (
                <span
                  class="tick"
                  aria-hidden="true"
                  title="Select (x)"
                  onClick={(event) => {
                    event.stopPropagation();
                    marks.toggle(id);
                  }}
                />
              )}
              {props.draw(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
