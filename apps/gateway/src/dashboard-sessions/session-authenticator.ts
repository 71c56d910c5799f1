import { Inject, Injectable } from '@nestjs/common';
import { csrfHeader, operations, ServiceError } from '@rtms/contracts';
import { isRead } from '@rtms/http';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../auth/caller.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { sameHash } from '../secrets/keyed-hash.js';
import { DashboardSessions, type SignedIn } from './dashboard-sessions.service.js';
import { isSameOrigin } from './same-origin.js';
import { readSessionCookie } from './dashboard-cookies.js';
import { environmentOf } from './signed-in.decorators.js';

/** Requests below `/dashboard/api` that need no session. They come from the page too. */
const openRequests: readonly string[] = ['POST /session', 'POST /password-reset'];

declare module 'express-serve-static-core' {
  interface Request {
    /** Who sent it by the dashboard's cookie. */
    signedIn?: SignedIn;
  }
}

/** Finds out who sent a request by the dashboard's cookie: the only place where a cookie counts for anything. */
@Injectable()
export class SessionAuthenticator {
  private readonly publicHost: string;

  constructor(
    private readonly sessions: DashboardSessions,
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
  ) {
    this.publicHost = new URL(config.publicUrl).host;
  }

  /** Whether a request is to be judged by its cookie: a credential that was sent wins. */
  isByCookie({ headers }: Request): boolean {
    return headers.authorization === undefined && readSessionCookie(headers.cookie) !== undefined;
  }

  /** For `/dashboard/api`. */
  dashboard(): RequestHandler {
    return async (request, response, next) => {
      response.vary('Cookie');
      this.requireSameOrigin(request, response);
      if (!openRequests.includes(`${request.method} ${request.path}`)) await this.authenticate(request, response);
      next();
    };
  }

  async authenticate(request: Request, response: Response): Promise<SignedIn> {
    response.vary('Cookie');
    this.requireSameOrigin(request, response);
    const token = readSessionCookie(request.headers.cookie);
    const signedIn = token === undefined ? undefined : await this.sessions.find(token);
    if (!signedIn) throw new ServiceError('invalid_credentials', 'You are not signed in.');
    if (!isRead(request.method)) requireCsrfToken(request, signedIn.csrfToken);
    if (signedIn.account?.state === 'disabled') throw new ServiceError('account_disabled', 'This account is disabled.');
    request.signedIn = signedIn;
    return signedIn;
  }

  /** For `/v1`: the account itself, with all that its main keys may do. */
  async caller(request: Request, response: Response): Promise<Caller> {
    const { account, sessionID, expiresAt } = await this.authenticate(request, response);
    if (!account) throw new ServiceError('not_permitted', 'An administrator has no account here.');
    return {
      accountID: account.accountID,
      apiUserName: account.apiUserName,
      keyID: sessionID,
      keyKind: 'dashboard',
      ...environmentOf(request),
      operations,
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
    throw new ServiceError('origin_not_allowed', 'The dashboard’s cookie is for its own pages.');
  }
}

function requireCsrfToken(request: Request, expected: string): void {
  if (sameHash(Buffer.from(request.get(csrfHeader) ?? ''), Buffer.from(expected))) return;
  throw new ServiceError('csrf_token_missing', `Send the session's csrfToken in the header ${csrfHeader}.`);
}
