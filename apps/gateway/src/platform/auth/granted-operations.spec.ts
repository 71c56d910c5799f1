import { operations } from '@rtms/contracts';
import fc from 'fast-check';
import { beyond, grantedOperations, subUserRoles } from './granted-operations.js';

describe('grantedOperations', () => {
  it('grants all operations to a main key', () => {
    expect(grantedOperations({})).toEqual(operations);
  });

  it('grants a disposable key its own operations', () => {
    expect(grantedOperations({ key: ['readRooms', 'createRoom'] })).toEqual(['createRoom', 'readRooms']);
  });

  it('grants a key the permissions of its sub-user, and a parent its own settings', () => {
    const permissions = ['readRooms'] as const;
    expect(grantedOperations({ subUser: { role: 'member', permissions } })).toEqual(['readRooms']);
    expect(grantedOperations({ subUser: { role: 'parent', permissions } })).toEqual([
      'readRooms',
      'readSettings',
      'manageSettings',
    ]);
  });

  it('grants a key no more than both the sub-user and the key have', () => {
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
