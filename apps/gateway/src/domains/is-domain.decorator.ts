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

/** For a list, the first problem in it. A list in place of one domain is no host name, whatever it has. */
function problemOf(value: unknown): string {
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  const readings = [...values, ''].map(each => readDomain(typeof each === 'string' ? each : ''));
  return readings.flatMap(reading => ('problem' in reading ? reading.problem : []))[0] ?? '';
}
