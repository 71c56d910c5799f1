import { csrfHeader } from '@rtms/contracts';
import { defaultPageSize, maxPageSize, maxStartIndex } from '../http/page.decorator.js';
import { exampleFor } from './field-examples.js';
import type { PublicHandler } from './public-routes.js';
import type { JsonSchema } from './rule-schemas.js';

export function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const schema = { type: 'string', examples: [exampleFor(name, { type: 'string' })] };
    return { name, in: 'path', required: true, description: `Names the record: ${name}.`, schema };
  });
}

/** GET does `get` when it names no action. */
export function actionParameter(handlers: readonly PublicHandler[]): object[] {
  const actions = handlers.flatMap(({ action }) => action ?? []);
  if (actions.length === 0) return [];
  const schema = { type: 'string', enum: actions, default: 'get', examples: actions.slice(0, 1) };
  return [{ name: 'action', in: 'query', description: 'Which action is wanted.', schema }];
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
    { name: 'startIndex', in: 'query', description: 'How many of the newest to leave out.', schema: startIndex },
    { name: 'pageSize', in: 'query', description: 'How many to answer at most.', schema: pageSize },
  ];
}

/** What several operations share. */
export const sharedParameters = {
  envelope: {
    name: 'envelope',
    in: 'query',
    description: '`1`: the answer is `{ success, data, total, startIndex, pageSize }` instead of a plain array.',
    schema: { type: 'string', examples: ['1'] },
  },
  'X-Service-Response': {
    name: 'X-Service-Response',
    in: 'header',
    description: '`envelope`: the answer is `{ success, data, total, startIndex, pageSize }` instead of a plain array.',
    schema: { type: 'string', examples: ['envelope'] },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The first answer to a request with this key is kept for 24 hours; a repeat gets it back with ' +
      '`Idempotent-Replayed: true`.',
    schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['5f0c6f1e-order-42'] },
  },
  [csrfHeader]: {
    name: csrfHeader,
    in: 'header',
    description: 'The `csrfToken` of the session.',
    required: true,
    schema: { type: 'string', examples: ['3mVb1cR8qkq0R0Xn0p9nJ2x8b3m3C2f7l6l1xq1v8Yw'] },
  },
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Taken for the request’s own when it is 1 to 64 of A-Z a-z 0-9 _ -; another is replaced.',
    schema: { type: 'string', examples: ['checkout-7f3a'] },
  },
};

export const sharedHeaders = {
  'X-Request-Id': {
    description: 'Names the request in every log line that it caused.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$', examples: ['checkout-7f3a'] },
  },
  'WWW-Authenticate': {
    description: 'The scheme that the credential is sent with.',
    schema: { type: 'string', examples: ['Bearer'] },
  },
  Allow: { description: 'The methods of the address.', schema: { type: 'string', examples: ['GET, POST'] } },
  'RateLimit-Policy': {
    description:
      'The limits that count here, where there are any: how many requests (`q`) in how many seconds (`w`) ' +
      '(draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string', examples: ['"address-reads";q=600000;w=60, "key-reads";q=300000;w=60'] },
  },
  RateLimit: {
    description: 'For each of these limits, how many requests remain (`r`), and for how many seconds (`t`).',
    schema: { type: 'string', examples: ['"address-reads";r=599999;t=42, "key-reads";r=299999;t=42'] },
  },
  'Idempotent-Replayed': {
    description: 'This is the answer that an earlier request with the same `Idempotency-Key` got.',
    schema: { type: 'string', enum: ['true'], examples: ['true'] },
  },
  'X-Total-Count': {
    description: 'How many entries match, on all pages.',
    schema: { type: 'string', pattern: '^\\d+$', examples: ['57'] },
  },
  Link: {
    description: 'RFC 8288: the `next` and the `prev` page, where there is one.',
    schema: { type: 'string', examples: ['</v1/room/logs?startIndex=20&pageSize=20>; rel="next"'] },
  },
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: { type: 'string', pattern: '^\\d+$', examples: ['2'] },
  },
};
