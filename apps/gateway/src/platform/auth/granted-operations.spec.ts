import { operations } from '@rtms/contracts';
import fc from 'fast-check';
import { beyond, grantedOperations, subUserRoles } from './granted-operations.js';

describe('what a key may do', () => {
  it('is everything for a main key', () => {
    expect(grantedOperations({})).toEqual(operations);
  });

  it('is what a disposable key was granted', () => {
    expect(grantedOperations({ key: ['readRooms', 'createRoom'] })).toEqual(['createRoom', 'readRooms']);
  });

  it('is what a sub-user is permitted, and its own settings for a parent', () => {
    const permissions = ['readRooms'] as const;
    expect(grantedOperations({ subUser: { role: 'member', permissions } })).toEqual(['readRooms']);
    expect(grantedOperations({ subUser: { role: 'parent', permissions } })).toEqual([
      'readRooms',
      'readSettings',
      'manageSettings',
    ]);
  });

  it('is never more than the sub-user may and the key was granted', () => {
    const someOperations = fc.subarray([...operations]);
    fc.assert(
      fc.property(fc.constantFrom(...subUserRoles), someOperations, someOperations, (role, permissions, key) => {
        const granted = grantedOperations({ subUser: { role, permissions }, key });
        const ofUser = grantedOperations({ subUser: { role, permissions } });
        return beyond(granted, key).length === 0 && beyond(granted, ofUser).length === 0;
      }),
    );
  });
});
