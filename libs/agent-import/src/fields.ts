/** One object of a definition. Nothing is known of it: each field is read as what it should be, or as nothing. */
export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = {};

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : none;
}

/** Without blanks around it; '' when it is no text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function hasAny(fields: Fields, names: readonly string[]): boolean {
  return names.some(name => fields[name] !== undefined && fields[name] !== null);
}
