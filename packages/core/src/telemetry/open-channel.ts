/**
 * Opens the tracing channel with this name.
 *
 * The import `#open-channel` selects the file by export condition: `open-channel-node.ts` for runtimes with the modules of Node,
 * `open-channel-none.ts` for bundles for browsers and workers.
 */
export type OpenChannel = <Message extends object>(name: string) => Channel<Message>;

/** The part of Node's TracingChannel that fieldmesh uses. */
export interface Channel<Message extends object> {
  readonly hasSubscribers: boolean;
  readonly tracePromise: (work: () => Promise<void>, message: Message) => Promise<void>;
}
