const toldKey = 'rtms:told';

/** What callers should know of a field besides its rules; told in the API's description. */
export function Told(text: string): PropertyDecorator {
  return (target, field) => Reflect.defineMetadata(toldKey, text, target, field);
}

/** undefined: nothing. */
export function toldOf(dto: { prototype: object }, field: string): string | undefined {
  return Reflect.getMetadata(toldKey, dto.prototype, field) as string | undefined;
}
