import { type AnyRecord, isRecord, isSecret } from "@fieldmesh/core/internal";
import {
  declaredInHidden,
  type PersonalField,
  personalFields,
  signedLinks,
} from "../events/generated/personal-fields.ts";
import { familyOf } from "../events/pattern.ts";
import { namesOf } from "../parse/secret-names.ts";

/**
 * Splits the object of a parsed event, whose codes are Secrets, or its previous values. `personal` has the personal fields that the user
 * has named, by path. `isPart` tells whether a field is in neither part.
 */
export function splitObject(type: string, object: AnyRecord, stored: ReadonlySet<PersonalField>) {
  const family = familyOf(type);
  const declared = declaredInHidden[type];
  const codes = namesOf(type);
  const isStored = (path: string): boolean => (stored as ReadonlySet<string>).has(path);
  const personal: Record<string, unknown> = {};
  let isPart = false;

  const record = (value: AnyRecord, path: string): AnyRecord => {
    const kept: [name: string, value: unknown][] = [];
    for (const [name, member] of Object.entries(value)) {
      const itsPath = path === "" ? name : `${path}.${name}`;
      const isHidden = path === "" && declared !== undefined && !declared.includes(name);
      if (member === undefined) continue;
      if (isNeverStored(name, member, codes)) isPart = true;
      else if (!isHidden && !isPersonal(`${family}.${itsPath}`, name))
        kept.push([text(name), part(member, itsPath)]);
      else if ((isStored(`${family}.${itsPath}`) || isStored(`${family}.*`)) && member !== null)
        personal[text(itsPath)] = withoutSecrets(member, codes);
      else isPart = true;
    }
    return Object.fromEntries(kept);
  };
  const part = (value: unknown, path: string): unknown => {
    if (Array.isArray(value))
      return value.map((item) => (isSecret(item) ? null : part(item, path)));
    if (isRecord(value)) return record(value, path);
    return typeof value === "string" ? text(value) : value;
  };
  const state = record(object, "");
  return { state, personal, isPart };
}

function withoutSecrets(value: unknown, codes: readonly string[]): unknown {
  if (Array.isArray(value))
    return value.map((item) => (isSecret(item) ? null : withoutSecrets(item, codes)));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name, member]) => member !== undefined && !isNeverStored(name, member, codes))
        .map(([name, member]) => [text(name), withoutSecrets(member, codes)]),
    );
  return typeof value === "string" ? text(value) : value;
}

/**
 * Codes, signed links, and the PIN of a port-out, whose field the spec does not name. A schema of the user may have revealed a code,
 * so its name counts too.
 */
function isNeverStored(name: string, value: unknown, codes: readonly string[]): boolean {
  return isSecret(value) || codes.includes(name) || signedLinks.includes(name) || PIN.test(name);
}

const PIN = /(?:^|_)pin(?:_|$)/i;

const marked: ReadonlySet<string> = /* @__PURE__ */ new Set(personalFields);

/**
 * The names that are personal wherever an object has them. `reason` is not: what one family calls so was written by a person, and
 * in another one, it is a value of a list.
 */
const markedNames: ReadonlySet<string> = /* @__PURE__ */ new Set(
  personalFields
    .map((path) => path.slice(path.lastIndexOf(".") + 1))
    .filter((name) => name !== "reason"),
);

function isPersonal(path: string, name: string): boolean {
  return marked.has(path) || markedNames.has(name);
}

/** PostgreSQL cannot store these characters in JSON. */
function text(value: string): string {
  return value.toWellFormed().replaceAll("\0", "\uFFFD");
}
