/** Returns an event in the form of the list of stored events. */
export function storedEvent(id: string, more: object = {}) {
  return {
    id,
    type: "plan.created",
    created_at: "2026-11-20T08:30:00Z",
    livemode: false,
    data: { object: { id: "plan_1" } },
    idempotency_key: "i",
    ...more,
  };
}
