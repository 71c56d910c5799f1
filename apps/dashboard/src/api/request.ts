import { csrfHeader, dashboardApi, environmentHeader } from '@rtms/contracts';
import { readLocalStorageValue } from '@mantine/hooks';

/** The gateway refused a request, or did not answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    message: string,
    /** 0: the gateway did not answer. */
    readonly status: number,
    readonly code: string,
    /** Stable, as is the code: branch on these, never on the message. */
    readonly reason: string | undefined,
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
  }

  get isSignedOut(): boolean {
    return this.status === 401 && this.reason === 'invalid_credentials';
  }
}

export function hasReason(error: unknown, reason: string): boolean {
  return error instanceof ApiError && error.reason === reason;
}

/** `all`: rooms of both environments are shown, and new rooms are sandbox rooms. */
const apiEnvironments = ['all', 'sandbox', 'production'] as const;
export type ApiEnvironment = (typeof apiEnvironments)[number];

export const environmentStorageKey = 'rtms-environment';

export function toEnvironment(stored: string | undefined): ApiEnvironment {
  return apiEnvironments.find(each => each === stored) ?? 'all';
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface RequestOptions {
  query?: QueryValues;
  body?: object | undefined;
  signal?: AbortSignal | undefined;
}

let csrfToken = '';

/** Each session response carries the token. It proves that a request comes from this page. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

type Confirmer = () => Promise<boolean>;

let confirmer: Confirmer | undefined;

/** `ask` asks the user for the password, and resolves to whether the gateway accepted it. */
export function setConfirmer(ask: Confirmer | undefined): void {
  confirmer = ask;
}

/**
 * Sends one request as the signed-in user. If the gateway asks for the password again, the request waits for the user and is sent
 * once more. Throws ApiError unless the request succeeds.
 */
export async function request<Answer>(method: Method, path: string, options: RequestOptions = {}): Promise<Answer> {
  try {
    return await send<Answer>(method, path, options);
  } catch (error) {
    if (!hasReason(error, 'confirmation_required') || !(await confirmer?.())) throw error;
    return send<Answer>(method, path, options);
  }
}

/** A request to `/dashboard/api`. */
export function dashboardRequest<Answer>(method: Method, path: string, options?: RequestOptions): Promise<Answer> {
  return request(method, `${dashboardApi}${path}`, options);
}

async function send<Answer>(method: Method, path: string, options: RequestOptions): Promise<Answer> {
  const { query = {}, body, signal } = options;
  const init: RequestInit = { method, headers: headersOf(method, body), signal: signal ?? null };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await fetch(`${path}${queryText(query)}`, init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    const message = 'The service does not answer. Check your connection and try again.';
    throw new ApiError(message, 0, 'NO_ANSWER', undefined, undefined);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw failureOf(response, answer);
  return answer as Answer;
}

function headersOf(method: Method, body: object | undefined): Record<string, string> {
  const environment = toEnvironment(readLocalStorageValue<string>({ key: environmentStorageKey }));
  return {
    Accept: 'application/json',
    ...(environment !== 'all' && { [environmentHeader]: environment }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(method !== 'GET' && { [csrfHeader]: csrfToken }),
  };
}

function queryText(query: QueryValues): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

function failureOf(response: Response, answer: unknown): ApiError {
  const { error, code, reason } = (answer ?? {}) as { error?: string; code?: string; reason?: string };
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiError(
    error ?? `The service answered with status ${response.status}.`,
    response.status,
    code ?? 'INTERNAL_ERROR',
    reason,
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  );
}
