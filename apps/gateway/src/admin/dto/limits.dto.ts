import { applyDecorators } from '@nestjs/common';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { accountLimits, type AccountLimit } from '../../account-limits/account-limits.js';

/** Left out: stays as it is; null: the plan's default. */
function IsLimit(name: AccountLimit): PropertyDecorator {
  const { max } = accountLimits[name];
  const rule = { message: `${name} must be a whole number from 0 to ${max}, or null for the plan's default.` };
  return applyDecorators(IsOptional(), Max(max, rule), Min(0, rule), IsInt(rule));
}

export class SetLimitsDto implements Partial<Record<AccountLimit, number | null>> {
  @IsLimit('activeRooms')
  activeRooms?: number | null;

  @IsLimit('keys')
  keys?: number | null;

  @IsLimit('sessionsPerRoom')
  sessionsPerRoom?: number | null;

  @IsLimit('sessionsPerAccount')
  sessionsPerAccount?: number | null;

  @IsLimit('viewersPerPlayback')
  viewersPerPlayback?: number | null;

  @IsLimit('viewersPerAccount')
  viewersPerAccount?: number | null;

  @IsLimit('sourcePixels')
  sourcePixels?: number | null;

  @IsLimit('sourcePixelsPerSecond')
  sourcePixelsPerSecond?: number | null;
}
