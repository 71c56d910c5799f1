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
import { dashboardRequest } from '../../api/request.js';
import { shownKey } from '../../api/resource.js';

export type TotpSetup = TotpSetupAnswer['totp'];

export function changePassword(body: ChangePasswordRequest): Promise<SessionAnswer> {
  return dashboardRequest('POST', '/password', { body });
}

/** Creates a new secret. It takes effect once a code confirms it. */
export async function beginTotp(): Promise<TotpSetup> {
  return (await dashboardRequest<TotpSetupAnswer>('POST', '/totp', { body: {} })).totp;
}

export function confirmTotp(code: string): Promise<TotpConfirmedAnswer> {
  return dashboardRequest('POST', '/totp/confirm', { body: { code } });
}

export function useSecondFactor() {
  return useQuery({
    queryKey: shownKey('secondFactor'),
    queryFn: async ({ signal }) =>
      (await dashboardRequest<SecondFactorAnswer>('GET', '/totp', { signal })).secondFactor,
  });
}

/** The old codes stop working. */
export async function renewRecoveryCodes(body: BothFactors): Promise<string[]> {
  return (await dashboardRequest<RecoveryCodesAnswer>('POST', '/totp/recovery-codes', { body })).recoveryCodes;
}

export function endTotp(body: BothFactors): Promise<SessionAnswer> {
  return dashboardRequest('DELETE', '/totp', { body });
}
