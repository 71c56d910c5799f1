const defaultKey = 'rtms:default';

/** What a field that is left out is taken for when the record is created; told in the API's description. */
export function Default(value: unknown): PropertyDecorator {
  return (target, field) => Reflect.defineMetadata(defaultKey, value, target, field);
}

/** undefined: there is none. */
export function defaultOf(dto: { prototype: object }, field: string): unknown {
  return Reflect.getMetadata(defaultKey, dto.prototype, field);
}
