import type { TraceMessage } from "@fieldmesh/core";
import type { Attributes, Context, SpanKind } from "@opentelemetry/api";

/** How the span of a channel is made of its messages. */
export interface SpanOf<Message extends TraceMessage> {
  readonly channel: string;
  readonly kind: SpanKind;
  readonly name: (message: Message) => string;
  readonly atStart: (message: Message) => Attributes;
  /** Values that are not known are left out. */
  readonly atEnd?: (message: Message) => Attributes;
  /** The type of a failure that is not an error. @default none */
  readonly errorType?: (message: Message) => string | undefined;
  /** Work of the same object shares a trace, also where no span of the caller's is active. */
  readonly group?: (message: Message) => object;
  /** No tracer makes a span below this one. */
  readonly isLeaf?: boolean;
  /** Called with the context of the span, before the work. */
  readonly onStart?: (message: Message, active: Context) => void;
  /** Records the metrics. */
  readonly record?: (message: Message, end: End) => void;
}

/** The end of some work. */
export interface End {
  readonly seconds: number;
  readonly errorType: string | undefined;
  /** That of the span, for exemplars. */
  readonly context: Context;
}
