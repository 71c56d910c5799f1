import type { JsonSchema } from './json-schema.js';
import { reference, type Components } from './responses.js';

/** A reference costs characters too, so that a part is shared only if the document becomes shorter by this many. */
const leastSaving = 60;
const referenceLength = 45;

type Visit = (schema: JsonSchema, name: string) => JsonSchema;

/**
 * Moves the schemas and query parameters that a document repeats into its components, and refers to them. Names come from the field:
 * `field.createdAt`, `field.createdAt2`. Bodies keep their values of `action`, by which generators tell the bodies apart.
 */
export function shareParts<Paths extends object>(paths: Paths, components: Components): Paths {
  const counts = new Map<string, number>();
  const countOf = (part: object): number => {
    const text = JSON.stringify(part);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return count;
  };
  // The parts of a repeated part count once, as the document will have them once.
  const count: Visit = (schema, name) => (countOf(schema) === 1 ? mapSchema(schema, name, count) : schema);
  const countParameter: Visit = parameter => (countOf(parameter), parameter);
  const records = Object.entries(components.schemas);
  for (const [name, record] of records) mapSchema(record, name, count);
  for (const holder of [components.responses, paths]) mapHolder(holder, count, countParameter);

  const names = new Map<string, string>();
  const place = (section: 'schemas' | 'parameters', part: JsonSchema, wanted: string, content: () => JsonSchema) => {
    const text = JSON.stringify(part);
    const known = names.get(text);
    const uses = counts.get(text) ?? 0;
    const isWorth = uses * (text.length - referenceLength) - text.length > leastSaving;
    if (known === undefined && !isWorth) return content();
    const name = known ?? freeName(wanted, components[section]);
    if (known === undefined) {
      names.set(text, name);
      components[section][name] = {};
      components[section][name] = content();
    }
    return reference(section, name) as JsonSchema;
  };
  const share: Visit = (schema, name) => {
    const isValue = ['type', 'anyOf', '$ref'].some(keyword => keyword in schema);
    if (!isValue || 'const' in schema || 'allOf' in schema) return mapSchema(schema, name, share);
    return place('schemas', schema, name, () => mapSchema(schema, name, share));
  };
  const shareParameter: Visit = (parameter, name) => place('parameters', parameter, `${name}Query`, () => parameter);
  for (const [name, record] of records) components.schemas[name] = mapSchema(record, name, share);
  components.responses = mapHolder(components.responses, share, shareParameter);
  return mapHolder(paths, share, shareParameter);
}

/** A schema with other schemas in place of those inside it. */
function mapSchema(schema: JsonSchema, name: string, visit: Visit): JsonSchema {
  const mapped = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    switch (keyword) {
      case 'properties':
        return [keyword, mapEntries(value as Record<string, JsonSchema>, visit)];
      case 'items':
        return [keyword, visit(value as JsonSchema, `${name}Item`)];
      case 'anyOf':
      case 'oneOf':
        return [keyword, (value as JsonSchema[]).map(each => visit(each, answerName(each) ?? name))];
      default:
        return [keyword, value];
    }
  });
  return Object.fromEntries(mapped);
}

function mapEntries(schemas: Record<string, JsonSchema>, visit: Visit): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, visit(schema, `field.${name}`)]));
}

/** Paths or responses with other schemas and parameters. */
function mapHolder<Holder>(holder: Holder, visit: Visit, visitParameter: Visit): Holder {
  if (typeof holder !== 'object' || holder === null) return holder;
  if (Array.isArray(holder)) return holder.map(each => mapHolder<unknown>(each, visit, visitParameter)) as Holder;
  const part = holder as JsonSchema;
  if (part['in'] === 'query') return visitParameter(part, String(part['name'])) as Holder;
  const mapped = Object.entries(part).map(([key, value]): [string, unknown] => {
    if (key !== 'schema') return [key, mapHolder(value, visit, visitParameter)];
    const schema = value as JsonSchema;
    return [key, visit(schema, answerName(schema) ?? 'List')];
  });
  return Object.fromEntries(mapped) as Holder;
}

/** `RoomAnswer`: an answer is named by its first member besides `success`. */
function answerName({ properties = {} }: JsonSchema): string | undefined {
  const [success, member = ''] = Object.keys(properties);
  return success === 'success' && member ? `${member.charAt(0).toUpperCase()}${member.slice(1)}Answer` : undefined;
}

function freeName(wanted: string, taken: object): string {
  let name = wanted;
  for (let number = 2; name in taken; number++) name = `${wanted}${number}`;
  return name;
}
