import type { TraceMessage } from "@fieldmesh/core";
import type { Attributes, Context, SpanKind } from "@opentelemetry/api";

/** How to create the span of a channel from its messages. */
export interface SpanOf<Message extends TraceMessage> {
  readonly channel: string;
  readonly kind: SpanKind;
  readonly name: (message: Message) => string;
  readonly atStart: (message: Message) => Attributes;
  /** Unknown values are left out. */
  readonly atEnd?: (message: Message) => Attributes;
  /** The type of a failure that is not an error. @default none */
  readonly errorType?: (message: Message) => string | undefined;
  /** Returns the context that the span belongs to, such as one that another process has sent. @default the active one */
  readonly parentOf?: (message: Message, active: Context) => Context;
  /** Work with the same object shares a trace, even if the caller has no active span. */
  readonly group?: (message: Message) => object;
  /** No tracer makes a span below this one. */
  readonly isLeaf?: boolean;
  /** Called with the context of the span, before the work. */
  readonly onStart?: (message: Message, active: Context) => void;
  /** Records the metrics. */
  readonly record?: (message: Message, end: End) => void;
}

/** The end of some work. */
interface End {
  readonly seconds: number;
  readonly errorType: string | undefined;
  /** The context of the span, for exemplars. */
  readonly context: Context;
}

/** The unit and the buckets that the conventions recommend for durations. */
export const SECONDS = {
  unit: "s",
  advice: {
    explicitBucketBoundaries: [
      0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ],
  },
};
