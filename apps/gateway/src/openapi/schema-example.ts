import type { JsonSchema } from './rule-schemas.js';

/** An object with an example in each field. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.properties === undefined) return (schema['examples'] as unknown[] | undefined)?.[0] ?? null;
  return Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, exampleOf(field)]));
}
