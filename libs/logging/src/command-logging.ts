import type { Logger } from 'pino';

type Handler<Request, Context, Reply> = (request: Request, context: Context) => Promise<Reply>;

/** Periodic commands and commands per track are logged at debug level, because they would hide the others. */
const frequentCommands = /^(?:node\.inventory|repair\.keep|(?:member|track|subscription|keyframe|relay)\.)/;

/**
 * Logs one line per command with the id of the original request. A refusal (an error with a `reason`) is info; any other
 * failure is error. Rethrows the error.
 */
export function loggedCommand<Request, Context extends { requestID: string }, Reply>(
  logger: Logger,
  command: string,
  handler: Handler<Request, Context, Reply>,
): Handler<Request, Context, Reply> {
  const level = frequentCommands.test(command) ? 'debug' : 'info';
  return async (request, context) => {
    const { requestID } = context;
    try {
      const reply = await handler(request, context);
      logger[level]({ requestID, command }, 'command completed');
      return reply;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) logger.error({ requestID, command, err: error }, 'command failed');
      else logger.info({ requestID, command, reason }, 'command refused');
      throw error;
    }
  };
}

/** ServiceError has `reason`; RemoteError of another node has `failure`. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('reason' in error && typeof error.reason === 'string') return error.reason;
  return 'failure' in error ? 'remote_failure' : undefined;
}
