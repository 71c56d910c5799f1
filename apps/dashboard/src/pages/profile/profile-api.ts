import type { ChangePasswordRequest, SessionAnswer, TotpSetupAnswer } from '@rtms/contracts';
import { dashboardRequest } from '../../api/request.js';

export type TotpSetup = TotpSetupAnswer['totp'];

export function changePassword(body: ChangePasswordRequest): Promise<SessionAnswer> {
  return dashboardRequest('POST', '/password', { body });
}

/** A new secret, which counts once it was confirmed. */
export async function beginTotp(): Promise<TotpSetup> {
  return (await dashboardRequest<TotpSetupAnswer>('POST', '/totp', { body: {} })).totp;
}

export function confirmTotp(code: string): Promise<SessionAnswer> {
  return dashboardRequest('POST', '/totp/confirm', { body: { code } });
}

export function endTotp(body: { currentPassword: string; code: string }): Promise<SessionAnswer> {
  return dashboardRequest('DELETE', '/totp', { body });
}
