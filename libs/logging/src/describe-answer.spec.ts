import { describeAnswer } from './describe-answer.js';

const lines = (answer: object): string[] =>
  describeAnswer({ success: true, ...answer })
    .trimEnd()
    .split('\n');

describe('an answer as text', () => {
  it('is a table with a line for each record of a list', () => {
    const accounts = [
      { accountID: 'acct_1', name: 'Radio Nord', apiUserName: 'radio123', state: 'active', createdAt: 'now', plan: {} },
      { accountID: 'acct_22', name: 'Bo', apiUserName: 'bo12345', state: 'disabled', createdAt: 'then', plan: {} },
    ];
    expect(lines({ accounts })).toEqual([
      'ACCOUNTID  NAME        APIUSERNAME  STATE     CREATEDAT',
      'acct_1     Radio Nord  radio123     active    now',
      'acct_22    Bo          bo12345      disabled  then',
    ]);
  });

  it('names the next page while records are left', () => {
    const accounts = [{ accountID: 'acct_1' }];
    expect(lines({ accounts, total: 3, startIndex: 1, pageSize: 1 }).at(-1)).toBe(
      '2 to 2 of 3. Continue with --skip 2.',
    );
    expect(lines({ accounts, total: 2, startIndex: 1, pageSize: 1 })).toHaveLength(2);
  });

  it('has a line for each field of a record, with lists as tables', () => {
    const bus = { isUp: true };
    const nodes = [{ nodeID: 'sfu-1', version: null, isOutdated: true }];
    expect(lines({ status: { gatewayVersion: '0.1.0', bus, nodes, live: null } })).toEqual([
      'gatewayVersion  0.1.0',
      'bus.isUp  true',
      'NODEID  ROLE  VERSION  ISOUTDATED  LOAD  CAPACITY  DRAINING  PUBLICURL',
      'sfu-1   -     -        true        -     -         -         -',
      'live            -',
    ]);
  });

  it('shows an empty list, and the values of short lists', () => {
    expect(lines({ rooms: [] })).toEqual(['rooms: none']);
    expect(lines({ signingKey: { kid: 'a', publishedKids: ['a', 'b'] } })).toEqual([
      'kid            a',
      'publishedKids  a,b',
    ]);
  });

  it('shows plain fields of records that have no columns of their own', () => {
    expect(lines({ users: [{ userID: 'user_1', email: 'a@b.c', account: { id: 1 } }] })).toEqual([
      'USERID  EMAIL',
      'user_1  a@b.c',
    ]);
  });

  it('never prints control characters', () => {
    expect(describeAnswer({ account: { name: 'a\u001b[31m\nb' } })).toBe('name  a?[31m?b\n');
  });
});
