import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import type { Request } from 'express';
import type { Owner } from './owned-rows.js';

/** `@CurrentOwner() owner: Owner`: the caller's scope and the room in the path. */
export const CurrentOwner = createParamDecorator((_: unknown, context: ExecutionContext): Owner => {
  const { caller, params } = context.switchToHttp().getRequest<Request>();
  const { meetingID } = params;
  if (!caller || typeof meetingID !== 'string') throw new ServiceError('not_found', 'There is no such room.');
  const { accountID, environments } = caller;
  return { accountID, environments, meetingID };
});
