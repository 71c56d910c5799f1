import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { ServiceError, type ErrorReason } from '@rtms/contracts';
import { answerSchema, type JsonSchema } from './json-schema.js';
import { grouped, type NeededCredential, type Handler, type DocumentedOperation } from './operations.js';

export type Components = Record<'schemas' | 'responses' | 'parameters', Record<string, JsonSchema>>;

export function reference(section: string, name: string): { $ref: string } {
  return { $ref: `#/components/${section}/${name}` };
}

/** The description and schema of a header or a parameter. */
export function text(description: string, example: string, rules: object = {}) {
  return { description, schema: { type: 'string', examples: [example], ...rules } };
}

/** Headers of answers. */
export const headers = {
  'X-Request-Id': text('Identifier of the request in the logs.', 'checkout-7f3a', { pattern: '^[A-Za-z0-9_-]{1,64}$' }),
  'WWW-Authenticate': text('Authentication scheme, with status 401.', 'Bearer'),
  Allow: text('Methods of the path, with status 405.', 'GET, POST'),
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
  'Retry-After': text('Seconds to wait before a retry, with status 429 and 503.', '2', { pattern: '^\\d+$' }),
};
type HeaderName = keyof typeof headers;

/** Headers of single statuses. */
const ofStatus: Readonly<Record<number, HeaderName>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** Statuses that are never replayed for an `Idempotency-Key`. */
const neverReplayed: readonly number[] = [401, 408, 413, 415, 429, 431, 500, 503];

/** The facts of a handler that decide about headers. */
type Traits = Pick<Handler, 'credential' | 'isRepeatable'>;

export function headersOf(
  status: number,
  { credential, isRepeatable }: Traits,
  more: readonly HeaderName[] = [],
): object {
  const limits = ['RateLimit-Policy', 'RateLimit'] as const;
  const names: HeaderName[] = ['X-Request-Id', ...more];
  if (ofStatus[status]) names.push(ofStatus[status]);
  if (credential !== 'none') names.push(...limits);
  if (isRepeatable && !neverReplayed.includes(status)) names.push('Idempotent-Replayed');
  return Object.fromEntries(names.map(name => [name, reference('headers', name)]));
}

/** One response for each status of a success. */
export function successesOf(operation: DocumentedOperation, { schemas }: Components): Record<string, object> {
  return Object.fromEntries(
    grouped(operation, ({ status }) => status).map(([status, handlers]) => {
      const answers = handlers.map(({ answer }) => answerSchema(answer.schema, schemas));
      const anyOf = answers.filter((each, at) => answers.findIndex(other => isDeepStrictEqual(each, other)) === at);
      const actions = handlers.flatMap(({ action }) => action ?? []).join(', ');
      const pageHeaders = handlers.some(({ hasEnvelope }) => hasEnvelope) ? (['X-Total-Count', 'Link'] as const) : [];
      const response = {
        description: `${STATUS_CODES[status]}${actions && `: ${actions}`}`,
        headers: headersOf(status, operation[0], pageHeaders),
        content: { 'application/json': { schema: anyOf.length === 1 ? anyOf[0] : { anyOf } } },
      };
      return [status, response];
    }),
  );
}

/** The dashboard's page sends a cookie instead of a key, also to `/v1` and `/admin/v1`. */
const ofCookie = ['origin_not_allowed', 'csrf_token_missing', 'confirmation_required', 'account_disabled'] as const;
const ofCredential: Readonly<Record<NeededCredential, readonly ErrorReason[]>> = {
  key: [
    ...(['invalid_credentials', 'key_expired', 'key_revoked', 'key_disabled', 'sub_user_disabled'] as const),
    ...(['operation_not_granted', 'not_permitted', ...ofCookie] as const),
  ],
  administrator: ['invalid_credentials', ...ofCookie],
  session: ['invalid_credentials', 'not_permitted', ...ofCookie],
  none: [],
};
const ofBody = ['unknown_field', 'malformed_json', 'body_too_large', 'unsupported_media_type'] as const;
const ofRetry = ['idempotency_key_reused', 'idempotency_key_in_use', 'idempotency_outcome_unknown'] as const;
const ofEach = ['invalid_request', 'headers_too_large', 'request_timeout', 'method_not_allowed', 'not_found'] as const;
const ofService = ['rate_limited', 'dependency_unavailable', 'internal_error'] as const;

/** Reasons of the kind of request, which its handler does not add. */
const common: ReadonlySet<ErrorReason> = new Set<ErrorReason>([
  ...[...ofEach, ...ofService, ...ofCredential.key, ...ofBody, ...ofRetry],
  'unknown_action',
]);

/** Statuses that depend on the operation: each operation lists them. */
const dependent: ReadonlySet<number> = new Set([400, 403, 404, 409]);

