import type { ActionFields, ApiRecord } from '../../api/records.js';
import { resource } from '../../api/resource.js';

export type SubUser = ApiRecord<'SubUser'>;
export type IssuedSubUser = ApiRecord<'IssuedSubUser'>;
export type IssuedKey = ApiRecord<'IssuedKey'>;

type Creating = ActionFields<'SubusersCreateBody'>;

export const subUsers = resource<SubUser, Creating, ActionFields<'SubusersUpdateBody'>>({
  path: '/v1/subusers',
  one: 'subUser',
  many: 'subUsers',
  id: 'subUserID',
});

/** The answer holds both keys, once. */
export async function addSubUser(fields: Creating): Promise<IssuedSubUser> {
  return (await subUsers.act<{ subUser: IssuedSubUser }>('create', fields)).subUser;
}

/** The answer holds the new key, once. */
export async function rotateSubUserKey(fields: ActionFields<'SubusersRotateKeyBody'>): Promise<IssuedKey> {
  return (await subUsers.act<{ key: IssuedKey }>('rotateKey', fields)).key;
}
