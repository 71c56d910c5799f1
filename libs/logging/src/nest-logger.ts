import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Writes Nest's own log lines with pino: `NestFactory.create(AppModule, { logger: new NestLogger(logger) })`. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  /** Nest logs each module and route at this level, as plain text; they become debug lines. */
  log(message: unknown, ...rest: unknown[]): void {
    this.write(isFields(message) ? 'info' : 'debug', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest passes the context as the last argument and the stack of an error before it. */
  private write(level: Level, message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const details = rest.slice(0, -1).filter(item => item !== undefined);
    const fields = { ...(typeof context === 'string' && { context }), ...(details.length > 0 && { details }) };
    if (message instanceof Error) this.logger[level]({ ...fields, err: message }, message.message);
    else if (isFields(message) && typeof details[0] === 'string')
      this.logger[level]({ ...message, ...(typeof context === 'string' && { context }) }, details[0]);
    else this.logger[level](fields, typeof message === 'string' ? message : JSON.stringify(message));
  }
}

/** Our code uses pino's signature: `logger.warn({ sessionID }, 'session lost its worker')`. */
function isFields(message: unknown): message is Record<string, unknown> {
  return typeof message === 'object' && message !== null;
}
