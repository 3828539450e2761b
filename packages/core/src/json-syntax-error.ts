/**
 * A text that is not JSON.
 *
 * The message says where, and nothing of the text itself: an engine's own message quotes it, and the text may be
 * a body with secrets.
 */
export class JsonSyntaxError extends SyntaxError {
  override name = "JsonSyntaxError";
  /** The index of the first character that no JSON text has in this place, or the length of the text. */
  readonly position: number;
  /** The text ended too early: all of it could be the start of a JSON text, as of a body that broke off. */
  readonly truncated: boolean;

  constructor(text: string) {
    const position = lengthOfValidStart(text);
    const truncated = position === text.length;
    super(
      truncated
        ? "Unexpected end of JSON input"
        : `Unexpected token in JSON at position ${position}`,
    );
    this.position = position;
    this.truncated = truncated;
  }
}

/** Engines word their errors differently, and V8 often tells no position: so read the text again, by the grammar. */
function lengthOfValidStart(text: string): number {
  const reader = new Reader(text);
  const closers: ("}" | "]")[] = [];
  let expected: "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" =
    "value";
  for (;;) {
    const char = reader.peek();
    const closer = closers.at(-1);
    if (char === undefined) return reader.at;
    if (char === closer && expected.endsWith("or end")) {
      reader.at += 1;
      closers.pop();
      expected = "comma or end";
    } else if (expected === "comma or end") {
      if (char !== "," || closer === undefined) return reader.at;
      reader.at += 1;
      expected = closer === "}" ? "key" : "value";
    } else if (expected === "colon") {
      if (char !== ":") return reader.at;
      reader.at += 1;
      expected = "value";
    } else if (expected === "key" || expected === "key or end") {
      if (char !== '"' || !reader.string()) return reader.at;
      expected = "colon";
    } else if (char === "{" || char === "[") {
      reader.at += 1;
      closers.push(char === "{" ? "}" : "]");
      expected = char === "{" ? "key or end" : "value or end";
    } else {
      if (!reader.scalar(char)) return reader.at;
      expected = "comma or end";
    }
  }
}

/** Each method moves `at` behind what it reads, and tells whether that was whole. */
class Reader {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  peek(): string | undefined {
    this.#while(" \t\n\r");
    return this.#text[this.at];
  }

  scalar(first: string): boolean {
    if (first === '"') return this.string();
    const word = WORDS.find((candidate) => candidate.startsWith(first));
    return word === undefined ? this.#number() : this.#word(word);
  }

  string(): boolean {
    this.at += 1;
    for (;;) {
      const code = this.#text.charCodeAt(this.at);
      // Also at the end of the text, where it is NaN.
      if (!(code >= FIRST_PRINTABLE)) return false;
      this.at += 1;
      if (code === QUOTE) return true;
      if (code === BACKSLASH && !this.#escape()) return false;
    }
  }

  #escape(): boolean {
    if (!this.#one("u")) return this.#one('"\\/bfnrt');
    for (let digits = 0; digits < 4; digits += 1)
      if (!this.#one("0123456789abcdefABCDEF")) return false;
    return true;
  }

  #number(): boolean {
    this.#one("-");
    if (!this.#one("0") && !this.#while(DIGITS)) return false;
    if (this.#one(".") && !this.#while(DIGITS)) return false;
    if (!this.#one("eE")) return true;
    this.#one("+-");
    return this.#while(DIGITS);
  }

  #word(word: string): boolean {
    for (const char of word) if (!this.#one(char)) return false;
    return true;
  }

  #one(allowed: string): boolean {
    const char = this.#text[this.at];
    if (char === undefined || !allowed.includes(char)) return false;
    this.at += 1;
    return true;
  }

  #while(allowed: string): boolean {
    const start = this.at;
    while (this.#one(allowed));
    return this.at > start;
  }
}

const WORDS = ["true", "false", "null"];
const DIGITS = "0123456789";
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
