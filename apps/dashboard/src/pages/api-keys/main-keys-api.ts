import type { IssuedKeyAnswer, KeysAnswer, MainKey } from '@rtms/contracts';
import { useQuery } from '@tanstack/react-query';
import { shownKey } from '../../api/query-keys.js';
import { dashboardRequest } from '../../api/request.js';

type KeyType = MainKey['type'];
type IssuedKey = IssuedKeyAnswer['key'];

export function useMainKeys() {
  return useQuery({
    queryKey: shownKey('key', 'main'),
    queryFn: async ({ signal }) => (await dashboardRequest<KeysAnswer>('GET', '/keys', { signal })).keys,
  });
}

export async function createMainKey(type: KeyType): Promise<IssuedKey> {
  return (await dashboardRequest<IssuedKeyAnswer>('POST', '/keys', { body: { type } })).key;
}

export async function rotateMainKey(type: KeyType, overlapHours: number): Promise<IssuedKey> {
  return (await dashboardRequest<IssuedKeyAnswer>('POST', '/keys/rotate', { body: { type, overlapHours } })).key;
}
