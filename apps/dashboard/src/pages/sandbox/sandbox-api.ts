import type { IssuedKeyAnswer, KeysAnswer } from '@rtms/contracts';
import { useQuery } from '@tanstack/react-query';
import { dashboardRequest, request } from '../../api/request.js';
import { shownKey } from '../../api/resource.js';
import { resolved, type OpenApiDocument, type Schema } from './endpoints.js';
import type { SandboxRequest } from './sandbox-request.js';

export function useOpenApiDocument() {
  return useQuery({
    queryKey: shownKey('document', 'openapi'),
    queryFn: ({ signal }) => request<OpenApiDocument>('GET', '/openapi.json', { signal }),
    staleTime: Infinity,
  });
}

export function useKnownKeys() {
  return useQuery({
    queryKey: shownKey('key', 'main'),
    queryFn: async ({ signal }) => (await dashboardRequest<KeysAnswer>('GET', '/keys', { signal })).keys,
  });
}

/** Creates a disposable sandbox key for one day, with all operations. */
export async function createSandboxKey(document: OpenApiDocument): Promise<IssuedKeyAnswer['key']> {
  const { properties } = resolved<Schema>(document, { $ref: '#/components/schemas/CreateDisposableKeyBody' });
  const body = {
    action: 'create',
    name: `API explorer ${new Date().toISOString()}`,
    type: 'sandbox',
    validityDays: 1,
    operations: properties?.['operations']?.items?.enum ?? [],
  };
  return (await request<{ disposableKey: IssuedKeyAnswer['key'] }>('POST', '/v1/disposable-keys', { body }))
    .disposableKey;
}

export interface SandboxAnswer {
  status: number;
  ms: number;
  requestID: string | null;
  body: string;
}

/** Sends the request with the key alone, without the session cookie. */
export async function sendWithKey(
  { method, target, body }: SandboxRequest,
  credential: string,
): Promise<SandboxAnswer> {
  const started = performance.now();
  const response = await fetch(target, {
    method,
    credentials: 'omit',
    cache: 'no-store',
    headers: {
      Accept: 'application/json',
      Authorization: `Bearer ${credential}`,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const ms = Math.round(performance.now() - started);
  return { status: response.status, ms, requestID: response.headers.get('X-Request-Id'), body: readable(text) };
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
