import { randomUUID } from 'node:crypto';
import { systemClock } from '@rtms/clock';
import createClient, { type Client } from 'openapi-fetch';
import { RtmsApiError, RtmsConnectionError, RtmsError } from './errors.js';
import { errorClasses, type ErrorCode } from './generated/errors.js';

/** The time and the timers of the SDK. Tests can pass one whose time they move. */
export interface SdkClock {
  /** Milliseconds since 1970. */
  now(): number;
  after(milliseconds: number, action: () => void): { cancel(): void };
  /** Resolves after the time, or when the signal aborts. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export interface RtmsOptions {
  /** Address of the gateway, such as `https://rtms.example.com`. */
  url: string;
  /** `<api-username>:<api-key>`, from an environment variable or a secrets manager. */
  key: string;
  /** Sends the requests instead of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /** Limit of one call with its retries; default 30,000. */
  timeoutMs?: number;
  /** Limit of one attempt; default 10,000. */
  attemptTimeoutMs?: number;
  /** Attempts after the first one; default 3. */
  maxRetries?: number;
  clock?: SdkClock;
}

/** Options of every call. */
export interface CallOptions extends Pick<RtmsOptions, 'timeoutMs' | 'attemptTimeoutMs' | 'maxRetries'> {
  /** Ends the call. Its promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Of a POST. The default is a new one for each call, the same in its retries. */
  idempotencyKey?: string;
}

export interface ApiRequest {
  method: string;
  /** `/v1/meetings/{meetingID}/broadcasts` */
  path: string;
  pathParameters?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

const firstDelayMs = 250;
const longestDelayMs = 8_000;

/** Sends requests to the gateway with the account's key, and repeats those that may succeed later. */
export class Transport {
  readonly clock: SdkClock;
  readonly #client: Client<Record<string, never>>;
  readonly #limits: Required<Pick<RtmsOptions, 'timeoutMs' | 'attemptTimeoutMs' | 'maxRetries'>>;

  constructor({ url, key, fetch, timeoutMs = 30_000, attemptTimeoutMs = 10_000, maxRetries = 3, clock }: RtmsOptions) {
    this.clock = clock ?? systemClock;
    this.#limits = { timeoutMs, attemptTimeoutMs, maxRetries };
    const headers = { Authorization: `Bearer ${checkedKey(key)}`, Accept: 'application/json' };
    // The API never redirects. A followed redirect would turn a POST into a GET.
    this.#client = createClient({ baseUrl: checkedUrl(url), headers, redirect: 'manual', ...(fetch && { fetch }) });
  }

  /** The answer's body. Every rejection is an `RtmsError`, or the reason of the caller's signal. */
  async send(request: ApiRequest, options: CallOptions = {}): Promise<unknown> {
    const { timeoutMs, attemptTimeoutMs, maxRetries } = { ...this.#limits, ...defined(options) };
    const waitMs = waitOf(request);
    const deadline = this.clock.now() + timeoutMs + waitMs;
    const idempotencyKey = request.method === 'POST' ? (options.idempotencyKey ?? randomUUID()) : undefined;
    for (let retry = 0; ; retry++) {
      options.signal?.throwIfAborted();
      const limitMs = Math.min(attemptTimeoutMs + waitMs, deadline - this.clock.now());
      const result = await this.#attempt(request, { limitMs, idempotencyKey, signal: options.signal });
      if (!(result instanceof Failed)) return result;
      const delayMs = Math.max(result.retryAfterMs, backOff(retry));
      const isLast = !result.error.retryable || retry >= maxRetries || this.clock.now() + delayMs >= deadline;
      if (isLast) throw result.error;
      await this.clock.pause(delayMs, options.signal);
    }
  }

  async #attempt(
    { method, path, pathParameters = {}, query = {}, body }: ApiRequest,
    { limitMs, idempotencyKey, signal }: Attempt,
  ): Promise<unknown> {
    const ending = new AbortController();
    const abort = (): void => ending.abort();
    signal?.addEventListener('abort', abort, { once: true });
    const timer = this.clock.after(limitMs, abort);
    try {
      const { data, error, response } = (await this.#client.request(
        method.toLowerCase() as 'get',
        path as never,
        {
          ...{ params: { path: pathParameters, query }, signal: ending.signal },
          ...(body !== undefined && { body }),
          ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
        } as never,
      )) as Exchange;
      if (response.ok) return data;
      return new Failed(errorOfAnswer(response, error), retryAfterMs(response, this.clock.now()));
    } catch (error) {
      signal?.throwIfAborted();
      return new Failed(noAnswer(error, ending.signal.aborted, limitMs));
    } finally {
      timer.cancel();
      signal?.removeEventListener('abort', abort);
    }
  }
}

