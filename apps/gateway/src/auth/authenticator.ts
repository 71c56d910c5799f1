import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import type { Request, RequestHandler, Response } from 'express';
import { ApiKeysService, type FoundKey } from '../accounts/api-keys.service.js';
import { DomainsService } from '../domains/domains.service.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { sameHash } from '../secrets/keyed-hash.js';
import type { Caller } from './caller.js';
import { operations } from './operations.js';
import { isOriginAllowed, requestOrigin } from './origin-policy.js';
import { readBearer, readCredential, type Credential } from './read-credential.js';

/** Finds out who sent a request, before its body is read. */
@Injectable()
export class Authenticator {
  private readonly adminTokenHash: Buffer;

  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly domains: DomainsService,
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
  ) {
    this.adminTokenHash = digest(config.adminToken);
  }

  /** For `/v1`: the key, its account, and whether it may be used from where the request comes. */
  account(): RequestHandler {
    return async (request, response, next) => {
      await this.identify(request, response);
      next();
    };
  }

  /** For `/admin/v1`. */
  administrator(): RequestHandler {
    return (request, _response, next) => {
      const token = readBearer(request.headers.authorization);
      request.administrator = token !== undefined && sameHash(digest(token), this.adminTokenHash);
      if (!request.administrator) throw new ServiceError('invalid_credentials', 'The administrator token is wrong.');
      next();
    };
  }

  private async identify(request: Request, response: Response): Promise<void> {
    const credential = readCredential(request.headers.authorization);
    if (!credential) throw missingCredential();
    const caller = await this.authenticate(credential);
    if (!(await this.mayComeFrom(caller, requestOrigin(request.headers)))) {
      response.removeHeader('Access-Control-Allow-Origin');
      throw new ServiceError('origin_not_allowed', 'This production key may not be used from this origin.');
    }
    request.caller = caller;
  }

  private async authenticate({ apiUserName, apiKey }: Credential): Promise<Caller> {
    const found = await this.apiKeys.findByKey(apiKey);
    if (!found || !sameHash(digest(found.apiUserName), digest(apiUserName))) throw wrongCredential();
    requireUsable(found);
    const { accountID, keyID, keyType } = found;
    return { accountID, apiUserName, keyID, keyType, operations };
  }

  private async mayComeFrom({ accountID, keyType }: Caller, origin: string | undefined): Promise<boolean> {
    if (keyType === 'sandbox' || origin === undefined) return true;
    return isOriginAllowed({ keyType, origin, domains: await this.domains.enabledNames(accountID) });
  }
}

function requireUsable({ revokedAt, expiresAt, accountState }: FoundKey): void {
  if (revokedAt) throw new ServiceError('key_revoked', 'This key was revoked.');
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw new ServiceError('key_expired', 'This key has expired.');
  if (accountState === 'disabled') throw new ServiceError('account_disabled', 'This account is disabled.');
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

/** Makes values of any length comparable in constant time. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value, 'utf8').digest();
}
