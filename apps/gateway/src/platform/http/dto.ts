import { checkValue } from '@rtms/http';
import { IsObject, IsOptional, ValidateBy, ValidateNested } from 'class-validator';
import { z } from 'zod';

/** The class of a body or a query, made by `Dto`. */
export interface DtoClass<Body extends object = object> {
  new (): Body;
  shape: z.ZodRawShape;
  /** The classes of fields that are objects with rules of their own. */
  nested: ReadonlyMap<string, DtoClass>;
}

type OptionalNames<Shape> = {
  [Name in keyof Shape]: undefined extends z.infer<Shape[Name]> ? Name : never;
}[keyof Shape];

/** A field that may be absent is never `undefined`: JSON has no such value. */
type Fields<Shape extends z.ZodRawShape> = {
  [Name in Exclude<keyof Shape, OptionalNames<Shape>>]: z.infer<Shape[Name]>;
} & { [Name in OptionalNames<Shape>]?: Exclude<z.infer<Shape[Name]>, undefined> };

/**
 * The base class of a DTO whose fields are those of a record's schema: `class CreateRoomDto extends Dto({ … })`.
 * class-validator checks each field by its schema and refuses unknown fields.
 */
export function Dto<Shape extends z.ZodRawShape>(shape: Shape): DtoClass<Fields<Shape>> {
  const nested = new Map<string, DtoClass>();
  class Body {
    static readonly shape = shape;
    static readonly nested = nested;
  }
  for (const [name, field] of Object.entries(shape) as [string, z.ZodType][]) {
    const inner = unwrapped(field);
    const isNested = inner instanceof z.ZodObject && Object.keys(inner.shape).length > 0;
    if (isNested) nested.set(name, Dto(inner.shape));
    for (const rule of isNested ? nestedRules(field) : [fieldRule(field)]) rule(Body.prototype, name);
  }
  return Body as unknown as DtoClass<Fields<Shape>>;
}

/** Fields that a request may leave out or send as `null`, each with the default that the API reference names. */
export function optional<Shape extends z.ZodRawShape>(shape: Shape, defaults: object = {}) {
  const fields = Object.entries(shape).map(([name, field]) => {
    const value = (defaults as Record<string, unknown>)[name];
    const relaxed = field instanceof z.ZodNullable ? field.optional() : (field as z.ZodType).nullish();
    return [name, value === undefined ? relaxed : relaxed.meta({ default: value })];
  });
  return Object.fromEntries(fields) as { [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Name]>> };
}

/** Parameters of a query, each of which may be left out. */
export function optionalQuery<Shape extends z.ZodRawShape>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, field]) => [name, (field as z.ZodType).optional()]);
  return Object.fromEntries(fields) as { [Name in keyof Shape]: z.ZodOptional<Shape[Name]> };
}

/**
 * An instance of the class with the fields that were sent. Only declarations choose classes, never the data: a library
 * that looks at `value.constructor` takes the field `constructor` of a body for a class. Names that every object has, such
 * as `constructor` and `toString`, are left out, since no class declares them.
 */
export function toDto(dto: DtoClass, sent: object): object {
  const made = new dto();
  for (const [field, value] of Object.entries(sent) as [string, unknown][]) {
    if (field in Object.prototype) continue;
    const inner = dto.nested.get(field);
    Object.assign(made, { [field]: inner ? toNested(inner, value) : value });
  }
  return made;
}

/** A list is refused as a whole. Its entries are left out, because class-validator would look into them. */
function toNested(dto: DtoClass, value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? toDto(dto, value) : value;
}

function unwrapped(field: z.ZodType): z.ZodType {
  const isWrapped = field instanceof z.ZodOptional || field instanceof z.ZodNullable;
  return isWrapped ? unwrapped(field.unwrap() as z.ZodType) : field;
}

/** The message is the field's for anything but an object; the class of the object checks its fields. */
function nestedRules(field: z.ZodType): PropertyDecorator[] {
  const rule = { message: `$property ${problemOf(field, false)}` };
  const isOptional = checkValue(field, undefined).success;
  return [...(isOptional ? [IsOptional()] : []), ValidateNested(rule), IsObject(rule)];
}

function fieldRule(field: z.ZodType): PropertyDecorator {
  const messageFor = (property: string, value: unknown) => {
    const problem = problemOf(field, value);
    return problem.startsWith('must ') ? `${property} ${problem}` : problem;
  };
  return ValidateBy({
    name: 'field',
    validator: {
      validate: (value: unknown) => checkValue(field, value).success,
      defaultMessage: of => messageFor(of?.property ?? '', of?.value),
    },
  });
}

function problemOf(field: z.ZodType, value: unknown): string {
  return checkValue(field, value).error?.issues[0]?.message ?? '';
}
