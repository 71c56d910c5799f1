import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsInt, Max, Min } from 'class-validator';
import { IsDomain } from '../domains/is-domain.decorator.js';

const maxDomains = 100;
const validityRule = { message: 'validityDays must be a whole number of days from 1 to 3650, or null for no end.' };
const domainsRule = { message: `domains must be a list of 1 to ${maxDomains} different host names.` };

export const IsValidity = (): PropertyDecorator =>
  applyDecorators(IsInt(validityRule), Min(1, validityRule), Max(3650, validityRule));

/** The rule listed first is checked first. */
export const AreDomains = (): PropertyDecorator =>
  applyDecorators(
    IsArray(domainsRule),
    ArrayMaxSize(maxDomains, domainsRule),
    ArrayMinSize(1, domainsRule),
    ArrayUnique(domainsRule),
    IsDomain({ each: true }),
  );
