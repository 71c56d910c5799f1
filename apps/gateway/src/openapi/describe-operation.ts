import { administratorOnlyKey, requiredOperationKey } from '../auth/auth.decorators.js';
import { csrfHeader } from '@rtms/contracts';
import { dashboardAccessKey } from '../dashboard-sessions/signed-in.decorators.js';
import { answerOf, reasonsOf } from '../http/answers.js';
import { answerSchema } from './answer-schema.js';
import { dtoSchema } from './dto-schema.js';
import { failureResponses, reasonsFor, type CredentialKind } from './failure-responses.js';
import { argumentsOf } from './handler-arguments.js';
import { actionParameter, pageParameters, pathParameters, queryParameters } from './parameters.js';
import type { PublicHandler, PublicOperation } from './public-routes.js';
import { resourceOf } from './resources.js';
import { exampleOf } from './schema-example.js';
import type { JsonSchema } from './rule-schemas.js';

export type Components = Record<string, JsonSchema>;

/** One operation of the document; the records and bodies that it names are added to the components. */
export function describeOperation(operation: PublicOperation, components: Components): object {
  const { path, handlers } = operation;
  const { tag } = resourceOf(path);
  const credential = credentialOf(operation);
  const body = requestBody(operation, components);
  const isRepeatable = isIdempotent(operation, credential);
  const reasons = reasonsFor({
    hasAction: handlers.some(({ action }) => action !== undefined),
    hasBody: body !== undefined,
    credential,
    isRepeatable,
    own: handlers.flatMap(({ route }) => reasonsOf(route.handler)),
  });
  return {
    tags: [tag],
    operationId: operationID(operation),
    summary: summaryOf(operation, tag),
    description: describeRights(handlers),
    ...(credential === 'none' && { security: [] }),
    parameters: parametersOf(operation, credential),
    ...(body && { requestBody: body }),
    responses: withHeaders({ ...successResponses(handlers, components), ...failureResponses(reasons) }, [
      ...(credential === 'none' ? [] : limitHeaders),
      ...(isRepeatable ? ['Idempotent-Replayed'] : []),
    ]),
  };
}

/** Of the dashboard's page, no request comes twice by itself. */
function isIdempotent({ method }: PublicOperation, credential: CredentialKind): boolean {
  return method === 'POST' && credential !== 'none' && credential !== 'session';
}

const limitHeaders = ['RateLimit-Policy', 'RateLimit'];

/** Only what is kept is repeated: no fault of ours, and nothing that asks to come again. */
function withHeaders(responses: Record<string, object>, names: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const isKept = status < '500' && !['401', '408', '413', '415', '429', '431'].includes(status);
      const own = names
        .filter(name => name !== 'Idempotent-Replayed' || isKept)
        .map(name => [name, headerReference(name)] as const);
      const { headers } = response as { headers: object };
      return [status, { ...response, headers: { ...headers, ...Object.fromEntries(own) } }];
    }),
  );
}

function headerReference(name: string): object {
  return { $ref: `#/components/headers/${name}` };
}

function metadataOf(key: string, { route }: PublicHandler): unknown {
  return Reflect.getMetadata(key, route.handler) ?? Reflect.getMetadata(key, route.controller);
}

function credentialOf({ handlers }: PublicOperation): CredentialKind {
  const has = (key: string) => handlers.some(handler => metadataOf(key, handler) !== undefined);
  if (handlers.some(handler => metadataOf(dashboardAccessKey, handler) === 'anyone')) return 'none';
  if (has(dashboardAccessKey)) return 'session';
  if (has(administratorOnlyKey)) return 'administrator';
  return has(requiredOperationKey) ? 'key' : 'none';
}

function describeRights(handlers: readonly PublicHandler[]): string {
  const needs = handlers.flatMap(handler => {
    const anyOf = metadataOf(requiredOperationKey, handler) as readonly string[] | undefined;
    if (!anyOf) return [];
    const named = anyOf.map(operation => `\`${operation}\``).join(' or ');
    return [handler.action === undefined ? named : `${named} for \`${handler.action}\``];
  });
  const access = handlers.map(handler => metadataOf(dashboardAccessKey, handler)).find(each => each !== undefined);
  if (access === 'owner') return 'For users of an account.';
  if (access === 'user') return 'For everyone who is signed in.';
  if (needs.length > 0) return `The key needs the operation ${needs.join(', ')}.`;
  return handlers.some(handler => metadataOf(administratorOnlyKey, handler))
    ? 'The administrator’s token opens it.'
    : 'Open to everyone.';
}

const verbs: Readonly<Record<string, string>> = { GET: 'read', POST: 'create', PUT: 'set', DELETE: 'end' };

