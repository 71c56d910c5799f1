/** JSON with the names of each object in one order: two bodies that say the same are the same text. */
export function canonicalJSON(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => (isPlainObject(each) ? sorted(each) : each));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without a prototype, so that a field `__proto__` stays one. */
function sorted(value: Record<string, unknown>): object {
  const result = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(value).sort()) result[name] = value[name];
  return result;
}
