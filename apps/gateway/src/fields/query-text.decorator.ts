import { ValidateBy } from 'class-validator';
import { hasLength } from './text.decorator.js';

/** A parameter of a query that is given once and not empty; `field` is for the message. */
export function IsQueryText(field: string, max = 64): PropertyDecorator {
  const validator = { validate: (value: unknown) => hasLength(value, 1, max) };
  const message = `${field} must be given once, as text of 1 to ${max} characters.`;
  return ValidateBy({ name: 'isText', constraints: [1, max], validator }, { message });
}
