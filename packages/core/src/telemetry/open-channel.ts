/**
 * Opens the tracing channel of a name.
 *
 * The import `#open-channel` chooses the file by export condition: `open-channel-node.ts` where a runtime says that it has Node's modules, `open-channel-none.ts` in bundles for
 * browsers and workers.
 */
export type OpenChannel = <Message extends object>(name: string) => Channel<Message>;

/** The part of Node's TracingChannel that is used here. */
export interface Channel<Message extends object> {
  readonly hasSubscribers: boolean;
  readonly tracePromise: (work: () => Promise<void>, message: Message) => Promise<void>;
}
