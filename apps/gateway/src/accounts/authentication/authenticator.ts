import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError, type Operation } from '@rtms/contracts';
import type { Request, RequestHandler, Response } from 'express';
import { SessionAuthenticator } from '../sign-in/session-authenticator.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { sameHash } from '../../platform/secrets/cryptography.js';
import { FoundKeysRepository, type FoundKey } from './found-keys.repository.js';
import { domainsToAskFor, isOriginAllowed } from '../../platform/auth/origin-policy.js';
import type { Caller, KeyKind } from '../../platform/auth/caller.js';
import { grantedOperations } from '../../platform/auth/granted-operations.js';
import { missingCredential, readBearer, readCredential, type Credential } from '../../platform/auth/read-credential.js';
import { proxyOrigins, requestOrigin } from '../../platform/auth/request-origin.js';

/** Authenticates a request before its body is read. */
@Injectable()
export class Authenticator {
  private readonly adminTokenHashes: readonly Buffer[];
  private readonly publicHost: string;

  constructor(
    private readonly keys: FoundKeysRepository,
    private readonly sessions: SessionAuthenticator,
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    const { adminToken, previousAdminToken } = config;
    this.adminTokenHashes = [adminToken, ...(previousAdminToken ? [previousAdminToken] : [])].map(digest);
    this.publicHost = new URL(config.publicUrl).host;
  }

  /** Middleware for `/v1`: accepts an API key within its allowed origins, or the dashboard's cookie. */
  account(): RequestHandler {
    return async (request, response, next) => {
      if (this.sessions.isByCookie(request)) request.caller = await this.sessions.caller(request, response);
      else await this.identify(request, response);
      next();
    };
  }

  /** Middleware for `/admin/v1`. */
  administrator(): RequestHandler {
    return async (request, response, next) => {
      request.administrator = await this.isAdministrator(request, response);
      if (!request.administrator) throw new ServiceError('invalid_credentials', 'The administrator token is wrong.');
      next();
    };
  }

  /** Throws if the key of a running request is no longer valid, or has lost the operation. */
  async recheck(request: Request, operation: Operation): Promise<void> {
    const credential = readCredential(request.headers.authorization);
    if (!credential) throw missingCredential();
    const { operations } = makeCaller(await this.find(credential, []));
    if (!operations.includes(operation)) throw new ServiceError('operation_not_granted');
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
  if (expiresAt && expiresAt.getTime() <= now) throw new ServiceError('key_expired');
  if (disabledAt) throw new ServiceError('key_disabled', 'This key is disabled. Enable it, or use another key.');
  if (accountState === 'disabled') throw new ServiceError('account_disabled');
  if (subUserState === 'disabled') throw new ServiceError('sub_user_disabled');
}

/** Without the CORS header the page cannot read the refusal either. */
export function originRefused(response: Response): ServiceError {
  response.removeHeader('Access-Control-Allow-Origin');
  return new ServiceError('origin_not_allowed', 'This key may not be used from this origin.');
}

/** One error for a wrong name and a wrong key, so that neither can be probed. */
function wrongCredential(): ServiceError {
  return new ServiceError('invalid_credentials', 'The API username or the API key is wrong.');
}

/** The length of a name is no secret: this request already has the key. */
function sameText(one: string, other: string): boolean {
  return sameHash(Buffer.from(one), Buffer.from(other));
}

/** Gives values of any length one length, so that they can be compared in constant time. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value, 'utf8').digest();
}

function makeCaller(found: FoundKey): Caller {
  const { accountID, apiUserName, keyID, keyType, subUserID, expiresAt, domains, lastUsedAt } = found;
  const { meetingIDs, maxRole } = found;
  return {
    accountID,
    apiUserName,
    keyID,
    keyKind: kindOf(found),
    keyType,
    environments: [keyType],
    operations: grantedOperations({ subUser: subUserOf(found), key: found.operations ?? undefined }),
    subUserID,
    settingsOwnerID: subUserID !== null && found.subUserRole === 'parent' ? subUserID : accountID,
    expiresAt,
    domains,
    meetingIDs,
    maxRole,
    lastUsedAt,
  };
}

function kindOf({ operations, subUserID }: FoundKey): KeyKind {
  if (operations) return 'disposable';
  return subUserID === null ? 'main' : 'subUser';
}

function subUserOf({ subUserRole: role, permissions }: FoundKey): Parameters<typeof grantedOperations>[0]['subUser'] {
  return role && permissions ? { role, permissions } : undefined;
}
