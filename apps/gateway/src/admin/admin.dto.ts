import { entitlements } from '@rtms/contracts';
import { features } from '../accounts/features/features.js';
import { accountLimits, forEachLimit } from '../accounts/limits/account-limits.js';
import { keyType } from '../accounts/keys/key.dto.js';
import { Dto, optional, optionalQuery } from '../platform/http/dto.js';
import { flag, idOf, oneOf, queryText, whole } from '../platform/http/fields.js';

export class GetFeaturesDto extends Dto(
  optionalQuery({ accountID: queryText().describe('The account. Default: the platform.') }),
) {}

export class GetLiveDto extends Dto(
  optionalQuery({ accountID: queryText().describe('Answers only records of this account.') }),
) {}

export class SetFeatureDto extends Dto({
  feature: oneOf(features).describe('The feature.'),
  enabled: flag.describe('Whether the feature may be used.'),
  ...optional({ accountID: idOf('an account').describe('The account. Default: the platform.') }),
}) {}

/** Absent limits stay the same; `null` restores the default. */
export class SetLimitsDto extends Dto(
  optional(forEachLimit(name => whole(0, accountLimits[name].max).describe('`null` restores the default.'))),
) {}

export class DrainNodeDto extends Dto(
  optional({
    force: flag.describe('Drains the last node of its kind too: new work is refused until a node takes work.'),
  }),
) {}

const minutes = whole(0, 1_000_000_000);

/** Absent minutes stay the same. */
export class SetBalanceDto extends Dto({
  type: keyType.describe('Environment of the minutes.'),
  ...optional({
    meetingMinutes: minutes.describe('Remaining minutes of participants and external sessions.'),
    recordingMinutes: minutes.describe('Remaining minutes of recordings.'),
  }),
}) {}

export class SetEntitlementDto extends Dto({
  entitlement: oneOf(entitlements).describe('The entitlement.'),
  granted: flag.describe('Whether the account has the entitlement.'),
}) {}
