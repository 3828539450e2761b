/** Tells whether a string looks like the name of a field: mostly letters, few digits. A key, an EUI or a number has more digits. */
export function isFieldName(key: string): boolean {
  return /^[a-z_$][\w$-]{0,39}$/i.test(key) && key.replace(/\D/g, "").length <= 3;
}
