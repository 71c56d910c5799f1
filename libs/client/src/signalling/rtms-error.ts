import type { ErrorCode, ErrorReason } from '@rtms/contracts';

/** The error of every rejection. Branch on `code`, or on the more exact `reason`. */
export class RtmsError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly reason?: ErrorReason | 'connection_closed' | 'media_failed',
  ) {
    super(message);
    this.name = 'RtmsError';
  }

  /** Whether a later attempt may succeed. */
  get isTemporary(): boolean {
    return temporary.includes(this.code);
  }
}

const temporary: readonly ErrorCode[] = ['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'];

export function connectionClosed(message = 'The room is closed.'): RtmsError {
  return new RtmsError('CONFLICT', message, 'connection_closed');
}

export function toRtmsError(error: unknown): RtmsError {
  if (error instanceof RtmsError) return error;
  return new RtmsError('INTERNAL_ERROR', error instanceof Error ? error.message : String(error), 'media_failed');
}
