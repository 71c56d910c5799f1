import { ValidateBy } from 'class-validator';

/** RFC 3339, e.g. `2026-11-21T10:15:30Z`. */
const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;

export function IsTime(name: string): PropertyDecorator {
  const validate = (value: unknown): boolean =>
    typeof value === 'string' && timeForm.test(value) && !Number.isNaN(Date.parse(value));
  const message = `${name} must be a time such as 2026-11-21T10:15:30Z.`;
  return ValidateBy({ name: 'isTime', validator: { validate } }, { message });
}
