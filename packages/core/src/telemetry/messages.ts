// What the channels publish. No message holds a URL, an input, a header, a body, an output or the words of an error.

/** How something failed: a status, a code or the name of a class. Words and stacks of errors may hold anything, so they are not published. */
export interface TracedError {
  /** The class of the error, such as `TimeoutError`. */
  readonly name: string;
  /** The HTTP status, a code such as `ECONNRESET`, or the class where there is neither. */
  readonly code: string;
}

/** What all messages have. One message object goes through all events of its work. */
export interface TraceMessage {
  /** Since the event `error`. */
  error?: TracedError;
  /** A subscriber of `start` may put a function here that does the work, such as in a context of its own. It must return what the work returns. */
  wrap?: (work: () => Promise<void>) => Promise<void>;
}

/** What is known of a request before it is sent. */
export interface RequestFacts {
  /** The id of the call, a UUID: the same in the call and in its attempts. */
  readonly callId: string;
  /** The method of the client, such as `devices.find`. */
  readonly call: string;
  /** The method of HTTP. */
  readonly method: string;
  /** The path as the contract writes it, such as `/api/v1/devices/:device_id`: without values, query and the path of `baseUrl`. */
  readonly template: string;
  /** The host of `baseUrl`. */
  readonly serverAddress: string;
  readonly serverPort: number;
}

/** `fieldmesh:call`: a call with all of its attempts. One that was rejected for its input is not published. */
export interface CallMessage extends RequestFacts, TraceMessage {
  /** At the end: requests of the call. */
  attempts?: number;
  /** At the end: the status of the last response, if one came. */
  status?: number | undefined;
  /** At the end of a call that failed: what it may have done, such as `not_sent`. */
  outcome?: string;
}

/** `fieldmesh:attempt`: one request of a call. */
export interface AttemptMessage extends RequestFacts, TraceMessage {
  /** Counted from 1. */
  readonly attempt: number;
  /** A subscriber of `start` may add headers of its own here, such as `traceparent`. One that the request has already is not replaced. */
  readonly headers: Record<string, string>;
  /** At the end: the status, if a response came. */
  status?: number;
  /** At the end: the bytes of the body after decompression, if a response came. */
  bytes?: number;
}

/** `fieldmesh:page`: a page of a list, with the call that reads it. */
export interface PageMessage extends TraceMessage {
  /** The method of the client, such as `devices.list`. */
  readonly call: string;
  /** The same object in all pages of a list, such as for a WeakMap. It is empty. */
  readonly list: object;
  readonly isFirst: boolean;
  /** At the end: how many items it has. */
  items?: number;
}

/** `fieldmesh:chunk`: a step of a bulk run, with its calls. */
export interface ChunkMessage extends TraceMessage {
  /** The method of the client, such as `devices.createMany`. */
  readonly call: string;
  /** The same object in all steps of a run, such as for a WeakMap. It is empty. */
  readonly run: object;
  /** `send` sends inputs, `read_back` looks for the outcome of requests that broke, `prepare` reads what a run needs before. */
  readonly step: "prepare" | "send" | "read_back";
  /** How many inputs the step is about. */
  readonly size: number;
}

/** `fieldmesh:delivery`: a webhook from its request to its response. */
export interface DeliveryMessage extends TraceMessage {
  /** At the end: what became of it, such as `handled`. */
  outcome?: string;
  /** At the end: the status of the response. */
  status?: number;
  /** At the end of one that was not verified: why. */
  reason?: string | undefined;
  /** At the end: the event, if it was verified and parsed. */
  event?: { readonly id: string; readonly type: string } | undefined;
}

/** `fieldmesh:handler`: one handler of a router. */
export interface HandlerMessage extends TraceMessage {
  readonly event: { readonly id: string; readonly type: string };
}

/** `fieldmesh:store`: a question to a store of a receiver. */
export interface StoreMessage extends TraceMessage {
  /** The function, such as `claim`. `run` of an inbox contains the handlers. */
  readonly operation: string;
}
