import { type AnyRecord, isRecord, isSecret, kindOfName } from "@fieldmesh/core/internal";
import type { HideContext } from "@fieldmesh/core/internal/schema";
import {
  declaredInHidden,
  familyOf,
  namesIn,
  personalFields,
  signedLinks,
} from "@fieldmesh/webhook-types/internal/mirror";

/**
 * Splits the object of a parsed event, whose codes are Secrets, or its previous values. `personal` has the personal fields that the user
 * has named, by path. `isPart` tells whether a field is in neither part.
 */
export function splitObject(type: string, object: AnyRecord, stored: ReadonlySet<string>) {
  const family = familyOf(type);
  const declared = declaredInHidden[type];
  const names = namesIn(type);
  const isStored = (path: string): boolean => stored.has(`${family}.${path}`);
  const personal: Record<string, unknown> = {};
  /** The secrets that the user has named. */
  const revealed: string[] = [];
  let isPart = false;

  const record = (value: AnyRecord, path: string): AnyRecord => {
    const kept: [name: string, value: unknown][] = [];
    for (const [name, member] of Object.entries(value)) {
      const itsPath = path === "" ? name : `${path}.${name}`;
      const isHidden = path === "" && declared !== undefined && !declared.includes(name);
      if (member === undefined) continue;
      if (isSecretIn(name, member, names)) {
        if (isStored(itsPath) && isSecret(member)) {
          personal[text(itsPath)] = text(member.reveal());
          revealed.push(member.reveal());
        } else isPart = true;
      } else if (!isHidden && !isPersonal(`${family}.${itsPath}`, name))
        kept.push([text(name), part(member, itsPath)]);
      else if ((isStored(itsPath) || isStored("*")) && member !== null)
        personal[text(itsPath)] = withoutSecrets(member, names);
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
  return { state, personal, revealed, isPart };
}

function withoutSecrets(value: unknown, names: HideContext): unknown {
  if (Array.isArray(value))
    return value.map((item) => (isSecret(item) ? null : withoutSecrets(item, names)));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name, member]) => member !== undefined && !isSecretIn(name, member, names))
        .map(([name, member]) => [text(name), withoutSecrets(member, names)]),
    );
  return typeof value === "string" ? text(value) : value;
}

/** Codes, PINs and signed links. A schema of the user may have revealed one, so its name counts too. */
function isSecretIn(name: string, value: unknown, names: HideContext): boolean {
  if (isSecret(value) || signedLinks.includes(name)) return true;
  return typeof value !== "boolean" && kindOfName(name, names) === "secret";
}

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

/** Whether a field is in the column `personal`, if it is stored: `path` begins with its family. */
export function isPersonal(path: string, name: string): boolean {
  return marked.has(path) || markedNames.has(name) || kindOfName(name) === "personal";
}

/** PostgreSQL cannot store these characters in JSON. */
function text(value: string): string {
  return value.toWellFormed().replaceAll("\0", "\uFFFD");
}
