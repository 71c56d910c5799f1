/** Nobody listens at that address. */
export class NoResponderError extends Error {
  constructor(readonly subject: string) {
    super(`nobody answers at ${subject}`);
    this.name = 'NoResponderError';
  }
}

/** No reply came before the deadline; the command may or may not have been carried out. */
export class DeadlineError extends Error {
  constructor(readonly subject: string) {
    super(`no reply from ${subject} in time`);
    this.name = 'DeadlineError';
  }
}

/** What a failed responder sends instead of a reply. */
export interface RemoteFailure {
  reason: string;
  message: string;
  details?: Record<string, unknown>;
}

/** The responder failed and said how. */
export class RemoteError extends Error {
  constructor(readonly failure: RemoteFailure) {
    super(failure.message);
    this.name = 'RemoteError';
  }
}
