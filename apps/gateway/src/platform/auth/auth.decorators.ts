import { createParamDecorator, SetMetadata, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import type { Operation, ParticipantRole } from '@rtms/contracts';
import type { Request } from 'express';
import type { Caller } from './caller.js';
import { missingCredential } from './read-credential.js';

export const requiredOperationKey = 'rtms:operation';
export const administratorOnlyKey = 'rtms:administrator';
export const actingRoleKey = 'rtms:actingRole';

/** A key needs one of these operations for a handler or a controller. Every `/v1` handler declares some. */
export const RequireOperation = (...anyOf: [Operation, ...Operation[]]): CustomDecorator =>
  SetMetadata(requiredOperationKey, anyOf);

/** The handler acts in a room with this role, so a key with a lower `maxRole` is refused. */
export const ActsAs = (role: ParticipantRole): CustomDecorator => SetMetadata(actingRoleKey, role);

/** Only the administrator token opens the handler. */
export const AdministratorOnly = (): CustomDecorator => SetMetadata(administratorOnlyKey, true);

/** `@CurrentCaller() caller: Caller` */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext) => callerOf(context));

/** The owner of settings: an account, or a parent-role sub-user of it. */
export interface SettingsScope {
  accountID: string;
  ownerID: string;
}

export function settingsScope(caller: Caller): SettingsScope {
  return { accountID: caller.accountID, ownerID: caller.settingsOwnerID };
}

/** `@CurrentSettingsScope() scope: SettingsScope` */
export const CurrentSettingsScope = createParamDecorator((_: unknown, context: ExecutionContext): SettingsScope =>
  settingsScope(callerOf(context)),
);

function callerOf(context: ExecutionContext): Caller {
  const { caller } = context.switchToHttp().getRequest<Request>();
  if (!caller) throw missingCredential();
  return caller;
}
