import { applyDecorators } from '@nestjs/common';
import { getMetadataStorage, IsObject, ValidateNested, type ValidationOptions } from 'class-validator';

export type DtoClass = new () => object;

interface NestedContext {
  dto(): DtoClass;
}

const nestedByClass = new WeakMap<DtoClass, ReadonlyMap<string, DtoClass>>();

/** The field is an object with rules of its own. The message is the field's, for anything but an object. */
export function IsNested(dto: () => DtoClass, rule: ValidationOptions): PropertyDecorator {
  // class-validator keeps the context with the rule, so that classes which take over the rule take it over too.
  const context: NestedContext = { dto };
  return applyDecorators(ValidateNested({ ...rule, context }), IsObject(rule));
}

/** The classes of the fields that `IsNested` describes, of this class and those that it takes rules over from. */
export function nestedFields(dto: DtoClass): ReadonlyMap<string, DtoClass> {
  const known = nestedByClass.get(dto);
  if (known) return known;
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const nested = rules
    .filter(({ type }) => type === 'nestedValidation')
    .map(rule => [rule.propertyName, (rule.context as NestedContext).dto()] as const);
  const fields = new Map(nested);
  nestedByClass.set(dto, fields);
  return fields;
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
    const inner = nestedFields(dto).get(field);
    Object.assign(made, { [field]: inner ? toNested(inner, value) : value });
  }
  return made;
}

/** A list is refused as a whole. Its entries are left out, because class-validator would look into them. */
function toNested(dto: DtoClass, value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? toDto(dto, value) : value;
}
