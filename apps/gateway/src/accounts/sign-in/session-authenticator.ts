import { Inject, Injectable } from '@nestjs/common';
import { csrfHeader, isAccountRole, operationsOfRole, ServiceError } from '@rtms/contracts';
import { isRead } from '@rtms/http';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../../platform/auth/caller.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { sameHash } from '../../platform/secrets/cryptography.js';
import { DashboardSessionsService } from './dashboard-sessions.service.js';
import type { SignedIn } from '../../platform/auth/signed-in.decorators.js';
import { readSessionCookie } from './dashboard-cookies.js';
import { environmentOf } from '../../platform/auth/signed-in.decorators.js';

/** Requests below `/dashboard/api` that need no session. The same-origin rule holds for them too. */
const openRequests: readonly string[] = [
  'POST /session',
  'POST /password-reset',
  'POST /invitations/accept',
  'GET /setup',
  'POST /setup',
];
/** Answers a visitor without a session too. Browsers show a 401 as an error on the console. */
const sessionQuestion = /^(?:GET|HEAD) \/session$/;

declare module 'express-serve-static-core' {
  interface Request {
    /** The session of the cookie in the request. */
    signedIn?: SignedIn;
  }
}

/** Authenticates requests by the dashboard's cookie. No other code reads the cookie. */
@Injectable()
export class SessionAuthenticator {
  private readonly publicHost: string;

  constructor(
    private readonly sessions: DashboardSessionsService,
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
  ) {
    this.publicHost = new URL(config.publicUrl).host;
  }

  /** Returns whether the cookie authenticates the request. An Authorization header takes precedence. */
  isByCookie({ headers }: Request): boolean {
    return headers.authorization === undefined && readSessionCookie(headers.cookie) !== undefined;
  }

  /** Middleware for `/dashboard/api`. */
  dashboard(): RequestHandler {
    return async (request, response, next) => {
      response.vary('Cookie');
      this.requireSameOrigin(request, response);
      const name = `${request.method} ${request.path}`;
      if (sessionQuestion.test(name)) await this.identify(request);
      else if (!openRequests.includes(name)) await this.authenticate(request, response);
      next();
    };
  }

  async authenticate(request: Request, response: Response): Promise<SignedIn> {
    response.vary('Cookie');
    this.requireSameOrigin(request, response);
    const signedIn = await this.identify(request);
    if (!signedIn) throw new ServiceError('invalid_credentials', 'You are not signed in.');
    return signedIn;
  }

  /** Returns the session of the cookie, or undefined. */
  private async identify(request: Request): Promise<SignedIn | undefined> {
    const token = readSessionCookie(request.headers.cookie);
    const signedIn = token === undefined ? undefined : await this.sessions.find(token);
    if (!signedIn) return undefined;
    if (!isRead(request.method)) requireCsrfToken(request, signedIn.csrfToken);
    if (signedIn.account?.state === 'disabled') throw new ServiceError('account_disabled');
    return (request.signedIn = signedIn);
  }

  /** Returns the caller for `/v1`: the user's account with the operations of the user's role. */
  async caller(request: Request, response: Response): Promise<Caller> {
    const { account, role, sessionID, expiresAt } = await this.authenticate(request, response);
    if (!account || !isAccountRole(role))
      throw new ServiceError('not_permitted', 'An administrator has no account here.');
    return {
      accountID: account.accountID,
      apiUserName: account.apiUserName,
      keyID: sessionID,
      keyKind: 'dashboard',
      ...environmentOf(request),
      operations: operationsOfRole[role],
      subUserID: null,
      settingsOwnerID: account.accountID,
      expiresAt,
      domains: null,
      meetingIDs: null,
      maxRole: null,
      lastUsedAt: null,
    };
  }

  private requireSameOrigin({ headers }: Request, response: Response): void {
    if (isSameOrigin(headers, this.publicHost)) return;
    response.removeHeader('Access-Control-Allow-Origin');
    throw new ServiceError('origin_not_allowed', 'The dashboard’s cookie works only on the pages of this gateway.');
  }
}

function requireCsrfToken(request: Request, expected: string): void {
  if (sameHash(Buffer.from(request.get(csrfHeader) ?? ''), Buffer.from(expected))) return;
  throw new ServiceError('csrf_token_missing', `Send the session's csrfToken in the header ${csrfHeader}.`);
}

/**
 * Returns whether a request comes from a page of this service, or from no page. Browsers send `Origin` and `Sec-Fetch-Site`, which
 * no script can set. `Sec-Fetch-Site: none` means that the user opened the address.
 */
function isSameOrigin(headers: IncomingHttpHeaders, publicHost: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin, host } = headers;
  if (origin === undefined) return true;
  return URL.canParse(origin) && [publicHost, host].includes(new URL(origin).host);
}
