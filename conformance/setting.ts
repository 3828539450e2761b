/** Where the servers of a run listen. It is JSON, because the checks run in another program. */
export interface Setting {
  /** Base URLs at which each service responds with the samples of its rows, by the name of the service. */
  readonly samples: Readonly<Record<string, string>>;
  /** A sandbox with state for all checks that follow from what was done before. */
  readonly sandbox: Place & { readonly ledger: string; readonly account: string };
  /** Consoles of which each plays one fault, by its name. */
  readonly faults: Readonly<Record<string, Place>>;
}

/** A console and its key. */
export interface Place {
  readonly console: string;
  readonly apiKey: string;
}

/** A sentence that must hold on every runtime. */
export interface Check {
  readonly title: string;
  /** Throws where it does not hold. */
  readonly run: (setting: Setting) => unknown;
}

/** What became of a check. */
export interface Finding {
  readonly title: string;
  /** The error, where it does not hold. */
  readonly error?: string;
}
