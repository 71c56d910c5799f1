import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import { validate, type ValidationError } from 'class-validator';
import { toDto, type DtoClass } from './dto.js';

/** The limits of a message: unknown fields, and characters of each. */
const namedFields = 5;
const namedCharacters = 64;

/** Parameters of these types are not objects with rules of their own. */
const plainTypes: readonly unknown[] = [String, Boolean, Number, Array, Object, undefined];

/** Classes that accept an empty query or body. Most reads send nothing, and the check takes longer than the answer. */
const satisfiedByNothing = new WeakSet<DtoClass>();

/**
 * Checks bodies and queries with their class-validator classes. Does not convert values. Refuses unknown fields of a body and ignores
 * unknown parameters of a query.
 */
@Injectable()
export class DtoValidationPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if ((type !== 'body' && type !== 'query') || plainTypes.includes(metatype)) return value;
    return check(value ?? {}, metatype as DtoClass, type);
  }
}

async function check(sent: object, metatype: DtoClass, type: 'body' | 'query'): Promise<object> {
  const isEmpty = Object.keys(sent).length === 0;
  if (isEmpty && satisfiedByNothing.has(metatype)) return new metatype();
  const dto = toDto(metatype, sent);
  const errors = await validate(dto, {
    whitelist: true,
    forbidNonWhitelisted: type === 'body',
    forbidUnknownValues: false,
    stopAtFirstError: true,
    validationError: { target: false, value: false },
  });
  const failure = describe(errors, type === 'body' ? lostFields(sent, dto) : []);
  if (failure) throw failure;
  if (isEmpty) satisfiedByNothing.add(metatype);
  return dto;
}

/** Fields that `toDto` left out because every object has them, such as `toString`. They are unknown fields too. */
function lostFields(sent: unknown, dto: unknown): string[] {
  if (!isObject(sent) || !isObject(dto)) return [];
  return Object.keys(sent).flatMap(name => (Object.hasOwn(dto, name) ? lostFields(sent[name], dto[name]) : [name]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(errors: readonly ValidationError[], lost: readonly string[]): ServiceError | undefined {
  const leaves = errors.flatMap(leavesOf);
  const refused = leaves.filter(each => each.constraints?.['whitelistValidation'] !== undefined);
  const unknown = [...refused.map(each => each.property), ...lost];
  if (unknown.length > 0) return unknownFields(unknown);
  const messages = leaves.flatMap(each => Object.values(each.constraints ?? {}).slice(0, 1));
  return messages.length === 0 ? undefined : new ServiceError('invalid_request', [...new Set(messages)].join(' '));
}

function leavesOf(error: ValidationError): ValidationError[] {
  return error.children?.length ? error.children.flatMap(leavesOf) : [error];
}

function unknownFields(names: readonly string[]): ServiceError {
  const shown = names.slice(0, namedFields).map(name => name.slice(0, namedCharacters));
  const more = names.length > namedFields ? ' and others' : '';
  return new ServiceError(
    'unknown_field',
    `Unknown ${names.length === 1 ? 'field' : 'fields'}: ${shown.join(', ')}${more}.`,
  );
}
