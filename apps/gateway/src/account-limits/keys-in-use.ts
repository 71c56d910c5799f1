import type { QuotaUse } from './account-quotas.service.js';

/** Main keys are not among them: a leaked one is rotated at any time. */
const statement = `
SELECT (SELECT count(*) FROM disposable_keys
    WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2))::int
  + (SELECT count(*) FROM api_keys
    WHERE account_id = $1 AND sub_user_id IS NOT NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2))::int AS used`;

/** Disposable keys and keys of sub-users that are valid now. */
export function keysInUse(accountID: string, now: Date, adding = 1): QuotaUse {
  return { limit: 'keys', statement, parameters: [accountID, now], adding };
}
