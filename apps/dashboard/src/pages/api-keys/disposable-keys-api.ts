import type { ActionFields, ApiRecord } from '../../api/records.js';
import { resource } from '../../api/resource.js';

export type DisposableKey = ApiRecord<'DisposableKey'>;
export type IssuedDisposableKey = ApiRecord<'IssuedDisposableKey'>;

type Creating = ActionFields<'DisposableKeysCreateBody'>;

export const disposableKeys = resource<DisposableKey, Creating, ActionFields<'DisposableKeysUpdateBody'>>({
  path: '/v1/disposable-keys',
  one: 'disposableKey',
  many: 'disposableKeys',
  id: 'keyID',
});

/** The answer holds the key itself, once. */
export async function issueDisposableKey(fields: Creating): Promise<IssuedDisposableKey> {
  return (await disposableKeys.act<{ disposableKey: IssuedDisposableKey }>('create', fields)).disposableKey;
}
