import { entitlements, type Entitlement } from '@rtms/contracts';
import { IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { keyTypes, type KeyType } from '../../auth/caller.js';

const maxMinutes = 1_000_000_000;
const meetingRule = { message: `meetingMinutes must be a whole number from 0 to ${maxMinutes}.` };
const recordingRule = { message: `recordingMinutes must be a whole number from 0 to ${maxMinutes}.` };

/** What an account has left from now on; what is left out stays as it is. */
export class SetBalanceDto {
  @IsIn(keyTypes, { message: `type must be one of: ${keyTypes.join(', ')}.` })
  type!: KeyType;

  @IsOptional()
  @Max(maxMinutes, meetingRule)
  @Min(0, meetingRule)
  @IsInt(meetingRule)
  meetingMinutes?: number | null;

  @IsOptional()
  @Max(maxMinutes, recordingRule)
  @Min(0, recordingRule)
  @IsInt(recordingRule)
  recordingMinutes?: number | null;
}

export class SetEntitlementDto {
  @IsIn(entitlements, { message: `entitlement must be one of: ${entitlements.join(', ')}.` })
  entitlement!: Entitlement;

  @IsBoolean({ message: 'granted must be true or false.' })
  granted!: boolean;
}
