const DELETIONS: ReadonlySet<string> = new Set([
  "subscriber.deleted",
  "plan.deleted",
  "addon.deleted",
]);

export function isDeletion({ type }: { readonly type: string }): boolean {
  return DELETIONS.has(type);
}

/** Whether an event removes data, which no late older event may bring back: a deletion or a redaction. */
export function isRemoval(event: { readonly type: string }): boolean {
  return isDeletion(event) || isErasure(event);
}

/** Whether an event clears the personal fields of its subscriber. */
export function isErasure({ type }: { readonly type: string }): boolean {
  return type === "subscriber.redacted" || type === "subscriber.deleted";
}