interface Attempt {
  limitMs: number;
  idempotencyKey: string | undefined;
  signal: AbortSignal | undefined;
}

interface Exchange {
  data?: unknown;
  error?: unknown;
  response: Response;
}

class Failed {
  constructor(
    readonly error: RtmsError,
    readonly retryAfterMs = 0,
  ) {}
}

/** Exponential, with jitter: clients that failed together do not return together. */
function backOff(retry: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** retry) * (0.5 + Math.random() / 2);
}

/** RFC 9110, 10.2.3: seconds or a date. */
function retryAfterMs({ headers }: Response, now: number): number {
  const value = headers.get('Retry-After') ?? '';
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
}

/** A long poll answers late on purpose: `wait` is its seconds. */
function waitOf({ query }: ApiRequest): number {
  const seconds = Number(query?.['wait'] ?? 0);
  return Number.isFinite(seconds) ? seconds * 1000 : 0;
}

/** Reasons of other statuses that a retry of the same request outlasts. */
const passingReasons = new Set<unknown>(['idempotency_key_in_use']);

/** The failure that an answer stands for. `body` is the parsed JSON, or the text. */
function errorOfAnswer({ status, headers }: Response, body: unknown): RtmsApiError {
  const { success: _, error, code, reason, ...details } = isObject(body) ? body : {};
  const retryable = status === 429 || status >= 500 || passingReasons.has(reason);
  const fields = { status, requestID: headers.get('X-Request-Id') ?? undefined, retryable };
  if (typeof error !== 'string' || typeof code !== 'string') {
    const message = `The gateway answered ${status} without a failure of the API. Check that \`url\` is the gateway's address.`;
    return new RtmsApiError(message, { ...fields, code: 'unexpected_answer' });
  }
  const ErrorClass = Object.hasOwn(errorClasses, code) ? errorClasses[code as ErrorCode] : RtmsApiError;
  const known = typeof reason === 'string' ? reason : undefined;
  return new ErrorClass(error, { ...fields, code: code as ErrorCode, reason: known, details });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function noAnswer(cause: unknown, isOverdue: boolean, limitMs: number): RtmsConnectionError {
  const retryable = true;
  if (isOverdue) {
    const message = `The gateway did not answer within ${Math.round(limitMs)} ms.`;
    return new RtmsConnectionError(message, { code: 'timeout', retryable });
  }
  if (cause instanceof SyntaxError) {
    const message = 'The gateway answered no valid JSON. Check that `url` is the gateway’s address.';
    return new RtmsConnectionError(message, { code: 'unexpected_answer', cause });
  }
  const message = 'The connection to the gateway failed. `cause` has the details.';
  return new RtmsConnectionError(message, { code: 'connection_failed', retryable, cause });
}

function checkedUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isBase = parsed && /^https?:$/.test(parsed.protocol) && parsed.username === '' && !/[?#]/.test(url);
  if (isBase) return url;
  throw new RtmsError('`url` must be the http(s) address of the gateway, without user, query and fragment.', {
    code: 'invalid_option',
  });
}

function checkedKey(key: string): string {
  if (/^[A-Za-z0-9]+:[A-Za-z0-9]+$/.test(key)) return key;
  throw new RtmsError('`key` must be `<api-username>:<api-key>`: letters and digits, joined by a colon.', {
    code: 'invalid_option',
  });
}

function defined(options: CallOptions): CallOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
