import { ValidateBy } from 'class-validator';

const maxTagCharacters = 64;

/** The usual writing of a BCP 47 tag (`EN-us` → `en-US`); undefined for what is none. */
export function canonicalLanguage(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > maxTagCharacters) return undefined;
  try {
    return Intl.getCanonicalLocales(value)[0];
  } catch {
    return undefined;
  }
}

/** Each once, written in the usual way. */
export function canonicalLanguages(tags: readonly string[]): string[] {
  return [...new Set(tags.map(tag => canonicalLanguage(tag) ?? tag))];
}

export function IsLanguages(field: string, max: number): PropertyDecorator {
  const isLanguage = (value: unknown) => canonicalLanguage(value) !== undefined;
  const validate = (value: unknown) => Array.isArray(value) && value.length <= max && value.every(isLanguage);
  const message = `${field} must be a list of at most ${max} languages such as en or pt-BR.`;
  return ValidateBy({ name: 'isLanguages', constraints: [max], validator: { validate } }, { message });
}
