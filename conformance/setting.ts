/** The addresses of the servers of a run. It is JSON, because the checks run in another program. */
export interface Setting {
  /** Base URLs where each service responds with the samples of its rows, by the name of the service. */
  readonly samples: Readonly<Record<string, string>>;
  /** A sandbox with state, for checks that depend on earlier calls. */
  readonly sandbox: Place & { readonly ledger: string; readonly account: string };
  /** Consoles that each play one fault, by its name. */
  readonly faults: Readonly<Record<string, Place>>;
}

/** A console and its key. */
export interface Place {
  readonly console: string;
  readonly apiKey: string;
}

/** A rule that must hold on every runtime. */
export interface Check {
  readonly title: string;
  /** Throws if the rule does not hold. */
  readonly run: (setting: Setting) => unknown;
}

/** The result of a check. */
export interface Finding {
  readonly title: string;
  /** The error, if the rule does not hold. */
  readonly error?: string;
}
