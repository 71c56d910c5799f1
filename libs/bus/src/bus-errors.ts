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

/** The bus is there and does not let us in; trying again would not help. */
export class BusRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BusRefusedError';
  }
}

/** This service may not send there, or not listen there. */
export class BusPermissionError extends Error {
  constructor(readonly subject: string) {
    super(`the bus does not permit this service to use ${subject}`);
    this.name = 'BusPermissionError';
  }
}
