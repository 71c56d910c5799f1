import { ValidateBy } from 'class-validator';

const visible = /\S/;

/** Characters as people count them in a limit: code points, so that none is cut in half. */
export function hasLength(value: unknown, min: number, max: number): boolean {
  // No character has more than two code units: longer text need not be counted.
  if (typeof value !== 'string' || value.length > 2 * max) return false;
  const characters = [...value].length;
  return characters >= min && characters <= max && (min === 0 || visible.test(value));
}

/** Text of so many characters; where some are needed, blanks alone are none. `field` is for the message. */
export function IsText(field: string, min: number, max: number, { each = false } = {}): PropertyDecorator {
  const name = 'isText';
  const validator = { validate: (value: unknown) => hasLength(value, min, max) };
  const message = `${field} must be text of ${min === 0 ? 'at most' : `${min} to`} ${max} characters.`;
  return ValidateBy({ name, constraints: [min, max], validator }, { message, each });
}
