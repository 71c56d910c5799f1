import { trace } from '@opentelemetry/api';
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { redactedPaths, scrubSecrets } from './scrub-secrets.js';
import { serializeError } from './serialize-error.js';

export type { Logger } from 'pino';

export interface CreateLoggerOptions {
  /** Stands in every line as `service`. */
  service: string;
  /** fatal, error, warn, info, debug, trace or silent. */
  level: string;
  /** Where lines go; default standard output. */
  destination?: DestinationStream;
}

/** A JSON logger from which secrets are taken out, by name and by form. */
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

/** Which trace a line belongs to, so that either leads to the other; nothing where none goes on. */
function traceFields(): object {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

/**
 * Writes each line at once: none is lost when the process is killed, and a reader that went away is noticed with the
 * first line. Lines that wait in a buffer would keep `process.exit` from ending, for ever, when nobody reads them.
 */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: true });
}

/** The message of whatever was thrown, for a log line. Errors of other kinds than `Error` are written as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
