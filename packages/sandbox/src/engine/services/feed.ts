import { notify } from "@fieldmesh/core/internal";
import type { LoggedRequest } from "../log/logged-request.ts";
import type { DeliveryRecord } from "../webhooks/delivery.ts";
import type { StoredEvent } from "../webhooks/event-copies.ts";
import type { Rewound } from "./rewound.ts";

export type { Rewound };

/** Something that happened in a sandbox. */
export type SandboxActivity =
  /** A request arrived: `request`. It was responded to, or its connection was broken: `response`. */
  | { readonly kind: "request" | "response"; readonly request: LoggedRequest }
  /** An event was emitted. It contains no code. */
  | { readonly kind: "event"; readonly event: StoredEvent }
  /** A delivery was created, attempted or given up. */
  | { readonly kind: "delivery"; readonly delivery: DeliveryRecord }
  /** The page went back to before a request, which `undo` undoes: both also report `reset`. */
  | { readonly kind: "rewind"; readonly rewound: Rewound }
  | { readonly kind: "undo" }
  /** These settings changed, the controls have moved the clock or cleared the log, or everything was reset. */
  | { readonly kind: "endpoints" | "disturbance" | "faults" | "clock" | "clear" | "reset" };

export type Feed = ReturnType<typeof createFeed>;

/** Creates what calls listeners when something happens. */
export function createFeed() {
  const listeners = new Set<(activity: SandboxActivity) => void>();
  return {
    /** Adds a listener. Returns a function that removes it. */
    watch: (listener: (activity: SandboxActivity) => void) => {
      // Of its own, so that a function that listens twice is called twice.
      const own = (activity: SandboxActivity): void => listener(activity);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    report: (activity: SandboxActivity): void => {
      for (const listener of listeners)
        notify("A listener of the sandbox", listener, (call) => call(activity));
    },
    /** Whether anyone listens. A report that takes work to make is left out otherwise. */
    isWatched: (): boolean => listeners.size > 0,
  };
}
