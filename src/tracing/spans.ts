import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What happens for one reason, as far as it goes: each step is a span, and a trace is the tree of them. Nothing is loaded
 * for it, and nothing is done, until {@link setTracer} (src/tracing/exporter.ts) is told to whom spans go. Spans hold
 * names of ours, ids, codes and numbers, as log lines do: never an address as it was called, and no error's message.
 */

export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

export interface SpanOptions {
  /** Who does it: we for a caller, another whom we ask, or we on our own. */
  readonly kind: 'server' | 'client' | 'consumer';
  /** W3C Trace Context's `traceparent` of the span that it belongs to; null begins a trace. */
  readonly parent: string | null;
  /** Of the span in another trace that it comes from. */
  readonly link: string | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** What a span says, told at its end. */
export interface SpanEnd {
  readonly name: string;
  readonly attributes: SpanAttributes;
  /** The kind of what went wrong; null for what went well. */
  readonly failure: string | null;
}

export interface OpenSpan {
  readonly traceparent: string;
  end(said: SpanEnd): void;
}

export type Tracer = (options: SpanOptions) => OpenSpan;

let begin: Tracer | null = null;

/** In fractions of a millisecond, which `Date` does not have. */
const now = (): number => performance.timeOrigin + performance.now();

/** @param tracer null: spans are nobody's from here on */
export const setTracer = (tracer: Tracer | null): void => void (begin = tracer);

/** Where one is in the tree. */
const active = new AsyncLocalStorage<{ readonly traceparent: string; join?(trace: string): void }>();

/** What others need to go on with the trace that one is in (`00-<trace>-<span>-<flags>`); null outside of any. */
export const currentTraceparent = (): string | null => active.getStore()?.traceparent ?? null;

export const traceIdOf = (traceparent: string | null): string | undefined => traceparent?.split('-')[1];

/**
 * Does the work as a step of the trace that one is in.
 *
 * @param trace the one that it belongs to: from another, that one is gone into, and the step is linked to where it comes from
 */
export async function inSpan<T>(
  name: string,
  {
    kind,
    trace = null,
    attributes = {},
  }: Pick<SpanOptions, 'kind'> & { readonly trace?: string | null; readonly attributes?: SpanAttributes },
  work: (say: (more: SpanAttributes) => void) => Promise<T>,
): Promise<T> {
  if (begin === null) return work(() => undefined);
  const here = currentTraceparent();
  const isElsewhere = trace !== null && traceIdOf(trace) !== traceIdOf(here);
  const [parent, link] = isElsewhere ? [trace, here] : [here, null];
  const span = begin({ kind, parent, link, startedAt: now() });
  let said = attributes;
  let failure: string | null = null;
  try {
    return await active.run(span, () => work((more) => (said = { ...said, ...more })));
  } catch (error) {
    failure = error instanceof Error ? error.name : typeof error;
    throw error;
  } finally {
    span.end({ name, attributes: said, failure });
  }
}

/** A request that somebody sends us. */
export interface RequestSpan {
  run(work: () => void): void;
  traceId(): string | undefined;
  end(said: SpanEnd): void;
}

const NO_SPAN: RequestSpan = { run: (work) => work(), traceId: () => undefined, end: () => undefined };

/**
 * Its span begins with its first step, or at its end: by then it is known whether it belongs to a case's trace
 * ({@link joinTrace}). Whatever trace callers say that they are in is not gone on with: they are strangers.
 */
export function beginRequest(): RequestSpan {
  const tracer = begin;
  if (tracer === null) return NO_SPAN;
  const startedAt = now();
  let parent: string | null = null;
  let span: OpenSpan | null = null;
  const open = () => (span ??= tracer({ kind: 'server', parent, link: null, startedAt }));
  const store = {
    get traceparent() {
      return open().traceparent;
    },
    join(trace: string) {
      parent = trace;
    },
  };
  return {
    run: (work) => active.run(store, work),
    traceId: () => traceIdOf(open().traceparent),
    end: (said) => open().end(said),
  };
}

/** Has the request that one is in belong to this trace, unless its span has begun. */
export const joinTrace = (traceparent: string | null): void => {
  if (traceparent !== null) active.getStore()?.join?.(traceparent);
};
