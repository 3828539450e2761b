/** The points of a delivery at which a process can be killed. */
export const POINTS = [
  "before claim",
  "after claim",
  "in the handler",
  "after its effect",
  "after complete",
] as const;
export type Point = (typeof POINTS)[number];

export type Kind = "inbox" | "postgres" | "redis";

/** The task of a child process. */
export interface ReceiverTask {
  readonly kind: Kind;
  readonly postgresUrl: string;
  readonly redisUrl?: string | undefined;
  readonly secret: string;
  readonly lease: number;
  /** The share of events whose second handler fails. */
  readonly failureRate: number;
}

export const TABLE = "bench_events";
export const EFFECTS = "bench_effects";
export const OVERLAPS = "bench_overlaps";
export const FAILURES = "bench_failures";
