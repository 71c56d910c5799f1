import type { Logger } from 'pino';

type Handler<Request, Context, Reply> = (request: Request, context: Context) => Promise<Reply>;

/** Asked again and again by itself, or once for each track of each member: a line of each would hide the others. */
const frequentCommands = /^(?:node\.inventory|(?:member|track|subscription|keyframe|relay)\.)/;

/**
 * One line for each command that a node carries out, with the id of the request that it comes from; a second thing to
 * know of a failure is whether the node chose to refuse (it names a reason) or something broke.
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
      logger[level]({ requestID, command }, 'a command was carried out');
      return reply;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) logger.error({ requestID, command, err: error }, 'a command failed');
      else logger.info({ requestID, command, reason }, 'a command was refused');
      throw error;
    }
  };
}

/** Errors of ours name one, and those that came from another node. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('reason' in error && typeof error.reason === 'string') return error.reason;
  return 'failure' in error ? 'remote_failure' : undefined;
}
