// The messages of the channels. No message contains a URL, an input, a header, a body, an output or the message of an error.

/**
 * How something failed: a status, a code or the name of a class. Messages and stacks of errors may contain anything, so they are
 * left out.
 */
export interface TracedError {
  /** The class of the error, such as `TimeoutError`. */
  readonly name: string;
  /** The HTTP status, or a code such as `ECONNRESET`, or the class if there is neither. */
  readonly code: string;
}

/** The fields of all messages. The same message object is passed to all events of one piece of work. */
export interface TraceMessage {
  /** Set from the event `error` on. */
  error?: TracedError;
  /**
   * A subscriber of `start` may set a function that runs the work, such as in a context of its own. It must return the result of
   * the work.
   */
  wrap?: (work: () => Promise<void>) => Promise<void>;
}

/** What is known about a request before it is sent. */
export interface RequestAttributes {
  /** The id of the call, a UUID. The call and its attempts have the same one. */
  readonly callId: string;
  /** The method of the client, such as `devices.find`. */
  readonly call: string;
  /** The HTTP method. */
  readonly method: string;
  /** The path template of the contract, such as `/api/v1/devices/:device_id`, without values, query and the path of `baseUrl`. */
  readonly template: string;
  /** The host of `baseUrl`. */
  readonly serverAddress: string;
  readonly serverPort: number;
}

/** `fieldmesh:call`: a call with all of its attempts. A call that is rejected for its input is not published. */
export interface CallMessage extends RequestAttributes, TraceMessage {
  /** Set at the end: the number of requests. */
  attempts?: number;
  /** Set at the end: the status of the last response, if one arrived. */
  status?: number | undefined;
  /** Set at the end of a failed call: what it may have done, such as `not_sent`. */
  outcome?: string;
  /** Set at the end of a failed call: the id under which the server logged its last request. */
  requestId?: string | undefined;
}

/** `fieldmesh:attempt`: one request of a call. */
export interface AttemptMessage extends RequestAttributes, TraceMessage {
  /** Starts at 1. */
  readonly attempt: number;
  /** A subscriber of `start` may add headers here, such as `traceparent`. A header that the request already has is not replaced. */
  readonly headers: Record<string, string>;
  /** Set at the end: the status, if a response arrived. */
  status?: number | undefined;
  /** Set at the end: the length of the decompressed body in bytes, if a response arrived. */
  bytes?: number;
  /** Set at the end: milliseconds from sending to the last byte, or to the failure. */
  duration?: number;
  /** Set at the end: the id under which the server logged the request, if it sent one. */
  requestId?: string | undefined;
}

/** `fieldmesh:page`: a page of a list, with the call that fetches it. */
export interface PageMessage extends TraceMessage {
  /** The method of the client, such as `devices.list`. */
  readonly call: string;
  /** An empty object, the same for all pages of a list. Use it as the key of a WeakMap. */
  readonly list: object;
  readonly isFirst: boolean;
  /** Set at the end: the number of items. */
  items?: number;
}

/** `fieldmesh:chunk`: a step of a bulk run, with its calls. */
export interface ChunkMessage extends TraceMessage {
  /** The method of the client, such as `devices.createMany`. */
  readonly call: string;
  /** An empty object, the same for all steps of a run. Use it as the key of a WeakMap. */
  readonly run: object;
  /** `send` sends inputs, `read_back` finds the outcome of requests that broke, `prepare` reads what a run needs first. */
  readonly step: "prepare" | "send" | "read_back";
  /** The number of inputs in the step. */
  readonly size: number;
}

/** `fieldmesh:delivery`: a webhook from its request to its response, or the job of a webhook in a worker. */
export interface DeliveryMessage extends TraceMessage {
  /** Only for a job: what subscribers of `fieldmesh:enqueue` wrote into its carrier, such as `traceparent`. */
  readonly carrier?: Readonly<Record<string, string>>;
  /** Set at the end: the outcome, such as `handled`. */
  outcome?: string;
  /** Set at the end: the status of the response. */
  status?: number;
  /** Set at the end of a delivery that was not verified: the reason. */
  reason?: string | undefined;
  /** Set at the end: the event, if it was verified and parsed. */
  event?: { readonly id: string; readonly type: string } | undefined;
}

/** `fieldmesh:enqueue`: a verified delivery that is put into a queue. */
export interface EnqueueMessage extends TraceMessage {
  readonly event: { readonly id: string; readonly type: string };
  /** A subscriber of `start` may add what the worker continues with, such as `traceparent`. It is stored encrypted, in the job. */
  readonly carrier: Record<string, string>;
}

/** `fieldmesh:handler`: one handler of a router. */
export interface HandlerMessage extends TraceMessage {
  readonly event: { readonly id: string; readonly type: string };
}

/** `fieldmesh:store`: an operation on a store of a receiver. */
export interface StoreMessage extends TraceMessage {
  /** The function of the store, such as `claim`. `run` of an inbox includes the handlers. */
  readonly operation: string;
}
