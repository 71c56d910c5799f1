import { csrfHeader } from '@rtms/contracts';
import { answerOf, operationOf, tagOf } from '../http/api.decorators.js';
import { failureResponses, statusPhrases } from './failure-responses.js';
import { answerSchema, bodySchema, exampleOf, type JsonSchema } from './json-schema.js';
import { credentialOf, rightsOf, type Credential, type Operation } from './operations.js';
import {
  actionParameter,
  headerReferences,
  pageParameters,
  pathParameters,
  queryParameters,
  reference,
} from './parameters.js';

export type Components = Record<string, JsonSchema>;
type Handlers = Operation['handlers'];

/** One operation of the document. Its bodies and records are added to the components. */
export function describeOperation(operation: Operation, components: Components): object {
  const { method, handlers } = operation;
  const credential = credentialOf(operation);
  const body = method === 'GET' ? undefined : requestBody(handlers, components);
  const isRepeatable = method === 'POST' && (credential === 'key' || credential === 'administrator');
  const failures = failureResponses({
    hasAction: handlers.some(({ action }) => action !== undefined),
    hasBody: body !== undefined,
    credential,
    isRepeatable,
    own: handlers.flatMap(({ route }) => answerOf(route.handler).reasons),
  });
  const headers = [
    ...(credential === 'none' ? [] : ['RateLimit-Policy', 'RateLimit']),
    ...(isRepeatable ? ['Idempotent-Replayed'] : []),
  ];
  return {
    tags: [tagOf(handlers[0].route.controller).name],
    ...titleOf(handlers),
    ...(credential === 'none' && { security: [] }),
    parameters: parametersOf(operation, credential, isRepeatable),
    ...(body && { requestBody: body }),
    responses: withHeaders({ ...successResponses(handlers, components), ...failures }, headers),
  };
}

/** A POST that chooses among actions lists them in its description. */
function titleOf(handlers: Handlers) {
  const [{ route }, ...others] = handlers;
  const { operationId, summary, description = '' } = operationOf(route.handler);
  if (others.length === 0)
    return { operationId, summary, description: `${description} ${rightsOf(handlers[0])}`.trim() };
  const { name, post } = tagOf(route.controller);
  const lines = handlers.map(handler => {
    const each = operationOf(handler.route.handler);
    const text = [`**${each.summary}.**`, each.description, rightsOf(handler)].filter(Boolean).join(' ');
    return `- \`${handler.action}\` (${each.operationId}): ${text}`;
  });
  return {
    operationId: post ?? operationId,
    summary: `${name}: ${handlers.map(({ action }) => action).join(', ')}`,
    description: `The field \`action\` of the body chooses the action:\n\n${lines.join('\n')}`,
  };
}

function parametersOf({ method, path, handlers }: Operation, credential: Credential, isRepeatable: boolean): object[] {
  const shared = [
    ...(handlers.some(({ hasEnvelope }) => hasEnvelope) ? ['envelope', 'X-Service-Response'] : []),
    ...(isRepeatable ? ['Idempotency-Key'] : []),
    ...(credential === 'session' && method !== 'GET' ? [csrfHeader] : []),
    'X-Request-Id',
  ];
  return [
    ...pathParameters(path),
    ...(method === 'GET' ? actionParameter(handlers.flatMap(({ action }) => action ?? [])) : []),
    ...handlers.flatMap(({ query }) => (query ? queryParameters(bodySchema(query)) : [])),
    ...(handlers.some(({ isPaged }) => isPaged) ? pageParameters() : []),
    ...shared.map(name => reference('parameters', name)),
  ];
}

function requestBody(handlers: Handlers, components: Components): object | undefined {
  const bodies = handlers.flatMap(({ body, action, route }) => {
    if (!body && action === undefined) return [];
    const { operationId } = operationOf(route.handler);
    const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Body`;
    const schema = withAction(bodySchema(body), action);
    components[name] = schema;
    return [{ action, schema, reference: reference('schemas', name) }];
  });
  const [first] = bodies;
  if (!first) return undefined;
  const mapping = Object.fromEntries(bodies.map(({ action, reference: { $ref } }) => [action ?? '', $ref]));
  const oneOf = bodies.map(each => each.reference);
  const schema =
    first.action === undefined ? first.reference : { oneOf, discriminator: { propertyName: 'action', mapping } };
  const examples = Object.fromEntries(
    bodies.map(each => [each.action ?? 'body', { value: exampleOf(each.schema) }] as const),
  );
  return {
    required: bodies.some(each => (each.schema.required?.length ?? 0) > 0),
    content: { 'application/json': { schema, examples } },
  };
}

function withAction(schema: JsonSchema, action: string | undefined): JsonSchema {
  if (action === undefined) return schema;
  const field = { type: 'string', const: action, description: 'The requested action.', examples: [action] };
  return {
    ...schema,
    properties: { action: field, ...schema.properties },
    required: ['action', ...(schema.required ?? [])],
  };
}

function successResponses(handlers: Handlers, components: Components): Record<string, object> {
  const statuses = [...new Set(handlers.map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map(status => {
      const those = handlers.filter(handler => handler.status === status);
      const schemas = those.map(({ route }) => answerSchema(answerOf(route.handler).schema, components));
      const anyOf = [...new Map(schemas.map(schema => [JSON.stringify(schema), schema])).values()];
      const actions = those.flatMap(({ action }) => action ?? []).join(', ');
      const headers = those.some(({ hasEnvelope }) => hasEnvelope) ? ['X-Total-Count', 'Link'] : [];
      return [
        String(status),
        {
          description: `${statusPhrases[status]}${actions && `: ${actions}`}`,
          headers: headerReferences(['X-Request-Id', ...headers]),
          content: { 'application/json': { schema: anyOf.length === 1 ? anyOf[0] : { anyOf } } },
        },
      ];
    }),
  );
}

/** Statuses below 500 that are never replayed for an `Idempotency-Key`. */
const neverReplayed = ['401', '408', '413', '415', '429', '431'];

function withHeaders(responses: Record<string, object>, names: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const isReplayed = status < '500' && !neverReplayed.includes(status);
      const own = names.filter(name => name !== 'Idempotent-Replayed' || isReplayed);
      const { headers } = response as { headers: object };
      return [status, { ...response, headers: { ...headers, ...headerReferences(own) } }];
    }),
  );
}
