import { createParamDecorator, SetMetadata, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import { environmentHeader, hasRole, ServiceError, type AccountRole, type DashboardRole } from '@rtms/contracts';
import type { Request } from 'express';
import { keyTypes, type AccountState, type Caller } from './caller.js';

/** A session with the present rights of its user. */
export interface SignedIn {
  sessionID: string;
  userID: string;
  email: string;
  role: DashboardRole;
  totpEnabled: boolean;
  account: { accountID: string; name: string; apiUserName: string; state: AccountState } | null;
  lastSeenAt: Date;
  /** Time of the last password check. */
  confirmedAt: Date;
  expiresAt: Date;
  csrfToken: string;
}

/** The account of a signed-in user. */
export type SignedInAccount = NonNullable<SignedIn['account']>;

export const dashboardAccessKey = 'rtms:dashboard';
/** `anyone`: no session needed. `user`: a user of any role. A role: a user of an account with this role or a higher one. */
export type DashboardAccess = 'anyone' | 'user' | AccountRole;

/** Declares the users that may call a handler. Each handler under `/dashboard/api` needs it. */
export const DashboardFor = (access: DashboardAccess): CustomDecorator => SetMetadata(dashboardAccessKey, access);

/** `@CurrentUser() user: SignedIn` */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): SignedIn =>
  requireSignedIn(context.switchToHttp().getRequest<Request>()),
);

/** `@CurrentAccount() account: SignedInAccount` */
export const CurrentAccount = createParamDecorator((_: unknown, context: ExecutionContext) =>
  requireAccount(context.switchToHttp().getRequest<Request>()),
);

/** `@CurrentEnvironments() environments: readonly KeyType[]`: the requested environment, or both. */
export const CurrentEnvironments = createParamDecorator(
  (_: unknown, context: ExecutionContext) => environmentOf(context.switchToHttp().getRequest<Request>()).environments,
);

/** The header selects one environment. Without it the dashboard reaches both and creates sandbox rooms. */
export function environmentOf(request: Request): Pick<Caller, 'keyType' | 'environments'> {
  const sent = request.get(environmentHeader);
  if (sent === undefined) return { keyType: 'sandbox', environments: keyTypes };
  const environment = keyTypes.find(each => each === sent);
  if (!environment) {
    throw new ServiceError('invalid_request', `${environmentHeader} must be one of: ${keyTypes.join(', ')}.`);
  }
  return { keyType: environment, environments: [environment] };
}

export function requireDashboardAccess(request: Request, access: DashboardAccess): true {
  if (access === 'anyone') return true;
  const { role } = requireSignedIn(request);
  if (access === 'user') return true;
  requireAccount(request);
  if (hasRole(role, access)) return true;
  throw new ServiceError('not_permitted', `Your role ${role} does not allow this: it needs the role ${access}.`);
}

function requireSignedIn({ signedIn }: Request): SignedIn {
  if (!signedIn) throw new ServiceError('invalid_credentials', 'You are not signed in.');
  return signedIn;
}

function requireAccount(request: Request): SignedInAccount {
  const { account } = requireSignedIn(request);
  if (!account) throw new ServiceError('not_permitted', 'An administrator has no account here.');
  return account;
}
