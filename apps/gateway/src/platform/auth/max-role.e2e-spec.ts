import { decodeJwt } from 'jose';
import { z } from 'zod';
import { answerOf } from '../http/api.decorators.js';
import { collectRoutes } from '../http/route-table.js';
import { MediaTestBed } from '../../testing/media-test-bed.js';
import type { TestAccount } from '../../testing/start-test-gateway.js';

const inRooms = ['createRoom', 'joinRoom', 'readRooms', 'ingestMedia', 'playMedia', 'broadcastMedia'];
const camera = (protocol: string) => ({ displayName: 'Camera', ingest: { protocol, tracks: ['video'] } });

/** A key with `maxRole` acts in a room with this role at most, and issues no token with a higher role. */
describe('a key that is bound to a role', () => {
  let bed: MediaTestBed;
  let sessionID: string;
  let made = 0;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
    sessionID = await bed.openActiveSession();
  });
  afterAll(() => bed?.close());

  const keyFor = async (maxRole: string): Promise<TestAccount> => {
    const fields = { name: `k${(made += 1)}`, type: 'sandbox', operations: inRooms, maxRole };
    const { body } = await bed.request('post', '/v1/disposable-keys', { action: 'create', ...fields });
    const { apiKey, apiUserName } = body['disposableKey'] as TestAccount;
    return { ...bed.account, apiKey, authorization: `Bearer ${apiUserName}:${apiKey}` };
  };

  /** Each POST whose answer has a token, by its route: the path, a body and the lowest accepted role. */
  const session = () => `${bed.path('external-sessions')}/${sessionID}`;
  const issuing: Record<string, () => [path: string, body: object, lowest: string]> = {
    '/v1/rooms/@create': () => ['/v1/rooms', { action: 'create', userName: 'Ann' }, 'host'],
    '/v1/rooms/@join': () => ['/v1/rooms', { action: 'join', userName: 'Bo', meetingID: bed.meetingID }, 'participant'],
    '/v1/meetings/:meetingID/external-sessions': () => [bed.path('external-sessions'), camera('whip'), 'participant'],
    '/v1/meetings/:meetingID/external-sessions/:sessionID/@renewToken': () => [
      session(),
      { action: 'renewToken' },
      'participant',
    ],
    '/v1/meetings/:meetingID/playbacks': () => [
      bed.path('playbacks'),
      { sourceSessionID: sessionID, tracks: ['video'] },
      'viewer',
    ],
    '/v1/meetings/:meetingID/broadcasts': () => [bed.path('broadcasts'), { sourceSessionID: sessionID }, 'viewer'],
  };

  it('is tested at every route that issues a token', () => {
    const routes = collectRoutes(bed.gateway.app).filter(({ method, path, handler }) => {
      // Changes of tracks answer with the session and issue nothing.
      if (method !== 'POST' || !path.startsWith('/v1/') || path.includes('/tracks/')) return false;
      const described = JSON.stringify(z.toJSONSchema(answerOf(handler).schema, { io: 'output' }));
      return ['token', 'playbackUrl'].some(field => described.includes(`"${field}":{`));
    });
    expect(routes.map(({ path }) => path).sort()).toEqual(Object.keys(issuing).sort());
  });

  it.each(Object.keys(issuing))('gets a token from %s only with a high enough role', async route => {
    const roles = ['viewer', 'participant', 'cohost', 'host'];
    for (const maxRole of ['viewer', 'participant', 'host']) {
      const [path, body, lowest] = issuing[route]!();
      const answer = await bed.request('post', path, body, await keyFor(maxRole));
      const isHighEnough = roles.indexOf(maxRole) >= roles.indexOf(lowest);
      const outcome = [maxRole, answer.status < 300, answer.body.reason];
      expect(outcome).toEqual([maxRole, isHighEnough, isHighEnough ? undefined : 'role_not_allowed']);
    }
  });

  it('gets a publisher’s ticket with the role participant, but not below', async () => {
    const open = async (maxRole: string) =>
      bed.request('post', bed.path('external-sessions'), camera('service-webrtc'), await keyFor(maxRole));
    const refused = await open('viewer');
    expect([refused.status, refused.body.code, refused.body.reason]).toEqual([403, 'FORBIDDEN', 'role_not_allowed']);
    expect(refused.body.error).toContain('viewer');
    const { body } = await open('participant');
    const { ingest } = body['externalSession'] as { ingest: { join: { token: string } } };
    expect(decodeJwt(ingest.join.token)).toMatchObject({ role: 'participant' });
  });

  it('does not act as a publisher below the role participant', async () => {
    const viewer = await keyFor('viewer');
    for (const action of [
      { action: 'chat.send', message: 'Hello' },
      { action: 'poll.vote', pollID: 'poll_1', choice: 0 },
      { action: 'participant.request', request: 'raiseHand' },
    ]) {
      const { status, body } = await bed.request('post', `${session()}/participant-actions`, action, viewer);
      expect([status, body.reason]).toEqual([403, 'role_not_allowed']);
    }
    for (const path of [session(), `${session()}/participant-state`]) {
      expect((await bed.request('get', path, undefined, viewer)).status).toBe(200);
    }
  });
});
