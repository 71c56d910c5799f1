import { z } from 'zod';

/**
 * Checks a value of another process as `schema.safeParse` does, and never throws because of the value. Zod compares the `length` of
 * whatever stands where a text or a list belongs (zod/v4/core/checks, `$ZodCheckMaxLength`). JavaScript throws if that is an object
 * without a primitive value, as in `{"length":{"toString":""}}`.
 */
export function checkValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  try {
    return schema.safeParse(value);
  } catch (thrown) {
    // Any other error is a fault of the schema.
    if (!hasObjectAsLength(value)) throw thrown;
    const message = 'must have no object with a field "length" where a text or a list belongs.';
    const error = new z.ZodError([{ code: 'custom', path: [], message, input: undefined }]);
    return { success: false, error: error as z.ZodError<z.output<Schema>> };
  }
}

/** Without recursion: a stranger chooses the depth. */
function hasObjectAsLength(value: unknown): boolean {
  const left = [value];
  for (const each of left) {
    if (typeof each !== 'object' || each === null) continue;
    if (!Array.isArray(each) && 'length' in each && typeof each.length === 'object') return true;
    for (const inner of Object.values(each)) left.push(inner);
  }
  return false;
}
