import { ValidateBy, type ValidationArguments, type ValidationOptions } from 'class-validator';
import { readDomain } from './host-name.js';

/** A domain that can be registered; the message says what is wrong with it. */
export function IsDomain(options: ValidationOptions = {}): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isDomain',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && 'domain' in readDomain(value),
        defaultMessage: (args?: ValidationArguments) => problemOf(args?.value),
      },
    },
    options,
  );
}

/** For a list, the first problem in it. */
function problemOf(value: unknown): string {
  for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
    const reading = readDomain(typeof each === 'string' ? each : '');
    if ('problem' in reading) return reading.problem;
  }
  return '';
}
