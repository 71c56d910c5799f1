import { z } from 'zod';
import type { DtoClass } from '../http/dto.js';

/** A JSON Schema (2020-12), as far as this API needs one. */
export interface JsonSchema {
  [keyword: string]: unknown;
  type?: string | string[];
  enum?: unknown[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** A body or a query; `undefined` for a handler that takes no field. Every field has an example. */
export function bodySchema(dto: DtoClass | undefined): JsonSchema {
  return tidied(z.toJSONSchema(z.strictObject(dto?.shape ?? {}), { io: 'input' }) as JsonSchema, withExample);
}

/** The body of a success; its named records are added to the document's components. */
export function answerSchema(answer: z.ZodType, components: Record<string, JsonSchema>): JsonSchema {
  const text = JSON.stringify(z.toJSONSchema(answer, { io: 'output' })).replaceAll('#/$defs/', '#/components/schemas/');
  const { $defs = {}, ...root } = JSON.parse(text) as JsonSchema & { $defs?: Record<string, JsonSchema> };
  for (const [name, { id: _, ...record }] of Object.entries($defs)) components[name] ??= tidied(record);
  return tidied(root);
}

/** Writes `null` beside the other types and leaves out keywords without a meaning. */
function tidied(schema: JsonSchema, finish: (field: JsonSchema) => JsonSchema = field => field): JsonSchema {
  const { $schema: _, properties = {}, items, anyOf, ...rest } = nullInType(schema);
  const fields = Object.entries(properties).map(([name, field]) => [name, finish(tidied(field, finish))]);
  return {
    ...rest,
    ...(fields.length > 0 && { properties: Object.fromEntries(fields) as Record<string, JsonSchema> }),
    ...(items && { items: tidied(items, finish) }),
    ...(anyOf !== undefined && { anyOf: (anyOf as JsonSchema[]).map(each => tidied(each, finish)) }),
  };
}

/** `anyOf: [{ type: 'string' }, { type: 'null' }]` → `type: ['string', 'null']`. */
function nullInType({ anyOf, ...rest }: JsonSchema): JsonSchema {
  const [one, other, ...more] = (anyOf ?? []) as JsonSchema[];
  if (one?.type === undefined || other?.type !== 'null' || more.length > 0) return anyOf ? { ...rest, anyOf } : rest;
  return {
    ...one,
    ...rest,
    type: [one.type, 'null'].flat(),
    ...(one.enum && { enum: [...one.enum, null] }),
  };
}

function withExample(field: JsonSchema): JsonSchema {
  const isPlain = field.properties === undefined && field['examples'] === undefined;
  return isPlain ? { ...field, examples: [exampleFor(field)] } : field;
}

/** The plainest value that a schema without an example of its own allows. */
function exampleFor({ type, items, const: fixed, enum: values, minimum }: JsonSchema): unknown {
  const [value] = [fixed, values?.[0], minimum].filter(each => each !== undefined);
  if (value !== undefined) return value;
  const [plain = 'string'] = [type ?? []].flat();
  if (plain === 'array') return items ? [exampleFor(items)] : [];
  return { string: 'text', boolean: true, integer: 1, number: 1, object: {} }[plain];
}

/** An object with an example in each field. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.properties === undefined) return (schema['examples'] as unknown[] | undefined)?.[0] ?? null;
  return Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, exampleOf(field)]));
}
