import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { missingCredential } from './authenticator.js';
import { settingsOwner, type Caller } from './caller.js';

/** Whose settings are meant: an account has its own, and so may its sub-users. */
export interface SettingsScope {
  accountID: string;
  ownerID: string;
}

export function settingsScope(caller: Caller): SettingsScope {
  return { accountID: caller.accountID, ownerID: settingsOwner(caller) };
}

/** `@CurrentSettingsScope() scope: SettingsScope` */
export const CurrentSettingsScope = createParamDecorator((_: unknown, context: ExecutionContext): SettingsScope => {
  const { caller } = context.switchToHttp().getRequest<Request>();
  if (!caller) throw missingCredential();
  return settingsScope(caller);
});
