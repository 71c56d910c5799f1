import { applyDecorators } from '@nestjs/common';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  Length,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { operations } from '../auth/operations.js';
import { IsDomain } from '../domains/is-domain.decorator.js';

const maxDomains = 100;
const nameRule = { message: 'name must be text of 1 to 64 characters.' };
const validityRule = { message: 'validityDays must be a whole number of days from 1 to 3650, or null for no end.' };
const domainsRule = { message: `domains must be a list of 1 to ${maxDomains} different host names.` };

export const IsKeyName = (): PropertyDecorator => applyDecorators(Length(1, 64, nameRule), Matches(/\S/, nameRule));

export const IsValidity = (): PropertyDecorator =>
  applyDecorators(IsInt(validityRule), Min(1, validityRule), Max(3650, validityRule));

// The rule that is listed first is the one that is checked first.

/** A list of operations, none twice; `what` is the field's name. */
export const AreOperations = (what: string, least: number): PropertyDecorator => {
  const rule = {
    message: `${what} must be a list of ${least > 0 ? 'at least one of these' : 'these'}, none twice: ${operations.join(', ')}.`,
  };
  return applyDecorators(
    IsArray(rule),
    ArrayMaxSize(operations.length, rule),
    ArrayMinSize(least, rule),
    ArrayUnique(rule),
    IsIn(operations, { ...rule, each: true }),
  );
};

export const AreDomains = (): PropertyDecorator =>
  applyDecorators(
    IsArray(domainsRule),
    ArrayMaxSize(maxDomains, domainsRule),
    ArrayMinSize(1, domainsRule),
    ArrayUnique(domainsRule),
    IsDomain({ each: true }),
  );
