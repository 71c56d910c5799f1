import { csrfHeader } from '@rtms/contracts';
import { z } from 'zod';
import { pageQuery } from '../http/page.decorator.js';
import { bodySchema } from './json-schema.js';
import type { Handler, DocumentedOperation } from './operations.js';
import { failuresOf, reasonsOf, reference, successesOf, text, type Components } from './responses.js';

const inEnvelope = 'the answer is `{ success, data, total, startIndex, pageSize }` instead of a plain array.';

/** Parameters of several kinds of operations, by the name of the parameter. All but `envelope` are headers. */
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
    { name, in: name === 'envelope' ? 'query' : 'header', ...(name === csrfHeader && { required: true }), ...each },
  ]),
);

/** One operation of the document. Its bodies, records and failures are added to the components. Each field of a body has an example. */
export function describeOperation(operation: DocumentedOperation, components: Components): object {
  const [first] = operation;
  const requestBody = first.method === 'GET' ? undefined : requestBodyOf(operation, components);
  const reasons = reasonsOf(operation, requestBody !== undefined);
  return {
    tags: [first.tag.name],
    ...titleOf(operation),
    ...(first.credential === 'none' && { security: [] }),
    parameters: parametersOf(operation, components),
    ...(requestBody && { requestBody }),
    responses: { ...successesOf(operation, components), ...failuresOf(reasons, first, components) },
  };
}

/** A POST that chooses among actions lists them in its description. */
function titleOf(operation: DocumentedOperation): object {
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

function parametersOf(operation: DocumentedOperation, { parameters }: Components): object[] {
  const [{ method, path, action, credential, isRepeatable }] = operation;
  const hasEnvelope = operation.some(each => each.hasEnvelope);
  const actions = operation.flatMap(each => each.action ?? []);
  const query = {
    ...(method === 'GET' && action !== undefined && { action: actionField(z.enum(actions)).default('get') }),
    ...Object.fromEntries(operation.flatMap(each => Object.entries(each.query?.shape ?? {}))),
  };
  const page = operation.some(({ isPaged }) => isPaged) ? queryParameters(pageQuery) : [];
  const shared = [
    ...(hasEnvelope ? ['envelope', 'X-Service-Response'] : []),
    ...(isRepeatable ? ['Idempotency-Key'] : []),
    ...(credential === 'session' && method !== 'GET' ? [csrfHeader] : []),
    'X-Request-Id',
  ];
  const referTo = (parameter: Parameter) => {
    parameters[parameter.name] = parameter;
    return reference('parameters', parameter.name);
  };
  return [
    ...pathParameters(path).map(referTo),
    ...queryParameters(query),
    ...page.map(referTo),
    ...shared.map(name => reference('parameters', name)),
  ];
}

interface Parameter extends Record<string, unknown> {
  name: string;
}

function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true },
    ...text(`Identifier of the record: ${name}.`, `${name.replace('ID', '')}_V1StGXR8Z5jdHi6BmyT0aB`),
  }));
}

function queryParameters(shape: z.ZodRawShape): Parameter[] {
  const { properties = {}, required = [] } = bodySchema({ shape });
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    return { name, in: 'query', ...(required.includes(name) && { required: true }), description, schema };
  });
}

function requestBodyOf(operation: DocumentedOperation, { schemas }: Components): object | undefined {
  const bodies = operation.flatMap(({ operationId, action, body }) => {
    if (!body && action === undefined) return [];
    const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Body`;
    const shape = { ...(action !== undefined && { action: actionField(z.literal(action)) }), ...body?.shape };
    const schema = (schemas[name] = bodySchema({ shape }));
    const isRequired = (schema.required ?? []).length > 0;
    return [{ action, ...reference('schemas', name), isRequired }];
  });
  const [first] = bodies;
  if (!first) return undefined;
  const mapping = Object.fromEntries(bodies.map(({ action, $ref }) => [action ?? '', $ref] as const));
  const oneOf = bodies.map(({ $ref }) => ({ $ref }));
  const schema = first.action === undefined ? oneOf[0] : { oneOf, discriminator: { propertyName: 'action', mapping } };
  return {
    required: bodies.some(({ isRequired }) => isRequired),
    content: { 'application/json': { schema } },
  };
}

function actionField<Field extends z.ZodType>(field: Field): Field {
  return field.describe('The requested action.');
}
