/** What the contract states of one field, in its own words. */
export interface StatedField {
  readonly name: string;
  /** The type without "or null": "integer", "string (UUID)", "ISO 8601 timestamp". */
  readonly type?: string;
  /** The contract says "or null", or when the field is null. */
  readonly null?: true;
  /** `required`, `optional`, or the words that say where the field is: "present in create responses". */
  readonly presence?: string;
}

type Note = Omit<StatedField, "name">;

/** What a list of fields follows. */
const BEFORE =
  "(?:^|; |: |\\(|\\b(?:with|holds|query|keys?|fields|params|of|hold|header|includes|type = \\w+,) )";
const FIELD = "[a-z][A-Za-z0-9_]*(?:\\.[a-z_]+)*";
/** "agent (user_id, email)", "agent {user_id, email}", "labels" */
const ITEM = `${FIELD}(?: (?:\\((?:[^()]|\\([^()]*\\))*\\)|\\{[^}]*\\}))?`;
const LIST = new RegExp(
  `(?<=${BEFORE})${ITEM}(?:(?:, and|,| and| or) ${ITEM})*(?:(?=$|[.;:)]| arrays|, \\w+ = )|(?<=\\)))`,
  "g",
);
const SPLIT = /([\w.]+)(?: \(((?:[^()]|\([^()]*\))*)\)| \{([^}]*)\})?(?:, and |, | and | or |$)/g;
const TYPE = /\b(?:integer|float|number|strings?|boolean|array|object|map|UUIDs?|ISO 8601)\b/;
/** A sentence that lists fields has one of these words. */
const SAYS = /\b(?:has|holds|adds|keys|fields|query)\b/;

/** Returns the fields that a sentence or a cell lists, with what is in the parentheses after each. */
export function fieldsIn(text: string, isCell = false): StatedField[] {
  const [, only, type] = new RegExp(`^(${FIELD}): (\\w+)\\.$`).exec(text) ?? [];
  if (only !== undefined && type !== undefined && TYPE.test(type)) return [{ name: only, type }];
  return [...text.matchAll(LIST)].flatMap((found) => {
    const [list] = found;
    const items = [...list.matchAll(SPLIT)].map(([, name = "", round, curly]) => ({
      name,
      note: round ?? curly ?? "",
    }));
    const isOptional = / (?:may hold|optional query) $/.test(text.slice(0, found.index));
    const isSaid = items.some(({ note }) => TYPE.test(note) || SHARED.test(note));
    const isList = items.length > 1 && !/ or /.test(list) && (isCell || SAYS.test(text));
    if (!isSaid && !isList && !isOptional) return [];
    return items.flatMap(({ name, note }, at) => {
      const inner = SHARED.test(note) ? [] : fieldsIn(note, true);
      return [
        { name, ...noteOf(note || sharedNote(items.slice(at))), ...(isOptional && OPTIONAL) },
        ...inner.map((field) => ({ ...field, name: `${name}.${field.name}` })),
      ];
    });
  });
}

const SHARED = /^(?:all|required|optional)\b/;
const OPTIONAL = { presence: "optional" };

/** "name, app_eui (required strings)": the note is about all of them. */
function sharedNote(items: readonly { readonly note: string }[]): string {
  const { note = "" } = items.find((each) => each.note !== "") ?? {};
  return SHARED.test(note) ? note : "";
}

/** Returns what a row of a table of fields states: "adr_allowed | boolean or null". */
export function fieldOf(header: readonly string[], cells: readonly string[]): Note | undefined {
  if (header[0] !== "Field" || header[1] !== "Type") return undefined;
  const [presence] = /^(?:present in|list|search)\b.*/.exec(cells[2] ?? "") ?? [];
  const type = cells[1] ?? "";
  return { ...(isType(type) && noteOf(type)), ...(presence && { presence }) };
}

/** Tells whether the cell of a type lists fields: "object: balance (integer)", "channel, frequency". */
export function isListType(cell: string): boolean {
  return cell.startsWith("object:") || !isType(cell);
}

function isType(cell: string): boolean {
  return TYPE.test(cell.split(/[ ,:]/)[0] ?? "");
}

/** Reads "required, string UUID or null; null removes the profile". */
function noteOf(note: string): Note {
  const [, presence, rest = ""] = /^(?:all )?(required|optional)?[,;]? ?(.*)$/.exec(note) ?? [];
  const [words = ""] = rest.replace(/,? or null\b.*$/, "").split(/[:;]/);
  const type = TYPE.test(words) ? words.replace(/(string|UUID)s$/, "$1").trim() : "";
  return {
    ...(type !== "" && { type }),
    ...(/\bnull\b/.test(rest) && { null: true }),
    ...(presence && { presence }),
  };
}