function summaryOf({ method, path, handlers }: PublicOperation, tag: string): string {
  const actions = handlers.flatMap(({ action }) => action ?? []);
  if (actions.length > 0) return `${tag}: ${actions.join(', ')}`;
  const last = path.split('/').at(-1) ?? '';
  const verb =
    method === 'POST' &&
    /^(?:disable|enable|rotate|rename|restore|drain|undrain|confirm|reset-password|reset-totp)$/.test(last)
      ? last
      : verbs[method];
  return `${tag}: ${verb ?? method.toLowerCase()}${last.startsWith('{') ? ' one' : ''}`;
}

function operationID({ method, path }: PublicOperation): string {
  const words = path.split(/[/{}.]+/).filter(Boolean);
  return `${method.toLowerCase()}${words.map(pascal).join('')}`;
}

function pascal(text: string): string {
  return text
    .split('-')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function parametersOf(operation: PublicOperation, credential: CredentialKind): object[] {
  const { method, path, handlers } = operation;
  const taken = handlers.map(({ route }) => argumentsOf(route));
  return [
    ...pathParameters(path),
    ...(method === 'GET' ? actionParameter(handlers) : []),
    ...taken.flatMap(({ query }) => (query ? queryParameters(dtoSchema(query, { isQuery: true })) : [])),
    ...(taken.some(({ isPaged }) => isPaged) ? pageParameters() : []),
    ...(taken.some(({ hasEnvelope }) => hasEnvelope) ? parameterReferences('envelope', 'X-Service-Response') : []),
    ...(isIdempotent(operation, credential) ? parameterReferences('Idempotency-Key') : []),
    ...(credential === 'session' && method !== 'GET' ? parameterReferences(csrfHeader) : []),
    ...parameterReferences('X-Request-Id'),
  ];
}

function parameterReferences(...names: string[]): object[] {
  return names.map(name => ({ $ref: `#/components/parameters/${name}` }));
}

/** POST chooses among its bodies by `action`. */
function requestBody({ path, method, handlers }: PublicOperation, components: Components): object | undefined {
  const named = handlers.flatMap(handler => {
    const { body } = argumentsOf(handler.route);
    if (!body && handler.action === undefined) return [];
    if (method === 'GET') return [];
    const { action } = handler;
    const withDefaults = handler.status === 201;
    const schema = body ? dtoSchema(body, { withDefaults }) : dtoSchema(class {});
    const name = bodyName(path, action ?? verbs[method] ?? method.toLowerCase());
    components[name] = action === undefined ? schema : withAction(schema, action);
    return [{ action, name }];
  });
  if (named.length === 0) return undefined;
  const references = named.map(({ name }) => ({ $ref: `#/components/schemas/${name}` }));
  const mapping = Object.fromEntries(named.map(({ action, name }) => [action ?? '', `#/components/schemas/${name}`]));
  const schema =
    named[0]?.action === undefined
      ? references[0]
      : { oneOf: references, discriminator: { propertyName: 'action', mapping } };
  const examples = Object.fromEntries(
    named.map(({ action, name }) => [action ?? 'body', { value: exampleOf(components[name] ?? {}) }]),
  );
  return {
    required: named.some(({ name }) => (components[name]?.required?.length ?? 0) > 0),
    content: { 'application/json': { schema, examples } },
  };
}

function withAction(schema: JsonSchema, action: string): JsonSchema {
  const field = { type: 'string', const: action, description: 'Which action is wanted.', examples: [action] };
  return {
    ...schema,
    properties: { action: field, ...schema.properties },
    required: ['action', ...(schema.required ?? [])],
  };
}

function bodyName(path: string, action: string): string {
  const words = path.split('/').filter(each => each !== '' && each !== 'v1' && !each.startsWith('{'));
  return `${words.map(pascal).join('')}${pascal(action)}Body`;
}

function successResponses(handlers: readonly PublicHandler[], components: Components): Record<string, object> {
  const byStatus = new Map<number, PublicHandler[]>();
  for (const handler of handlers) byStatus.set(handler.status, [...(byStatus.get(handler.status) ?? []), handler]);
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [String(status), successResponse(status, those, components)]),
  );
}

function successResponse(status: number, handlers: readonly PublicHandler[], components: Components): object {
  const schemas = distinct(
    handlers.flatMap(({ route }) => {
      const answer = answerOf(route.handler);
      return answer ? [answerSchema(answer, components)] : [{}];
    }),
  );
  const actions = handlers.flatMap(({ action }) => action ?? []);
  const isPlainList = handlers.some(({ route }) => argumentsOf(route).hasEnvelope);
  const names = ['X-Request-Id', ...(isPlainList ? ['X-Total-Count', 'Link'] : [])];
  return {
    description: `${status === 201 ? 'Created' : 'Done'}${actions.length > 0 ? `: ${actions.join(', ')}` : ''}.`,
    headers: Object.fromEntries(names.map(name => [name, headerReference(name)])),
    content: { 'application/json': { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } } },
  };
}

function distinct(schemas: readonly JsonSchema[]): JsonSchema[] {
  return [...new Map(schemas.map(schema => [JSON.stringify(schema), schema])).values()];
}
