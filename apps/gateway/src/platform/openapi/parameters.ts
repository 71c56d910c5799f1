import { csrfHeader } from '@rtms/contracts';
import type { JsonSchema } from './json-schema.js';

export function reference(section: string, name: string): { $ref: string } {
  return { $ref: `#/components/${section}/${name}` };
}

function text(description: string, example: string, rules: object = {}) {
  return { description, schema: { type: 'string', examples: [example], ...rules } };
}

/** Headers of answers. */
export const headers = {
  'X-Request-Id': text('Identifier of the request in the logs.', 'checkout-7f3a', { pattern: '^[A-Za-z0-9_-]{1,64}$' }),
  'WWW-Authenticate': text('Authentication scheme.', 'Bearer'),
  Allow: text('Methods of the path.', 'GET, POST'),
  'RateLimit-Policy': text(
    'Limits of the request: requests (`q`) in seconds (`w`), as in draft-ietf-httpapi-ratelimit-headers.',
    '"address-reads";q=600000;w=60, "key-reads";q=300000;w=60',
  ),
  RateLimit: text(
    'Remaining requests (`r`) of each limit, for the next seconds (`t`).',
    '"address-reads";r=599999;t=42, "key-reads";r=299999;t=42',
  ),
  'Idempotent-Replayed': text('The answer is the kept answer of an earlier request.', 'true', { enum: ['true'] }),
  'X-Total-Count': text('Number of matching entries on all pages.', '57', { pattern: '^\\d+$' }),
  Link: text('The `next` and `prev` page (RFC 8288).', '</v1/room/logs?startIndex=20&pageSize=20>; rel="next"'),
  'Retry-After': text('Seconds to wait before a retry.', '2', { pattern: '^\\d+$' }),
};
export type HeaderName = keyof typeof headers;

const inEnvelope = 'the answer is `{ success, data, total, startIndex, pageSize }` instead of a plain array.';

/** Parameters of several operations, by the name of the parameter. All but `envelope` are headers. */
const texts = {
  envelope: text(`With \`1\`, ${inEnvelope}`, '1'),
  'X-Service-Response': text(`With \`envelope\`, ${inEnvelope}`, 'envelope'),
  'Idempotency-Key': text(
    'Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`.',
    '5f0c6f1e-order-42',
    { minLength: 1, maxLength: 255 },
  ),
  [csrfHeader]: text('The `csrfToken` of the session.', '3mVb1cR8qkq0R0Xn0p9nJ2x8b3m3C2f7l6l1xq1v8Yw'),
  'X-Request-Id': text(
    'Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value.',
    'checkout-7f3a',
  ),
};
export const sharedParameters = Object.fromEntries(
  Object.entries(texts).map(([name, each]) => [
    name,
    { name, in: name === 'envelope' ? 'query' : 'header', required: name === csrfHeader, ...each },
  ]),
);

export function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true },
    ...text(`Identifier of the record: ${name}.`, `${name.replace('ID', '')}_V1StGXR8Z5jdHi6BmyT0aB`),
  }));
}

export function queryParameters({ properties = {}, required = [] }: JsonSchema): object[] {
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    return { name, in: 'query', required: required.includes(name), description, schema };
  });
}
