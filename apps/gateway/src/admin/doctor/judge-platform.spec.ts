import {
  judgeAdminToken,
  judgeBus,
  judgeClock,
  judgeCopies,
  judgeDatabase,
  judgeDatabaseRole,
  judgeGateway,
  judgeJetStream,
  judgeMigrations,
  judgeNodeAddresses,
  judgeNodes,
  judgeSecrets,
  judgeSettings,
} from './judge-platform.js';

const failure = { failure: 'connect ECONNREFUSED 127.0.0.1:1' };

describe('the findings about the platform', () => {
  it.each([
    ['a PostgreSQL that is new enough', judgeDatabase({ value: '14.2 (Debian)' }), 'ok', '14.2'],
    ['a PostgreSQL that is too old', judgeDatabase({ value: '13.11' }), 'fail', 'too old'],
    ['a PostgreSQL that does not answer', judgeDatabase(failure), 'fail', 'ECONNREFUSED'],
    ['a role with the rights that it needs', judgeDatabaseRole({ value: [] }), 'ok', 'nothing else'],
    [
      'a role with more rights',
      judgeDatabaseRole({ value: ['is a superuser', 'owns tables'] }),
      'warn',
      'superuser, owns',
    ],
    ['a role whose rights cannot be read', judgeDatabaseRole(failure), 'fail', 'ECONNREFUSED'],
    ['a schema that is up to date', judgeMigrations({ value: [] }), 'ok', 'all'],
    [
      'a schema without two migrations',
      judgeMigrations({ value: ['AddRooms1', 'AddTracks2'] }),
      'fail',
      '2 not applied.*AddRooms1',
    ],
    ['a schema that cannot be read', judgeMigrations(failure), 'fail', 'ECONNREFUSED'],
    ['NATS that is connected', judgeBus({ value: 'connected' }), 'ok', 'connected'],
    ['NATS that does not answer', judgeBus(failure), 'fail', 'ECONNREFUSED'],
    ['streams that can be opened', judgeJetStream({ value: 'stream RTMS_FACTS' }), 'ok', 'RTMS_FACTS'],
    ['NATS without JetStream', judgeJetStream({ failure: 'no responders' }), 'fail', 'no responders'],
    ['secrets that can be decrypted', judgeSecrets({ value: { tried: 3, unreadable: 0 } }), 'ok', '3 stored'],
    ['secrets of another key', judgeSecrets({ value: { tried: 3, unreadable: 2 } }), 'fail', '2 of 3'],
    ['secrets that cannot be read', judgeSecrets(failure), 'fail', 'ECONNREFUSED'],
    ['a long administrator token', judgeAdminToken(32), 'ok', '32'],
    ['a short administrator token', judgeAdminToken(31), 'warn', '31'],
    ['listed addresses of nodes', judgeNodeAddresses('https://api.example.com', true), 'ok', 'listed'],
    ['any address on one machine', judgeNodeAddresses('http://127.0.0.1:4000', false), 'ok', 'any'],
    ['any address of nodes', judgeNodeAddresses('https://api.example.com', false), 'warn', 'any address'],
    ['nodes that take work', judgeNodes('sfu', 1, 2), 'ok', '1 of 2'],
    ['nodes that are all drained', judgeNodes('sfu', 0, 2), 'fail', 'All 2 are drained'],
    ['no node at all', judgeNodes('transcoder', 0, 0), 'fail', 'no transcoder node'],
    ['a gateway that answers', judgeGateway({ value: {} }), 'ok', 'answers'],
    ['a gateway that does not answer', judgeGateway({ failure: 'No answer from x.' }), 'fail', 'No answer'],
    ['a complete environment', judgeSettings({ value: {} }), 'ok', 'complete'],
    ['an incomplete environment', judgeSettings({ failure: 'NATS_URL is missing' }), 'fail', 'NATS_URL'],
  ] as const)('judge %s', (_, judgement, level, message) => {
    expect(judgement).toMatchObject({ level, message: expect.stringMatching(message) });
    expect(judgement.advice === undefined).toBe(level === 'ok');
  });

  it.each([
    [0, 0, 'ok'],
    [-499, 0, 'ok'],
    [500, 0, 'warn'],
    [-500, 0, 'warn'],
    [4_999, 0, 'warn'],
    [5_000, 0, 'fail'],
    // The time of the answer explains the difference.
    [1_000, 600, 'ok'],
    [-5_400, 500, 'warn'],
  ])('judge a clock that is %i ms off, known within %i ms', (difference, uncertainty, level) => {
    expect(judgeClock(difference, uncertainty).level).toBe(level);
  });

  it('advise about drained nodes and missing nodes', () => {
    expect(judgeNodes('sfu', 0, 2).advice).toContain('undrain');
    expect(judgeNodes('sfu', 0, 0).advice).toContain('Start the sfu service');
  });
});

describe('the copies of streams and buckets', () => {
  const copies = (wanted: number, current: number) => [
    { name: 'KV_rtms_keys', wanted: 3, current: 3 },
    { name: 'RTMS_FACTS', wanted, current },
  ];

  it.each([
    ['as many as configured', copies(3, 3), 3],
    ['no configured number', copies(1, 1), undefined],
    ['more than configured', copies(3, 3), 1],
  ])('are no problem with %s', (_case, found, configured) => {
    expect(judgeCopies(found, configured)).toBeUndefined();
  });

  it.each([
    ['a stream that nobody replicated', copies(1, 1), 3, 'RTMS_FACTS has 1 of 3 copies.', /Restart the gateway/],
    ['a server that is away', copies(3, 2), 3, 'RTMS_FACTS has 2 of 3 copies.', /Start all servers/],
    ['a server that is away, by hand', copies(3, 2), undefined, 'RTMS_FACTS has 2 of 3 copies.', /Start all servers/],
  ])('fail for %s', (_case, found, configured, message, advice) => {
    expect(judgeCopies(found, configured)).toMatchObject({
      level: 'fail',
      message,
      advice: expect.stringMatching(advice),
    });
  });
});
