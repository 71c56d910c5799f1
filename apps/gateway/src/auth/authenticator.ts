import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import type { Request, RequestHandler, Response } from 'express';
import { SessionAuthenticator } from '../dashboard-sessions/session-authenticator.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { CLOCK } from '../runtime.module.js';
import { sameHash } from '../secrets/keyed-hash.js';
import { KeyLookUp, type FoundKey } from './key-look-up.service.js';
import { makeCaller } from './make-caller.js';
import { domainsToAskFor, isOriginAllowed } from './origin-policy.js';
import { readBearer, readCredential, type Credential } from './read-credential.js';
import { proxyOrigins, requestOrigin } from './request-origin.js';

/** Finds out who sent a request, before its body is read. */
@Injectable()
export class Authenticator {
  private readonly adminTokenHashes: readonly Buffer[];
  private readonly publicHost: string;

  constructor(
    private readonly keys: KeyLookUp,
    private readonly sessions: SessionAuthenticator,
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    const { adminToken, previousAdminToken } = config;
    this.adminTokenHashes = [adminToken, ...(previousAdminToken ? [previousAdminToken] : [])].map(digest);
    this.publicHost = new URL(config.publicUrl).host;
  }

  /** For `/v1`: the key, its account, and whether it may be used from where the request comes; or the dashboard's user. */
  account(): RequestHandler {
    return async (request, response, next) => {
      if (this.sessions.isByCookie(request)) request.caller = await this.sessions.caller(request, response);
      else await this.identify(request, response);
      next();
    };
  }

  /** For `/admin/v1`. */
  administrator(): RequestHandler {
    return async (request, response, next) => {
      request.administrator = await this.isAdministrator(request, response);
      if (!request.administrator) throw new ServiceError('invalid_credentials', 'The administrator token is wrong.');
      next();
    };
  }

  private async isAdministrator(request: Request, response: Response): Promise<boolean> {
    if (this.sessions.isByCookie(request)) {
      return (await this.sessions.authenticate(request, response)).role === 'administrator';
    }
    const token = readBearer(request.headers.authorization);
    return token !== undefined && this.adminTokenHashes.some(each => sameHash(digest(token), each));
  }

  private async identify(request: Request, response: Response): Promise<void> {
    const credential = readCredential(request.headers.authorization);
    if (!credential) throw missingCredential();
    const { origin, proxies } = this.cameFrom(request.headers);
    const found = await this.find(credential, domainsToAskFor([origin, ...proxies]));
    const caller = makeCaller(found);
    const { keyType, domains: narrowing } = caller;
    const mayComeFrom = (from: string | undefined) =>
      isOriginAllowed({ keyType, origin: from, registered: found.registeredDomains, narrowing });
    if (!mayComeFrom(origin)) throw originRefused(response);
    request.isProxyAllowed = proxies.every(mayComeFrom);
    request.caller = caller;
  }

  private cameFrom(headers: IncomingHttpHeaders): { origin: string | undefined; proxies: string[] } {
    const proxies = proxyOrigins(headers, [this.publicHost, headers.host ?? '']);
    return { origin: requestOrigin(headers), proxies };
  }

  private async find({ apiUserName, apiKey }: Credential, domains: readonly string[]): Promise<FoundKey> {
    const found = await this.keys.find(apiKey, domains);
    if (!found || !sameText(found.apiUserName, apiUserName)) throw wrongCredential();
    requireUsable(found, this.clock.now());
    return found;
  }
}

function requireUsable({ revokedAt, disabledAt, expiresAt, accountState, subUserState }: FoundKey, now: number): void {
  if (revokedAt) throw new ServiceError('key_revoked', 'This key was revoked.');
  if (expiresAt && expiresAt.getTime() <= now) throw new ServiceError('key_expired', 'This key has expired.');
  if (disabledAt) throw new ServiceError('key_disabled', 'This key is disabled. Enable it, or use another key.');
  if (accountState === 'disabled') throw new ServiceError('account_disabled', 'This account is disabled.');
  if (subUserState === 'disabled') throw new ServiceError('sub_user_disabled', 'This sub-user is disabled.');
}

/** The page that asked may not even read that it was refused. */
export function originRefused(response: Response): ServiceError {
  response.removeHeader('Access-Control-Allow-Origin');
  return new ServiceError('origin_not_allowed', 'This key may not be used from this origin.');
}

export function missingCredential(): ServiceError {
  return new ServiceError(
    'invalid_credentials',
    'Send your credential in the header Authorization: Bearer <api-username>:<api-key>.',
  );
}

/** The same for a wrong name and for a wrong key. */
function wrongCredential(): ServiceError {
  return new ServiceError('invalid_credentials', 'The API username or the API key is wrong.');
}

/** The length of a name is no secret, and whoever gets here has its key. */
function sameText(one: string, other: string): boolean {
  return sameHash(Buffer.from(one), Buffer.from(other));
}

/** Makes values of any length comparable in constant time. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value, 'utf8').digest();
}
