import { ValidateBy, type ValidationOptions } from 'class-validator';

/** The value, written as JSON in UTF-8, has at most that many bytes. */
export function MaxJsonBytes(limit: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'maxJsonBytes',
      validator: { validate: (value?: object) => Buffer.byteLength(JSON.stringify(value ?? {}), 'utf8') <= limit },
    },
    options,
  );
}
