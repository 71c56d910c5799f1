import type { IssuedKeyAnswer, KeysAnswer, MainKey } from '@rtms/contracts';
import type { ApiRecord } from '../../api/records.js';
import { request } from '../../api/request.js';
import { listOf, type Listing, type PageOf } from '../../api/resource.js';
import { accountPath } from './administration-api.js';

type DisposableKey = ApiRecord<'DisposableKey'>;
type IssuedKey = IssuedKeyAnswer['key'];

export async function readKeys(accountID: string, signal: AbortSignal): Promise<MainKey[]> {
  return (await request<KeysAnswer>('GET', accountPath(accountID, '/keys'), { signal })).keys;
}

export async function createKey(accountID: string, type: MainKey['type']): Promise<IssuedKey> {
  return (await request<IssuedKeyAnswer>('POST', accountPath(accountID, '/keys'), { body: { type } })).key;
}

export async function rotateKey(accountID: string, type: MainKey['type'], overlapHours: number): Promise<IssuedKey> {
  const body = { type, overlapHours };
  return (await request<IssuedKeyAnswer>('POST', accountPath(accountID, '/keys/rotate'), { body })).key;
}

export function listDisposableKeys(
  accountID: string,
  page: PageOf,
  signal: AbortSignal,
): Promise<Listing<DisposableKey>> {
  return listOf(accountPath(accountID, '/disposable-keys'), 'disposableKeys', { ...page }, signal);
}
