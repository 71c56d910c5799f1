import { z } from 'zod';

/** A JSON Schema (2020-12), as far as this API needs one. */
export interface JsonSchema {
  [keyword: string]: unknown;
  type?: string | string[];
  enum?: unknown[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** A body or a query. Every field has an example or a constant value. */
export function bodySchema({ shape }: { shape: z.ZodRawShape }): JsonSchema {
  return jsonSchema(z.strictObject(shape), 'input', {});
}

/** The body of a success. Its named records are added to the schemas of the document. */
export function answerSchema(answer: z.ZodType, schemas: Record<string, JsonSchema>): JsonSchema {
  return jsonSchema(answer, 'output', schemas);
}

function jsonSchema(type: z.ZodType, io: 'input' | 'output', schemas: Record<string, JsonSchema>): JsonSchema {
  const made = z.toJSONSchema(type, {
    io,
    override({ jsonSchema: each }) {
      tidy(each as JsonSchema);
      if (each.maximum === Number.MAX_SAFE_INTEGER) delete each.maximum;
      if (io === 'input' && !each.properties && each.const === undefined)
        each.examples ??= [exampleFor(each as JsonSchema)];
    },
  });
  if (io === 'input') return inlined(made as JsonSchema, (made.$defs ?? {}) as Record<string, JsonSchema>);
  const text = JSON.stringify(made).replaceAll('#/$defs/', '#/components/schemas/');
  const { $schema: _, $defs, ...root } = JSON.parse(text) as JsonSchema & { $defs?: Record<string, JsonSchema> };
  for (const [name, { id: _id, ...record }] of Object.entries($defs ?? {})) schemas[name] = record;
  return root;
}

/** Bodies and queries refer to no component, so that each field has an example of its own. */
function inlined(schema: JsonSchema, defs: Record<string, JsonSchema>): JsonSchema {
  const text = JSON.stringify(schema, (_, value: JsonSchema | null) => {
    const name = typeof value?.['$ref'] === 'string' ? value['$ref'].split('/').at(-1) : undefined;
    if (!value || name === undefined) return value;
    const { $ref: _ref, ...own } = value;
    const { id: _id, ...shared } = defs[name] ?? {};
    return { ...shared, ...own };
  });
  const { $schema: _schema, $defs: _defs, ...root } = JSON.parse(text) as JsonSchema;
  return root;
}

/** `anyOf: [{ type: 'string' }, { type: 'null' }]` → `type: ['string', 'null']`; leaves out empty `properties`. */
function tidy(schema: JsonSchema): void {
  if (schema.properties && Object.keys(schema.properties).length === 0) delete schema.properties;
  const [value, none, ...more] = (schema['anyOf'] ?? []) as JsonSchema[];
  if (value?.type === undefined || none?.type !== 'null' || more.length > 0) return;
  delete schema['anyOf'];
  Object.assign(schema, { ...value, ...schema, type: [value.type, 'null'].flat() });
  if (value.enum) schema.enum = [...value.enum, null];
}

/** The plainest value that a schema without an example of its own allows. */
function exampleFor({ type, items, enum: values, minimum }: JsonSchema): unknown {
  const value = values?.[0] ?? minimum;
  if (value !== undefined) return value;
  const [plain = 'string'] = [type ?? []].flat();
  if (plain === 'array') return items ? [exampleFor(items)] : [];
  return { string: 'text', boolean: true, integer: 1, number: 1, object: {} }[plain];
}

/** An object with an example in each field. */
export function exampleOf(schema: JsonSchema): unknown {
  if (!schema.properties) return schema['const'] ?? (schema['examples'] as unknown[] | undefined)?.[0] ?? null;
  return Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, exampleOf(field)]));
}
