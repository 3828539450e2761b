/** Tells whether it reads like the name of a field: of letters, with few digits. A key, an EUI or a number has more. */
export function isFieldName(key: string): boolean {
  return /^[a-z_$][\w$-]{0,39}$/i.test(key) && key.replace(/\D/g, "").length <= 3;
}
