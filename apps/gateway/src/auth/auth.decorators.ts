import { createParamDecorator, SetMetadata, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import { ServiceError, type Operation, type ParticipantRole } from '@rtms/contracts';
import type { Request } from 'express';
import type { Caller } from './caller.js';

export const requiredOperationKey = 'rtms:operation';
export const administratorOnlyKey = 'rtms:administrator';
export const actingRoleKey = 'rtms:actingRole';

/** A key needs one of these operations for a handler, or for all of a controller. Every `/v1` handler declares some. */
export const RequireOperation = (...anyOf: [Operation, ...Operation[]]): CustomDecorator =>
  SetMetadata(requiredOperationKey, anyOf);

/** The caller issues or does something that acts in the room with this role: a key with a lower `maxRole` is refused. */
export const ActsAs = (role: ParticipantRole): CustomDecorator => SetMetadata(actingRoleKey, role);

/** Only the administrator's own token opens these. */
export const AdministratorOnly = (): CustomDecorator => SetMetadata(administratorOnlyKey, true);

/** `@CurrentCaller() caller: Caller` */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<Request>();
  if (!caller) throw new ServiceError('invalid_credentials', 'Send the header Authorization: Bearer <user>:<key>.');
  return caller;
});
