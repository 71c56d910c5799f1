/** What the service answered instead of a success, or that it did not answer at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    message: string,
    /** 0 when there was no answer. */
    readonly status: number,
    /** Stable; branch on it and on the reason, not on the message. */
    readonly code: string,
    readonly reason: string | undefined,
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
  }

  get isSignedOut(): boolean {
    return this.status === 401 && this.reason === 'invalid_credentials';
  }
}

/** For `catch`, which may have caught anything. */
export function hasReason(error: unknown, reason: string): boolean {
  return error instanceof ApiError && error.reason === reason;
}
