import { getMetadataStorage } from 'class-validator';
import { defaultOf } from '../fields/default.decorator.js';
import { nestedFields, type DtoClass } from '../fields/nested.decorator.js';
import { toldOf } from '../fields/told.decorator.js';
import { exampleFor } from './field-examples.js';
import { ruleSchema, type JsonSchema } from './rule-schemas.js';

interface FieldRule {
  propertyName: string;
  type: string;
  name?: string | undefined;
  constraints?: unknown[] | undefined;
  message?: unknown;
  each?: boolean | undefined;
}

export interface DtoSchemaOptions {
  /** Parameters of a query cannot be null. */
  isQuery?: boolean;
  /** Defaults count where a record is made. */
  withDefaults?: boolean;
}

/** The JSON Schema of a body or a query, from the rules that it is validated by. */
export function dtoSchema(dto: DtoClass, options: DtoSchemaOptions = {}): JsonSchema {
  const rules = rulesOf(dto);
  const fields = [...rules.keys()];
  const properties = fields.map(field => [field, fieldSchema(dto, field, rules.get(field) ?? [], options)] as const);
  const required = fields.filter(field => !isOptional(rules.get(field) ?? []));
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function rulesOf(dto: DtoClass): Map<string, FieldRule[]> {
  const all = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false) as FieldRule[];
  const byField = new Map<string, FieldRule[]>();
  for (const rule of all) byField.set(rule.propertyName, [...(byField.get(rule.propertyName) ?? []), rule]);
  return byField;
}

function isOptional(rules: readonly FieldRule[]): boolean {
  return rules.some(({ name }) => name === 'isOptional');
}

function fieldSchema(dto: DtoClass, field: string, rules: readonly FieldRule[], options: DtoSchemaOptions): JsonSchema {
  const schema = rules.reduce<JsonSchema>((merged, rule) => merge(merged, schemaOfRule(dto, field, rule, options)), {});
  const value = options.withDefaults ? defaultOf(dto, field) : undefined;
  const described: JsonSchema = {
    ...schema,
    description: [describe(field, rules), toldOf(dto, field) ?? []].flat().join(' '),
    ...(schema.properties === undefined && { examples: [exampleFor(field, schema)] }),
    ...(value !== undefined && { default: value }),
  };
  return isOptional(rules) && options.isQuery !== true ? nullable(described) : described;
}

function schemaOfRule(dto: DtoClass, field: string, rule: FieldRule, options: DtoSchemaOptions): JsonSchema {
  if (rule.type === 'conditionalValidation') return {};
  if (rule.type === 'nestedValidation') {
    const inner = nestedFields(dto).get(field);
    if (!inner) throw new Error(`${dto.name}.${field} is nested without @IsNested.`);
    return dtoSchema(inner, options);
  }
  const schema = ruleSchema(rule.name ?? rule.type, rule.constraints ?? []);
  return rule.each ? { type: 'array', items: schema } : schema;
}

/** Two patterns cannot stand in one schema; everything else of one field adds up. */
function merge(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (one['pattern'] !== undefined && other['pattern'] !== undefined) return { ...one, allOf: [other] };
  const items = one.items && other.items ? { items: merge(one.items, other.items) } : {};
  return { ...one, ...other, ...items };
}

function nullable(schema: JsonSchema): JsonSchema {
  const type = schema.type === undefined ? {} : { type: [schema.type, 'null'].flat() };
  return { ...schema, ...type, ...(schema.enum && { enum: [...schema.enum, null] }) };
}

/** The message of the rules is what callers are told; it says the same before they ask. */
function describe(field: string, rules: readonly FieldRule[]): string {
  const said = rules.map(({ message }) => message).filter(message => typeof message === 'string');
  return said[0] ?? `${field}.`;
}
