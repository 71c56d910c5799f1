import { z } from 'zod';
import { exampleFor } from './field-examples.js';
import type { JsonSchema } from './rule-schemas.js';

/** What a handler answers, with the records of it among the document's components. */
export function answerSchema(answer: z.ZodType, components: Record<string, JsonSchema>): JsonSchema {
  const converted = z.toJSONSchema(answer, { target: 'draft-2020-12', io: 'output' });
  const {
    $schema: _,
    $defs = {},
    ...schema
  } = withComponentReferences(converted) as JsonSchema & {
    $defs?: Record<string, JsonSchema>;
  };
  for (const [name, definition] of Object.entries($defs)) {
    const { id: __, ...rest } = definition;
    components[name] ??= withExamples(rest);
  }
  return withExamples(schema);
}

function withComponentReferences(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('#/$defs/', '#/components/schemas/'));
}

/** Every field that holds a value itself gets an example. */
function withExamples(schema: JsonSchema, field = ''): JsonSchema {
  const { properties, items } = schema;
  const anyOf = schema['anyOf'] as JsonSchema[] | undefined;
  return {
    ...schema,
    ...(properties && { properties: fieldsWithExamples(properties) }),
    ...(items && { items: withExamples(items) }),
    ...(anyOf && { anyOf: anyOf.map(one => withExamples(one, field)) }),
    ...(field !== '' && isPlain(schema) && { examples: [exampleFor(field, schema)] }),
  };
}

function fieldsWithExamples(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, withExamples(one, name)]));
}

/** Lists of records and null have nothing to show of their own. */
function isPlain({ type, items, properties, $ref, anyOf, examples }: JsonSchema): boolean {
  if ([properties, $ref, anyOf, examples].some(member => member !== undefined)) return false;
  return type !== 'null' && !(type === 'array' && (items?.type === undefined || items.properties !== undefined));
}
