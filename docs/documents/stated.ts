import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A row or a sentence of the published contract. Its generator is `spec`. */
interface SpecRow {
  readonly subject: string;
  readonly names: readonly string[];
  readonly statuses?: readonly number[];
  readonly values?: readonly (readonly [field: string, value: string])[];
  readonly forms?: readonly string[];
  readonly fields?: readonly { readonly name: string; readonly presence?: string }[];
}

const FILE = "tools/testing/spec-names.json";
const rows = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "..", FILE), "utf8"),
) as readonly SpecRow[];

/** Tells whether the contract states an error status for a route, such as `GET /v1/accounts`. */
export function isStatedStatus(route: string, status: number): boolean {
  const own = normal(route);
  return rows.some(
    ({ subject, statuses = [] }) => normal(subject) === own && statuses.includes(status),
  );
}

/** Tells whether the contract states a value for a field, or names a value that is no ordinary word. */
export function isStatedValue(field: string, value: string): boolean {
  return rows.some(
    ({ subject, names, values = [] }) =>
      values.some(([name, stated]) => stated === value && isNamed(name, field)) ||
      (/[._]/.test(value) && (subject === value || names.includes(value))),
  );
}

/** Tells whether the contract states the form of a field, such as `UUID` or `at most 1000`. */
export function isStatedForm(field: string, form: string): boolean {
  return rows.some(
    ({ subject, names, forms = [] }) =>
      forms.includes(form) && (subject === field || names.includes(field)),
  );
}

/** Tells whether the contract requires a field in a request. */
export function isStatedRequired(field: string): boolean {
  return rows.some(({ fields = [] }) =>
    fields.some(({ name, presence }) => name === field && presence === "required"),
  );
}

/** Returns the names of the fields that the contract states for an event type. */
export function statedFieldsOf(type: string): string[] {
  const own = rows.filter(({ subject }) => subject === type);
  const names = own.flatMap(({ names: all, fields = [] }) => [
    ...all,
    ...fields.map(({ name }) => name),
  ]);
  return [...new Set(names.map((name) => name.replace(/.*\./, "")))];
}

/** `subscription_status` is the status of a subscription. */
function isNamed(name: string, field: string): boolean {
  return field === name || field.endsWith(`_${name}`);
}

/** The contract writes parameters in two ways. A route of ours may have a query. */
function normal(route: string): string {
  return route.replaceAll(/\{(\w+)\}/g, ":$1").replace(/\?.*$/, "");
}
