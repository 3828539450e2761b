import { shownAddresses } from "@fieldmesh/core/internal";
import { INVISIBLE, type HoldsSecret } from "@fieldmesh/core/internal/schema";

/** Returns a string from the service in the form that a message may show, or `undefined` if it may contain a secret. */
export type ShowText = (text: unknown) => string | undefined;

const LONGEST = 200;
// Checks more than is shown, so that a secret at the cut is found too.
const LONGEST_CHECKED = 2 * LONGEST;
// A longer string is mostly invisible characters.
const LONGEST_READ = 10 * LONGEST;

const MARKUP = /<[a-z!/?]/i;
// Not a secret of this call, but something in the form of a key.
const KEY = /[\w+/=]{24}/;

/** Creates a filter for strings of a service: drops those with a secret of the call, and shortens others to 200 characters. */
export function createShowText(holdsSecret: HoldsSecret): ShowText {
  return (text) => {
    if (typeof text !== "string") return undefined;
    const visible = text.slice(0, LONGEST_READ).replace(INVISIBLE, "").trim().replace(/\.$/, "");
    const checked = shownAddresses(visible.slice(0, LONGEST_CHECKED));
    if (checked === "" || MARKUP.test(checked) || holdsKey(checked) || holdsSecret(checked))
      return undefined;
    const characters = Array.from(checked);
    return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : checked;
  };
}

/** Tells whether a string has such a run of characters with a digit in it. */
function holdsKey(text: string): boolean {
  return text.split(/\s/).some((word) => KEY.test(word) && /\d/.test(word));
}
