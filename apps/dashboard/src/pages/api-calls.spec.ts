/** @jest-environment jsdom */
import { disposableKeys, recordingSettings, resource, rooms } from '../api/resource.js';
import { createMainKey, rotateMainKey } from '../parts/keys.js';
import { FakeService } from '../testing/fake-service.js';
import { issueDisposableKey } from './api-keys/api-keys-page.js';
import { addSubUser, rotateSubUserKey } from './sub-users/sub-users-page.js';
import * as administration from './administration/administration-api.js';
import * as meeting from '../api/meetings.js';
import * as webhookCalls from './webhooks/webhooks-api.js';

/** An API resource of the name `thing`, whose kind has no meaning here. */
const things = resource<{ thingID: string; name?: string }>('/v1/things', 'thing' as 'room');
const { signal } = new AbortController();
const page = { startIndex: 20, pageSize: 10 };
const session = { meetingID: 'm1', sessionID: 's1' } as meeting.ExternalSession;
const minutes = { type: 'sandbox', meetingMinutes: 1, recordingMinutes: 2 } as const;
const subUser = { name: 'Bo', email: 'bo@example.com', role: 'member', permissions: [] } as const;
const anyFields = {} as never;

type Route = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/** The name, the call, its method and path, and the sent query or body. */
const calls: [string, () => Promise<unknown>, Route, unknown][] = [
  [
    'a page of a list',
    () => things.list(page, { state: 'active', from: '' }),
    'GET /v1/things',
    { startIndex: '20', pageSize: '10', state: 'active' },
  ],
  ['one record', () => things.find('t1'), 'GET /v1/things', { action: 'get', thingID: 't1' }],
  ['creating', () => things.create({ name: 'x' }), 'POST /v1/things', { action: 'create', name: 'x' }],
  [
    'changing',
    () => things.update({ thingID: 't1' }, { name: 'y' }),
    'POST /v1/things',
    { action: 'update', thingID: 't1', name: 'y' },
  ],
  ['deleting', () => things.remove({ thingID: 't1' }), 'POST /v1/things', { action: 'delete', thingID: 't1' }],
  ['any other action', () => things.act('rotate', { a: 1 }), 'POST /v1/things', { action: 'rotate', a: 1 }],
  ['ending a room', () => rooms.act('end', { meetingID: 'm1' }), 'POST /v1/rooms', { action: 'end', meetingID: 'm1' }],
  [
    'a list of a room',
    () => meeting.playbacks.list('m1', page),
    'GET /v1/meetings/m1/playbacks',
    { startIndex: '20', pageSize: '10' },
  ],
  [
    'creating in a room',
    () => meeting.broadcasts.create('m1', { sourceSessionID: 's1' }),
    'POST /v1/meetings/m1/broadcasts',
    { sourceSessionID: 's1' },
  ],
  ['one thing of a room', () => meeting.broadcasts.find('m1', 'b1'), 'GET /v1/meetings/m1/broadcasts/b1', {}],
  ['ending a broadcast', () => meeting.broadcasts.end('m1', 'b1'), 'DELETE /v1/meetings/m1/broadcasts/b1', undefined],
  ['ending a playback', () => meeting.playbacks.end('m1', 'p1'), 'DELETE /v1/meetings/m1/playbacks/p1', undefined],
  [
    'a new ingest token',
    () => meeting.renewIngestToken('m1', 's1'),
    'POST /v1/meetings/m1/external-sessions/s1',
    { action: 'renewToken' },
  ],
  [
    'control of a track',
    () => meeting.controlTrack(session, 't1', 'pause'),
    'POST /v1/meetings/m1/external-sessions/s1/tracks/t1',
    { action: 'pause' },
  ],
  [
    'a recording',
    () => meeting.startRecording(session),
    'POST /v1/recordings',
    { action: 'start', meetingID: 'm1', sourceSessionID: 's1' },
  ],
  [
    'a recording of a room',
    () => meeting.recordRoom('m1'),
    'POST /v1/recordings',
    { action: 'start', meetingID: 'm1' },
  ],
  [
    'the playbacks of a session',
    () => meeting.playbacks.list('m1', { ...page, sourceSessionID: 's1' }),
    'GET /v1/meetings/m1/playbacks',
    { startIndex: '20', pageSize: '10', sourceSessionID: 's1' },
  ],
  [
    'the history of a session',
    () => meeting.readHistory({ ...session, endedAt: '2026-01-01T10:00:00.000Z' }, 60_000, signal),
    'GET /v1/meetings/m1/external-sessions/s1/history',
    { from: '2026-01-01T09:59:00.000Z', to: '2026-01-01T10:00:00.000Z' },
  ],
  ['what is live', () => meeting.readLive('m1', signal), 'GET /dashboard/api/rooms/m1/live', {}],
  ['statistics', () => meeting.readStatistics('s1', signal), 'GET /dashboard/api/external-sessions/s1/statistics', {}],
  [
    'a main key',
    () => createMainKey('/dashboard/api/keys', 'sandbox'),
    'POST /dashboard/api/keys',
    { type: 'sandbox' },
  ],
  [
    'rotating a main key',
    () => rotateMainKey('/dashboard/api/keys', 'sandbox', 1),
    'POST /dashboard/api/keys/rotate',
    { type: 'sandbox', overlapHours: 1 },
  ],
  ['a disposable key', () => issueDisposableKey(anyFields), 'POST /v1/disposable-keys', { action: 'create' }],
  [
    'revoking a disposable key',
    () => disposableKeys.remove({ keyID: 'k1' } as never),
    'POST /v1/disposable-keys',
    { action: 'delete', keyID: 'k1' },
  ],
  [
    'a sub-user',
    () => addSubUser({ ...subUser, permissions: [] }),
    'POST /v1/subusers',
    { action: 'create', ...subUser },
  ],
  [
    'rotating the key of a sub-user',
    () => rotateSubUserKey({ subUserID: 'u1', type: 'sandbox' }),
    'POST /v1/subusers',
    { action: 'rotateKey', subUserID: 'u1', type: 'sandbox' },
  ],
  [
    'the first recording settings',
    () => recordingSettings.create(anyFields),
    'POST /v1/recordingsettings',
    { action: 'create' },
  ],
  [
    'changed recording settings',
    () => recordingSettings.update({ recordingSettingID: 'r1' } as never, anyFields),
    'POST /v1/recordingsettings',
    { action: 'update', recordingSettingID: 'r1' },
  ],
  ['a new webhook', () => webhookCalls.addWebhook(anyFields), 'POST /v1/webhooks', { action: 'create' }],
  [
    'a new secret of a webhook',
    () => webhookCalls.rotateSecret('h1'),
    'POST /v1/webhooks',
    { action: 'rotateSecret', webhookID: 'h1' },
  ],
  [
    'enabling a webhook',
    () => webhookCalls.setEnabled({ webhookID: 'h1' } as never, true),
    'POST /v1/webhooks',
    { action: 'update', webhookID: 'h1', enabled: true },
  ],
  ['a test event', () => webhookCalls.sendTest('h1'), 'POST /v1/webhooks', { action: 'test', webhookID: 'h1' }],
  [
    'sending a delivery again',
    () => webhookCalls.resend('h1', 'd1'),
    'POST /v1/webhooks',
    { action: 'resend', webhookID: 'h1', deliveryID: 'd1' },
  ],
  [
    'sending a range of events again',
    () => webhookCalls.replay('h1', 'oldest', null),
    'POST /v1/webhooks',
    { action: 'replay', webhookID: 'h1', after: 'oldest', until: null },
  ],
  [
    'failed deliveries',
    () => webhookCalls.listDeliveries('h1', { state: 'failed', after: '', pageSize: 20 }, signal),
    'GET /v1/webhooks/h1/deliveries',
    { state: 'failed', pageSize: '20' },
  ],
  ['one delivery', () => webhookCalls.findDelivery('h1', 'd1', signal), 'GET /v1/webhooks/h1/deliveries/d1', {}],
  ['accounts', () => administration.listAccounts(page), 'GET /admin/v1/accounts', { startIndex: '20', pageSize: '10' }],
  ['an account', () => administration.findAccount('a/1'), 'GET /admin/v1/accounts/a%2F1', {}],
  ['a new account', () => administration.createAccount({ name: 'A' }), 'POST /admin/v1/accounts', { name: 'A' }],
  ['enabling an account', () => administration.setAccountEnabled('a1', true), 'POST /admin/v1/accounts/a1/enable', {}],
  [
    'disabling an account',
    () => administration.setAccountEnabled('a1', false),
    'POST /admin/v1/accounts/a1/disable',
    {},
  ],
  ['a balance', () => administration.readBalance('a1'), 'GET /admin/v1/accounts/a1/balance', {}],
  ['setting minutes', () => administration.setMinutes('a1', minutes), 'PUT /admin/v1/accounts/a1/balance', minutes],
  ['entitlements', () => administration.readEntitlements('a1'), 'GET /admin/v1/accounts/a1/entitlements', {}],
  [
    'an entitlement',
    () => administration.setEntitlement('a1', 'whip', true),
    'PUT /admin/v1/accounts/a1/entitlements',
    { entitlement: 'whip', granted: true },
  ],
  [
    'the features of an account',
    () => administration.readFeatures('a1'),
    'GET /admin/v1/features',
    { accountID: 'a1' },
  ],
  ['the features of the platform', () => administration.readFeatures(undefined), 'GET /admin/v1/features', {}],
  [
    'a feature of an account',
    () => administration.setFeature('a1', 'hls', false),
    'PUT /admin/v1/features',
    { feature: 'hls', enabled: false, accountID: 'a1' },
  ],
  [
    'a feature of the platform',
    () => administration.setFeature(undefined, 'hls', false),
    'PUT /admin/v1/features',
    { feature: 'hls', enabled: false },
  ],
  ['the status', () => administration.readStatus(signal), 'GET /admin/v1/status', {}],
  [
    'accounts with live work',
    () => administration.listLiveAccounts(page, signal),
    'GET /admin/v1/live-accounts',
    { startIndex: '20', pageSize: '10' },
  ],
  [
    'active rooms of an account',
    () => administration.listActiveRooms('a1', page, signal),
    'GET /admin/v1/rooms',
    { accountID: 'a1', startIndex: '20', pageSize: '10' },
  ],
  [
    'live sessions of all accounts',
    () => administration.listLiveSessions(undefined, page, signal),
    'GET /admin/v1/external-sessions',
    { startIndex: '20', pageSize: '10' },
  ],
  ['the doctor', () => administration.runDoctor(), 'GET /admin/v1/doctor', {}],
  ['nodes', () => administration.readNodes(signal), 'GET /admin/v1/nodes', {}],
  ['the work of a node', () => administration.readNodeWork('n1', signal), 'GET /admin/v1/nodes/n1/work', {}],
  ['the use of features', () => administration.readFeatureUse(signal), 'GET /admin/v1/features/use', {}],
  ['draining a node', () => administration.drainNode('n1', false), 'POST /admin/v1/nodes/n1/drain', {}],
  [
    'draining the last node',
    () => administration.drainNode('n1', true),
    'POST /admin/v1/nodes/n1/drain',
    { force: true },
  ],
  ['taking a node back', () => administration.undrainNode('n1'), 'POST /admin/v1/nodes/n1/undrain', {}],
  [
    'a key for an account',
    () => createMainKey('/admin/v1/accounts/a1/keys', 'production'),
    'POST /admin/v1/accounts/a1/keys',
    { type: 'production' },
  ],
  [
    'rotating a key of an account',
    () => rotateMainKey('/admin/v1/accounts/a1/keys', 'sandbox', 0),
    'POST /admin/v1/accounts/a1/keys/rotate',
    { type: 'sandbox', overlapHours: 0 },
  ],
  [
    'users',
    () => administration.listUsers(page, signal),
    'GET /admin/v1/dashboard-users',
    { startIndex: '20', pageSize: '10' },
  ],
  [
    'a new user',
    () => administration.createUser({ email: 'a@b.example', role: 'administrator' }),
    'POST /admin/v1/dashboard-users',
    { email: 'a@b.example', role: 'administrator' },
  ],
  ['a new password', () => administration.resetPassword('u1'), 'POST /admin/v1/dashboard-users/u1/reset-password', {}],
  [
    'switching off a second factor',
    () => administration.resetSecondFactor('u1'),
    'POST /admin/v1/dashboard-users/u1/reset-totp',
    {},
  ],
  ['deleting a user', () => administration.deleteUser('u1'), 'DELETE /admin/v1/dashboard-users/u1', undefined],
];

