import { ServiceError } from '@rtms/contracts';

export interface Credential {
  apiUserName: string;
  apiKey: string;
}

/** `Bearer <api-username>:<api-key>`; undefined when the header is missing or has another form. */
export function readCredential(authorization: string | undefined): Credential | undefined {
  const [, apiUserName, apiKey] = /^Bearer +([A-Za-z0-9]{6,32}):([A-Za-z0-9]{64})$/i.exec(authorization ?? '') ?? [];
  return apiUserName !== undefined && apiKey !== undefined ? { apiUserName, apiKey } : undefined;
}

/** `Bearer <token>`; undefined when the header is missing or has another form. */
export function readBearer(authorization: string | undefined): string | undefined {
  return /^Bearer +([^\s]{1,4096})$/i.exec(authorization ?? '')?.[1];
}

export function missingCredential(): ServiceError {
  return new ServiceError(
    'invalid_credentials',
    'Send your credential in the header Authorization: Bearer <api-username>:<api-key>.',
  );
}
