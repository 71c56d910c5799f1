import { types } from 'node:util';
import { trace } from '@opentelemetry/api';
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { redactedPaths, scrubSecrets } from './scrub-secrets.js';

export type { Logger } from 'pino';

export interface CreateLoggerOptions {
  /** The `service` field of every line. */
  service: string;
  /** fatal, error, warn, info, debug, trace or silent. */
  level: string;
  /** Default: standard output. */
  destination?: DestinationStream;
}

/** Creates a JSON logger that redacts secrets by field name and by form. */
export function createLogger(options: CreateLoggerOptions): Logger {
  const settings: LoggerOptions = {
    level: options.level,
    base: { service: options.service },
    formatters: { level: label => ({ level: label }) },
    mixin: traceFields,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redactedPaths, censor: '[redacted]' },
    serializers: { err: serializeError, error: serializeError },
    hooks: { streamWrite: scrubSecrets },
  };
  return pino(settings, options.destination ?? standardOutput());
}

/** Ids of the active trace, so that a log line leads to its trace; empty without an active span. */
function traceFields(): object {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

/**
 * Writes each line synchronously. A killed process loses no line, and the first write detects a closed pipe. A buffer would
 * block `process.exit` for ever when the reader has stopped.
 */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: true });
}

/** Returns the message of an Error, or any other thrown value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Returns type, message, stack, code, reason and cause of an error. Omits other fields, because libraries attach queries with
 * parameters and requests with headers.
 */
function serializeError(error: unknown): unknown {
  // `instanceof` is false for errors of another realm.
  if (!types.isNativeError(error)) return error;
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === 'string' && { code }),
    ...(typeof reason === 'string' && { reason }),
    ...(error.cause !== undefined && { cause: serializeError(error.cause) }),
  };
}