describe('a call of the API', () => {
  it.each(calls)('sends %s with its method, path and fields', async (_name, call, route, sent) => {
    const service = new FakeService().install().on(route, {});
    await call();
    expect(service.requests).toHaveLength(1);
    const [seen] = service.requests;
    expect(route.startsWith('GET') ? seen?.query : seen?.body).toEqual(sent);
    expect(seen?.headers['Content-Type']).toBe(seen?.body === undefined ? undefined : 'application/json');
  });
});

describe('ending an external session', () => {
  it('ends its running playbacks, broadcasts and restreams first', async () => {
    const of = (sourceSessionID: string, state: string, id: object) => ({ ...id, sourceSessionID, state });
    const service = new FakeService()
      .install()
      .onList('/v1/meetings/m1/playbacks', 'playbacks', [
        of('s1', 'active', { playbackID: 'p1' }),
        of('s1', 'ended', { playbackID: 'p2' }),
        of('s2', 'active', { playbackID: 'p3' }),
      ])
      .onList('/v1/meetings/m1/broadcasts', 'broadcasts', [
        of('s1', 'starting', { broadcastID: 'b1' }),
        of('s1', 'failed', { broadcastID: 'b2' }),
      ])
      .onList('/v1/meetings/m1/restreams', 'restreams', [
        of('s1', 'active', { restreamID: 'r1' }),
        of('s2', 'active', { restreamID: 'r2' }),
      ])
      .on('DELETE /v1/meetings/m1/playbacks/p1', {})
      .on('DELETE /v1/meetings/m1/broadcasts/b1', {})
      .on('DELETE /v1/meetings/m1/restreams/r1', {})
      .on('DELETE /v1/meetings/m1/external-sessions/s1', {});
    await meeting.endSession(session);
    const ended = service.requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
    expect(ended).toHaveLength(4);
    expect(ended.at(-1)).toBe('/v1/meetings/m1/external-sessions/s1');
  });
});
