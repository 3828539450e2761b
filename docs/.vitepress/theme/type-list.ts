// oxlint-disable-next-line import/no-unassigned-import -- styles have nothing to assign
import "./type-list.css";

let list: HTMLElement | undefined;

/**
 * Adds a button after each sample that has types, which shows them as a list until Escape. The tips of the pointer would need
 * a tab stop for each name. The button appears when it has the focus.
 */
export function listTypes(): void {
  for (const pre of document.querySelectorAll(".vp-doc pre")) {
    const types = [...pre.querySelectorAll<HTMLElement>("[data-type]")].map(
      ({ dataset }) => dataset["type"] ?? "",
    );
    if (types.length === 0 || pre.nextElementSibling?.className === "fm-types-button") continue;
    pre.after(createButton([...new Set(types)]));
  }
}

function createButton(types: readonly string[]): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "fm-types-button";
  button.textContent = "Show types";
  button.addEventListener("click", () => {
    list ??= createList();
    // The browser opens and closes a popover of this button by itself, and closes it on Escape.
    button.popoverTargetElement = list;
    if (button.nextElementSibling === list) return;
    list.replaceChildren(...types.map(createType));
    button.after(list);
  });
  return button;
}

function createList(): HTMLElement {
  const element = document.createElement("div");
  element.className = "fm-types";
  element.popover = "auto";
  element.role = "group";
  element.ariaLabel = "Types in this sample";
  // A long list scrolls, and the keyboard must reach it for that.
  element.tabIndex = 0;
  return element;
}

function createType(type: string): HTMLElement {
  const element = document.createElement("code");
  element.textContent = type;
  return element;
}
