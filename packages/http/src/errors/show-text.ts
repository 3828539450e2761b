import { type HoldsSecret } from "@fieldmesh/core/schema";

/** Returns what a service says as a message may show it, or `undefined` where it may hold a secret. */
export type ShowText = (text: unknown) => string | undefined;

const LONGEST = 200;
// More is checked than is shown, so that no secret is cut where the string is.
const LONGEST_CHECKED = 2 * LONGEST;
// Of a longer string, most is invisible.
const LONGEST_READ = 10 * LONGEST;

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const MARKUP = /<[a-z!/?]/i;
// No secret of this call, but of such a form: a key of something else.
const KEY = /[\w+/=]{24}/;

/** Creates the filter for the texts of a service. It hides what holds a secret of the call as a whole, and shows the first 200 characters of others. */
export function createShowText(holdsSecret: HoldsSecret): ShowText {
  return (text) => {
    if (typeof text !== "string") return undefined;
    const visible = text.slice(0, LONGEST_READ).replace(INVISIBLE, "").trim().replace(/\.$/, "");
    const checked = visible.slice(0, LONGEST_CHECKED);
    if (checked === "" || MARKUP.test(checked) || holdsKey(checked) || holdsSecret(checked))
      return undefined;
    const characters = Array.from(checked);
    return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : checked;
  };
}

/** A word with such a run and a digit. */
function holdsKey(text: string): boolean {
  return text.split(/\s/).some((word) => KEY.test(word) && /\d/.test(word));
}
