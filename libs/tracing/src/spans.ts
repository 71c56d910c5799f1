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
  /** Of few kinds: no ids, no addresses. */
  name: string;
  kind: keyof typeof SpanKind;
  attributes?: Attributes;
  /** What came along from where the work was asked for; default: what goes on here now. */
  carrier?: Record<string, string> | undefined;
}

/** Begins a span; whoever takes it ends it, see `endSpan`. */
export function startSpan({ name, kind, attributes = {}, carrier }: SpanDescription): { span: Span; inside: Context } {
  const parent = carrier ? propagation.extract(context.active(), carrier, defaultTextMapGetter) : context.active();
  const span = trace.getTracer('rtms').startSpan(name, { kind: SpanKind[kind], attributes }, parent);
  return { span, inside: trace.setSpan(parent, span) };
}

/** Does the work inside a span. Of what went wrong only the reason or the error's name is kept: texts hold values. */
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

/** What has to go along with a message so that work elsewhere belongs to the same trace; empty when nothing is traced. */
export function traceHeaders(): Record<string, string> {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier, defaultTextMapSetter);
  return carrier;
}

/** The same function, for another moment: what it does belongs to the trace of now. */
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
