/** The first sentence of a doc comment, without its full stop. */
export function summaryText(text: string): string {
  return plain(firstSentence(text));
}

/** What else a doc comment says, as far as it is true in a shell too. */
export function descriptionText(text: string): string {
  const rest = text.slice(firstSentence(text).length).replace(/^[.:;]\s*/, "");
  const shown = fieldText(rest);
  return shown.charAt(0).toUpperCase() + shown.slice(1);
}

/** The doc comment of a field, as far as it is true in a shell too. */
function fieldText(text: string): string {
  const sentences = text
    .replace(/a Date, an ISO 8601 string or a relative time \(see [^)]*\)/g, TIME)
    .replace(/[,:] (as )?a string or a Secret/g, "")
    .split(/(?<=\.)\s+/);
  // What follows such a sentence often refers to it.
  const end = sentences.findIndex((sentence) => ABOUT_CODE.test(sentence));
  return plain(sentences.slice(0, end < 0 ? undefined : end).join(" "));
}

/** The text of an option: in lower case and without the last full stop, as marks such as `(required)` follow it. */
export function optionText(text: string, fallback: string | undefined): string {
  const shown = fieldText(text).replace(/\.$/, "");
  const first = /^[A-Z](?=[a-z]* )/.test(shown) ? shown.charAt(0).toLowerCase() : shown.charAt(0);
  const ends =
    fallback === undefined ? "" : ` (default: ${fallback.replaceAll(/(?<=\d)_(?=\d)/g, ",")})`;
  return first + shown.slice(1) + ends;
}

const TIME = 'an ISO 8601 string or a relative time such as "-1 day"';

/** Of a client in TypeScript: its options, types and results. */
const ABOUT_CODE =
  /@link|\boptions?\b|Secrets?\b|Error\b|\berrors?\b|\b[Yy]ou get\b|\bprefer\b|\bparse[A-Z]|`\w*[a-z][A-Z]\w*`/;

function firstSentence(text: string): string {
  return /^[^]+?(?=[.:;](\s|$)|$)/.exec(text)?.[0] ?? text;
}

/** Without the marks of Markdown. */
function plain(text: string): string {
  return text.replace(/`|\*\*/g, "").trim();
}
