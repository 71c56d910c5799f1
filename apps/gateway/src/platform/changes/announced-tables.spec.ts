import { findWrite, unannounced } from './announced-tables.js';

describe('a write to an announced table', () => {
  it.each([
    ['DELETE FROM "rooms" WHERE id = $1', ' RETURNING rooms.id AS changed_id, rooms.account_id AS changed_account'],
    ['INSERT INTO rooms (id) VALUES ($1)', ' RETURNING rooms.id AS changed_id, rooms.account_id AS changed_account'],
    ['\nUPDATE rooms AS r SET a = 1 RETURNING a', ', r.id AS changed_id, r.account_id AS changed_account'],
    ['UPDATE rooms r SET a = 1', ' RETURNING r.id AS changed_id, r.account_id AS changed_account'],
    ['DELETE FROM rooms USING x', ' RETURNING rooms.id AS changed_id, rooms.account_id AS changed_account'],
  ])('returns the changed rows: %s', (statement, more) => {
    expect(findWrite(statement)).toEqual({ kind: 'room', statement: statement + more });
  });

  it('names a balance by its environment, and the log of a room by the room', () => {
    expect(findWrite('UPDATE balances SET a = 1')?.statement).toContain('balances.key_type AS changed_id');
    expect(findWrite('INSERT INTO room_feeds AS feed (a) VALUES (1)')).toEqual({
      kind: 'roomLog',
      statement:
        'INSERT INTO room_feeds AS feed (a) VALUES (1) RETURNING feed.meeting_id AS changed_id, NULL::text AS changed_account',
    });
  });

  it.each([
    'SELECT * FROM rooms FOR UPDATE',
    'UPDATE list_counts SET rows = 1',
    'INSERT INTO x SELECT id FROM rooms',
    'WITH a AS (DELETE FROM list_changes RETURNING *) SELECT 1 FROM rooms FOR UPDATE OF rooms',
    `${unannounced} WITH replaced AS (UPDATE sip_configs SET a = 1) SELECT 1`,
    'COMMIT',
  ])('is not this statement: %s', statement => {
    expect(findWrite(statement)).toBeUndefined();
  });

  it.each([
    'WITH a AS (DELETE FROM rooms RETURNING *) SELECT 1',
    'WITH a AS (SELECT 1) UPDATE rooms SET a = 1',
    'INSERT INTO x SELECT 1 FROM (DELETE FROM "rooms" RETURNING 1)',
  ])('begins its statement: %s', statement => {
    expect(() => findWrite(statement)).toThrow('Begin the statement with its write to rooms');
  });
});
