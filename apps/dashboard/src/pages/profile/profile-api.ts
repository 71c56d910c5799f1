import type {
  BothFactors,
  ChangePasswordRequest,
  RecoveryCodesAnswer,
  SecondFactorAnswer,
  SessionAnswer,
  TotpConfirmedAnswer,
  TotpSetupAnswer,
} from '@rtms/contracts';
import { useQuery } from '@tanstack/react-query';
import { shownKey } from '../../api/query-keys.js';
import { dashboardRequest } from '../../api/request.js';

export type TotpSetup = TotpSetupAnswer['totp'];

export function changePassword(body: ChangePasswordRequest): Promise<SessionAnswer> {
  return dashboardRequest('POST', '/password', { body });
}

/** A new secret, which counts once it was confirmed. */
export async function beginTotp(): Promise<TotpSetup> {
  return (await dashboardRequest<TotpSetupAnswer>('POST', '/totp', { body: {} })).totp;
}

export function confirmTotp(code: string): Promise<TotpConfirmedAnswer> {
  return dashboardRequest('POST', '/totp/confirm', { body: { code } });
}

/** How many recovery codes are left. */
export function useSecondFactor() {
  return useQuery({
    queryKey: shownKey('secondFactor'),
    queryFn: async ({ signal }) =>
      (await dashboardRequest<SecondFactorAnswer>('GET', '/totp', { signal })).secondFactor,
  });
}

/** The former ones are void. */
export async function renewRecoveryCodes(body: BothFactors): Promise<string[]> {
  return (await dashboardRequest<RecoveryCodesAnswer>('POST', '/totp/recovery-codes', { body })).recoveryCodes;
}

export function endTotp(body: BothFactors): Promise<SessionAnswer> {
  return dashboardRequest('DELETE', '/totp', { body });
}
