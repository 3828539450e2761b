/** Returns true for a method that has another effect each time it is carried out. */
export function isOnlyOnce(method: string): boolean {
  return method === "POST" || method === "PATCH";
}