/** Errors of the kind of request, and errors of the handlers. */
export function reasonsOf(operation: DocumentedOperation, hasBody: boolean): ErrorReason[] {
  const [{ action, credential, isRepeatable }] = operation;
  const all = new Set<ErrorReason>([
    ...[...ofEach, ...ofService, ...ofCredential[credential]],
    ...(action === undefined ? [] : (['unknown_action'] as const)),
    ...(hasBody ? ofBody : []),
    ...(isRepeatable ? ofRetry : []),
    ...operation.flatMap(({ answer }) => answer.reasons),
  ]);
  return [...all];
}

type Failures = [status: number, reasons: [ErrorReason, ...ErrorReason[]]];

/**
 * Statuses that do not depend on the handler are one response, `default`. Each of the others has a response. Operations that fail alike
 * refer to the same response.
 */
export function failuresOf(reasons: readonly ErrorReason[], traits: Traits, components: Components) {
  const { responses } = components;
  const all = grouped(reasons, reason => new ServiceError(reason).status);
  const isOwn = ([status, alike]: Failures) => dependent.has(status) || alike.some(each => !common.has(each));
  const refer = (wanted: string, response: JsonSchema) => {
    const name = nameOf(wanted, response, responses);
    responses[name] = response;
    return reference('responses', name);
  };
  const own = all
    .filter(isOwn)
    .map(each => [each[0], refer(statusName(each[0]), ownFailure(each, traits, components))] as const);
  const general = all
    .filter(([status]) => !dependent.has(status))
    .map(([status, alike]): Failures => [status, alike.filter(each => common.has(each)) as Failures[1]])
    .filter(([, alike]) => alike.length > 0)
    .sort(([one], [other]) => one - other);
  return { ...Object.fromEntries(own), default: refer('AnyOtherFailure', generalFailure(general, traits)) };
}

/** The name of an equal part, or a new name: `Conflict`, `Conflict1`. */
function nameOf(wanted: string, part: JsonSchema, parts: Record<string, JsonSchema>): string {
  const variants = Object.keys(parts).filter(each => each.replace(/\d+$/, '') === wanted);
  return variants.find(each => isDeepStrictEqual(parts[each], part)) ?? `${wanted}${variants.length || ''}`;
}

function statusName(status: number): string {
  return (STATUS_CODES[status] ?? '').replaceAll(' ', '');
}

/** Many operations share the reasons of the kind of request: they are a schema, `failure.Conflict`. */
function ownFailure([status, reasons]: Failures, traits: Traits, { schemas }: Components): JsonSchema {
  const [shared, own] = [reasons.filter(each => common.has(each)), reasons.filter(each => !common.has(each))];
  const code = { const: new ServiceError(reasons[0]).toBody().code };
  const title = STATUS_CODES[status];
  if (shared.length < 2) {
    return response(`${title}\n\n${meaningsOf(reasons)}`, headersOf(status, traits), {
      code,
      reason: { enum: shown(reasons) },
    });
  }
  const schema = { type: 'string', enum: shown(shared), description: meaningsOf(shared) };
  const name = nameOf(`failure.${statusName(status)}`, schema, schemas);
  schemas[name] = schema;
  const others = `each reason of the schema \`${name}\``;
  const description = `${title}\n\n${own.length === 0 ? `For ${others}.` : `${meaningsOf(own)}\n- ${others}`}`;
  const $ref = reference('schemas', name);
  const reason = own.length === 0 ? $ref : { anyOf: [{ enum: shown(own) }, $ref] };
  return response(description, headersOf(status, traits), { code, reason });
}

function generalFailure(failures: readonly Failures[], { credential }: Traits): JsonSchema {
  const meanings = failures.map(
    ([status, reasons]) => `**${status} ${STATUS_CODES[status]}**\n\n${meaningsOf(reasons)}`,
  );
  const headers = failures.map(([status]) => headersOf(status, { credential, isRepeatable: false }));
  const codeOf = (reason: ErrorReason) => new ServiceError(reason).toBody().code;
  const members = grouped(
    failures.flatMap(([, reasons]) => reasons),
    codeOf,
  ).map(([code, reasons]) => ({
    properties: { code: { const: code }, reason: { enum: shown(reasons) } },
  }));
  return {
    description: `Failures that every request of this kind can have\n\n${meanings.join('\n\n')}`,
    headers: Object.assign({}, ...headers) as object,
    content: { 'application/json': { schema: { allOf: [reference('schemas', 'Failure')], anyOf: members } } },
  };
}

function bodiesOf(reasons: readonly ErrorReason[]) {
  return reasons.map(reason => new ServiceError(reason).toBody());
}

/** As in answers: some reasons have another name there. */
function shown(reasons: readonly ErrorReason[]) {
  return bodiesOf(reasons).map(({ reason }) => reason);
}

function meaningsOf(reasons: readonly ErrorReason[]): string {
  return bodiesOf(reasons)
    .map(({ reason, error }) => `- \`${reason}\`: ${error}`)
    .join('\n');
}

function response(description: string, headers: object, properties: object): JsonSchema {
  const schema = { allOf: [reference('schemas', 'Failure')], properties };
  return { description, headers, content: { 'application/json': { schema } } };
}
