/** The role of a key, which is its prefix. */
export type KeyRole = "pk" | "rk" | "sk";

export const ROLES: readonly KeyRole[] = ["pk", "rk", "sk"];

/** The fields that identify a subscriber. */
const PERSONAL_FIELDS = ["email", "phone", "date_of_birth", "name"] as const;

export function hasRole(key: string, roles: readonly KeyRole[]): boolean {
  return roles.some((role) => key.startsWith(`${role}_`));
}

/** Returns the record without personal data. */
export function withoutPersonalData<R extends object>(record: R): R {
  const hidden = PERSONAL_FIELDS.filter((field) => field in record).map((field) => [field, null]);
  return { ...record, ...Object.fromEntries(hidden) };
}
