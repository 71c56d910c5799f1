import {
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
} from '@opentelemetry/api';

type Attributes = Record<string, string | number | undefined>;

export interface SpanDescription {
  /** Low cardinality: no ids and no addresses. */
  name: string;
  kind: keyof typeof SpanKind;
  attributes?: Attributes;
  /** Trace headers of the sender; default: the active context. */
  carrier?: Record<string, string> | undefined;
}

/** Starts a span. The caller must call `span.end()`. `inside` is the context with the span. */
export function startSpan({ name, kind, attributes = {}, carrier }: SpanDescription): { span: Span; inside: Context } {
  const parent = carrier ? propagation.extract(context.active(), carrier, defaultTextMapGetter) : context.active();
  const span = trace.getTracer('rtms').startSpan(name, { kind: SpanKind[kind], attributes }, parent);
  return { span, inside: trace.setSpan(parent, span) };
}

/** Runs the work inside a span. A failure records only the error's reason or name, because messages hold values. */
export async function inSpan<T>(description: SpanDescription, work: () => Promise<T>): Promise<T> {
  const { span, inside } = startSpan(description);
  try {
    return await context.with(inside, work);
  } catch (error) {
    failSpan(span, nameOf(error));
    throw error;
  } finally {
    span.end();
  }
}

export function failSpan(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns the W3C trace headers of the active span for an outgoing message; empty without tracing. */
export function traceHeaders(): Record<string, string> {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier, defaultTextMapSetter);
  return carrier;
}

/** Binds a function to the active trace, for a later call. */
export function inThisTrace<Arguments extends unknown[], Result>(
  work: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  const now = context.active();
  return (...args) => context.with(now, () => work(...args));
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'reason' in error && typeof error.reason === 'string' ? error.reason : error.name;
}
