import { csrfHeader } from '@rtms/contracts';
import { defaultPageSize, maxPageSize, maxStartIndex } from '../http/page.decorator.js';
import type { JsonSchema } from './json-schema.js';

export function reference(section: string, name: string): { $ref: string } {
  return { $ref: `#/components/${section}/${name}` };
}

export function headerReferences(names: readonly string[]): object {
  return Object.fromEntries(names.map(name => [name, reference('headers', name)]));
}

export function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const schema = { type: 'string', examples: [`${name.replace('ID', '')}_V1StGXR8Z5jdHi6BmyT0aB`] };
    return { name, in: 'path', required: true, description: `Identifier of the record: ${name}.`, schema };
  });
}

/** A GET without an action is a `get`. */
export function actionParameter(actions: readonly string[]): object[] {
  if (actions.length === 0) return [];
  const schema = { type: 'string', enum: actions, default: 'get', examples: actions.slice(0, 1) };
  return [{ name: 'action', in: 'query', description: 'The requested action.', schema }];
}

/** From the schema of a query's DTO. */
export function queryParameters({ properties = {}, required = [] }: JsonSchema): object[] {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }));
}

export function pageParameters(): object[] {
  const startIndex = { type: 'integer', minimum: 0, maximum: maxStartIndex, default: 0, examples: [0] };
  const pageSize = { type: 'integer', minimum: 1, maximum: maxPageSize, default: defaultPageSize, examples: [20] };
  return [
    { name: 'startIndex', in: 'query', description: 'Number of records to skip, newest first.', schema: startIndex },
    { name: 'pageSize', in: 'query', description: 'Greatest number of records in the answer.', schema: pageSize },
  ];
}

function text(description: string, example: string, more: object = {}) {
  return { description, schema: { type: 'string', examples: [example], ...more } };
}

const inEnvelope = 'the answer is `{ success, data, total, startIndex, pageSize }` instead of a plain array.';

/** Parameters of several operations. */
export const sharedParameters: Record<string, object> = {
  envelope: { name: 'envelope', in: 'query', ...text(`With \`1\`, ${inEnvelope}`, '1') },
  'X-Service-Response': {
    ...{ name: 'X-Service-Response', in: 'header' },
    ...text(`With \`envelope\`, ${inEnvelope}`, 'envelope'),
  },
  'Idempotency-Key': {
    ...{ name: 'Idempotency-Key', in: 'header' },
    ...text(
      'Makes a retry safe. The first answer with this key is kept for 24 hours; a retry receives it with `Idempotent-Replayed: true`.',
      '5f0c6f1e-order-42',
      { minLength: 1, maxLength: 255 },
    ),
  },
  [csrfHeader]: {
    ...{ name: csrfHeader, in: 'header', required: true },
    ...text('The `csrfToken` of the session.', '3mVb1cR8qkq0R0Xn0p9nJ2x8b3m3C2f7l6l1xq1v8Yw'),
  },
  'X-Request-Id': {
    ...{ name: 'X-Request-Id', in: 'header' },
    ...text(
      'Identifier of the request: 1 to 64 of A-Z a-z 0-9 _ -. The gateway replaces any other value.',
      'checkout-7f3a',
    ),
  },
};

export const sharedHeaders: Record<string, object> = {
  'X-Request-Id': text('Identifier of the request in the logs.', 'checkout-7f3a', {
    pattern: '^[A-Za-z0-9_-]{1,64}$',
  }),
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
