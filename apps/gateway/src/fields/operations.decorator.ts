import { applyDecorators } from '@nestjs/common';
import { operations } from '@rtms/contracts';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn } from 'class-validator';

/** A list of operations, none twice; `field` is for the message. The rule listed first is checked first. */
export function AreOperations(field: string, least: 0 | 1): PropertyDecorator {
  const what = least > 0 ? 'at least one of these' : 'these';
  const rule = { message: `${field} must be a list of ${what}, none twice: ${operations.join(', ')}.` };
  return applyDecorators(
    IsArray(rule),
    ArrayMaxSize(operations.length, rule),
    ArrayMinSize(least, rule),
    ArrayUnique(rule),
    IsIn(operations, { ...rule, each: true }),
  );
}
