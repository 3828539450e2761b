/** How a part of others misbehaves, once. */
export const FAULTS = {
  never: "never settles",
  late: "settles after the limit",
  twice: "throws after it has settled",
  odd: "returns another form",
} as const;

export type Fault = keyof typeof FAULTS;

/**
 * The result of a part of others: `good`, except for the first time, when the part misbehaves. `odd` is what it then returns in
 * another form.
 */
export type Part = <T>(good: T, odd: unknown) => T | Promise<T>;

/** A wait for something foreign: a row of the table in the decision, and the program that proves it. */
export interface Wait {
  /** What is waited for. */
  readonly part: string;
  /** In milliseconds. `undefined` for a wait that only the signal of the caller ends, 0 for a part that nothing waits for. */
  readonly limit: number | undefined;
  /** The limit as the table shows it: why there is none, or the option that sets it. @default the seconds of `limit` */
  readonly limitText?: string;
  /** What happens after the limit. */
  readonly after: string;
  /** What is reported, and to whom. */
  readonly reported: string;
  /** How the warning starts that is printed while the part hangs. @default none */
  readonly warns?: string;
  /** How it recovers. */
  readonly recovers: string;
  /** Creates what waits for the part. */
  readonly start: (part: Part) => {
    /** What happens before, with a part that works. It is followed by a minute of peace. */
    readonly prepare?: () => Promise<unknown>;
    /** One delivery or one call. Resolves with how it ended in a few words, or rejects with its error. */
    readonly use: () => Promise<string>;
    /** Aborts the signal, for a wait without a limit. */
    readonly abort?: () => void;
  };
  /** How the delivery or call with the misbehaving part ends. */
  readonly ends: Readonly<Record<Fault, string>>;
  /** How the next one ends. */
  readonly works: string;
}
