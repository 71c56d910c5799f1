import { csrfHeader, dashboardApi, environmentHeader } from '@rtms/contracts';
import { frameTexts } from '../texts/frame.js';
import { ApiError, hasReason } from './api-error.js';
import { currentEnvironment } from './environment.js';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface RequestOptions {
  query?: QueryValues;
  body?: object | undefined;
  signal?: AbortSignal | undefined;
}

let csrfToken = '';

/** Every answer with a session tells the token that proves that a request is from this page. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

type Confirmer = () => Promise<boolean>;

let confirmer: Confirmer | undefined;

/** Asks the user for the password, and answers whether the service took it. */
export function setConfirmer(ask: Confirmer | undefined): void {
  confirmer = ask;
}

/**
 * One request to the gateway as the user who is signed in. When the service wants the password again, the request waits for it and
 * is sent once more. Throws ApiError for everything but a success.
 */
export async function request<Answer>(method: Method, path: string, options: RequestOptions = {}): Promise<Answer> {
  try {
    return await send<Answer>(method, path, options);
  } catch (error) {
    if (!hasReason(error, 'confirmation_required') || !(await confirmer?.())) throw error;
    return send<Answer>(method, path, options);
  }
}

async function send<Answer>(method: Method, path: string, options: RequestOptions): Promise<Answer> {
  const { query = {}, body, signal } = options;
  const init: RequestInit = { method, headers: headersOf(method, body), signal: signal ?? null };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await fetch(`${path}${queryText(query)}`, init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(frameTexts.noAnswer, 0, 'NO_ANSWER', undefined, undefined);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw failureOf(response, answer);
  return answer as Answer;
}

/** The dashboard's own part of the gateway. */
export function dashboardRequest<Answer>(method: Method, path: string, options?: RequestOptions): Promise<Answer> {
  return request(method, `${dashboardApi}${path}`, options);
}

function headersOf(method: Method, body: object | undefined): Record<string, string> {
  const environment = currentEnvironment();
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
    error ?? frameTexts.unexpectedAnswer(response.status),
    response.status,
    code ?? 'INTERNAL_ERROR',
    reason,
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  );
}
