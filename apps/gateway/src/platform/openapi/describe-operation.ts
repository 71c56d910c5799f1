import { csrfHeader } from '@rtms/contracts';
import { z } from 'zod';
import { pageQuery } from '../http/page.decorator.js';
import { bodySchema, exampleOf } from './json-schema.js';
import type { Handler, Operation } from './operations.js';
import { pathParameters, queryParameters, reference } from './parameters.js';
import { failuresOf, reasonsOf, successesOf, type Components, type Traits } from './responses.js';

/** One operation of the document. Its bodies, records and failures are added to the components. */
export function describeOperation(operation: Operation, components: Components): object {
  const [{ method, credential, tag }] = operation;
  const requestBody = method === 'GET' ? undefined : requestBodyOf(operation, components);
  const isRepeatable = method === 'POST' && (credential === 'key' || credential === 'administrator');
  const traits: Traits = { credential, hasBody: requestBody !== undefined, isRepeatable };
  return {
    tags: [tag.name],
    ...titleOf(operation),
    ...(credential === 'none' && { security: [] }),
    parameters: parametersOf(operation, traits),
    ...(requestBody && { requestBody }),
    responses: {
      ...successesOf(operation, traits, components),
      ...failuresOf(reasonsOf(operation, traits), traits, components),
    },
  };
}

/** A POST that chooses among actions lists them in its description. */
function titleOf(operation: Operation): object {
  const [{ operationId, summary, tag }, ...others] = operation;
  if (others.length === 0) return { operationId, summary, description: textOf(operation[0]) };
  const lines = operation.map(
    each => `- \`${each.action}\` (${each.operationId}): **${each.summary}.** ${textOf(each)}`,
  );
  return {
    operationId: tag.post ?? operationId,
    summary: `${tag.name}: ${operation.map(({ action }) => action).join(', ')}`,
    description: `The field \`action\` of the body chooses the action:\n\n${lines.join('\n')}`,
  };
}

function textOf({ description = '', rights }: Handler): string {
  return `${description} ${rights}`.trim();
}

function parametersOf(operation: Operation, { credential, isRepeatable }: Traits): object[] {
  const [{ method, path, action }] = operation;
  const hasEnvelope = operation.some(each => each.hasEnvelope);
  const actions = operation.flatMap(each => each.action ?? []);
  const query = {
    ...(method === 'GET' && action !== undefined && { action: actionField(z.enum(actions)).default('get') }),
    ...Object.fromEntries(operation.flatMap(each => Object.entries(each.query?.shape ?? {}))),
    ...(operation.some(({ isPaged }) => isPaged) && pageQuery),
  };
  const shared = [
    ...(hasEnvelope ? ['envelope', 'X-Service-Response'] : []),
    ...(isRepeatable ? ['Idempotency-Key'] : []),
    ...(credential === 'session' && method !== 'GET' ? [csrfHeader] : []),
    'X-Request-Id',
  ];
  return [
    ...pathParameters(path),
    ...queryParameters(bodySchema({ shape: query })),
    ...shared.map(name => reference('parameters', name)),
  ];
}

function requestBodyOf(operation: Operation, { schemas }: Components): object | undefined {
  const bodies = operation.flatMap(({ operationId, action, body }) => {
    if (!body && action === undefined) return [];
    const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Body`;
    const shape = { ...(action !== undefined && { action: actionField(z.literal(action)) }), ...body?.shape };
    const schema = (schemas[name] = bodySchema({ shape }));
    const isRequired = (schema.required ?? []).length > 0;
    return [{ action, ...reference('schemas', name), isRequired, example: { value: exampleOf(schema) } }];
  });
  const [first] = bodies;
  if (!first) return undefined;
  const mapping = Object.fromEntries(bodies.map(({ action, $ref }) => [action ?? '', $ref] as const));
  const oneOf = bodies.map(({ $ref }) => ({ $ref }));
  const schema = first.action === undefined ? oneOf[0] : { oneOf, discriminator: { propertyName: 'action', mapping } };
  const examples = Object.fromEntries(bodies.map(({ action = 'body', example }) => [action, example] as const));
  return {
    required: bodies.some(({ isRequired }) => isRequired),
    content: { 'application/json': { schema, examples } },
  };
}

function actionField<Field extends z.ZodType>(field: Field): Field {
  return field.describe('The requested action.');
}
