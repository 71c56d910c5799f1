import { applyDecorators } from '@nestjs/common';
import { keyValidityDays } from '@rtms/contracts';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsInt, Max, Min } from 'class-validator';
import { IsDomain } from '../domains/is-domain.decorator.js';

const maxDomains = 100;
const validityRule = {
  message: `validityDays must be a whole number of days from ${keyValidityDays.min} to ${keyValidityDays.max}, or null for no end.`,
};
const domainsRule = { message: `domains must be a list of 1 to ${maxDomains} different host names.` };

export const IsValidity = (): PropertyDecorator =>
  applyDecorators(IsInt(validityRule), Min(keyValidityDays.min, validityRule), Max(keyValidityDays.max, validityRule));

/** The rule listed first is checked first. */
export const AreDomains = (): PropertyDecorator =>
  applyDecorators(
    IsArray(domainsRule),
    ArrayMaxSize(maxDomains, domainsRule),
    ArrayMinSize(1, domainsRule),
    ArrayUnique(domainsRule),
    IsDomain({ each: true }),
  );
