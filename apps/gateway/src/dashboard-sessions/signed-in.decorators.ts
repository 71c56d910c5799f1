import { createParamDecorator, SetMetadata, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import type { Request } from 'express';
import type { SignedIn } from './dashboard-sessions.service.js';

export const dashboardAccessKey = 'rtms:dashboard';
/** `anyone`: also who is not signed in; `user`: of either role; `owner`: who has an account. */
export type DashboardAccess = 'anyone' | 'user' | 'owner';

/** Who may call a handler under `/dashboard/api`. Every one there declares it. */
export const DashboardFor = (access: DashboardAccess): CustomDecorator => SetMetadata(dashboardAccessKey, access);

/** `@CurrentUser() user: SignedIn` */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): SignedIn =>
  requireSignedIn(context.switchToHttp().getRequest<Request>()),
);

/** `@CurrentAccount() account: SignedIn['account'] & object` of an owner. */
export const CurrentAccount = createParamDecorator((_: unknown, context: ExecutionContext) =>
  requireAccount(context.switchToHttp().getRequest<Request>()),
);

export function requireDashboardAccess(request: Request, access: DashboardAccess): true {
  if (access !== 'anyone') requireSignedIn(request);
  if (access === 'owner') requireAccount(request);
  return true;
}

function requireSignedIn({ signedIn }: Request): SignedIn {
  if (!signedIn) throw new ServiceError('invalid_credentials', 'You are not signed in.');
  return signedIn;
}

function requireAccount(request: Request): NonNullable<SignedIn['account']> {
  const { account } = requireSignedIn(request);
  if (!account) throw new ServiceError('not_permitted', 'An administrator has no account here.');
  return account;
}
