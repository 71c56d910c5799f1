import { DataSource } from 'typeorm';
import { actionPrefix } from './http/action.decorator.js';
import { collectRoutes } from './http/route-table.js';
import { MediaTestBed } from './testing/media-test-bed.js';
import type { TestAccount } from './testing/start-test-gateway.js';

type IDs = Record<string, string>;
interface Call {
  method: string;
  path: string;
  query?: IDs;
  body?: object;
}

/** What each action takes beside the ids; its id is that of the resource unless named here. */
interface Resource {
  id: string;
  create?: object;
  actions?: Record<string, object>;
}

/** Every resource whose actions are selected by `action`: a new one is added here, or the test says that it is missing. */
const resources: Record<string, Resource> = {
  '/v1/rooms': {
    id: 'meetingID',
    actions: { join: { userName: 'Eve' }, update: { capacity: 30 }, end: {}, delete: {} },
  },
  '/v1/recordings': { id: 'recordingID', actions: { stop: {}, delete: {} } },
  '/v1/eventssettings': {
    id: 'eventsSettingID',
    create: { type: 'webinar' },
    actions: { update: { addCoHost: true }, delete: {} },
  },
  '/v1/recordingsettings': { id: 'recordingSettingID', create: {}, actions: { update: { addHLS: true } } },
  '/v1/domains': {
    id: 'domainID',
    create: { domain: 'a.example.com' },
    actions: { update: { enabled: false }, delete: {} },
  },
  '/v1/disposable-keys': {
    id: 'keyID',
    create: { name: 'Widget', type: 'sandbox', operations: ['createRoom'] },
    actions: { update: { name: 'Other' }, delete: {} },
  },
  '/v1/subusers': {
    id: 'subUserID',
    create: { name: 'Sub', email: 'sub@example.com' },
    actions: { update: { name: 'Other' }, rotateKey: { type: 'sandbox' }, delete: {} },
  },
  '/v1/aicredentials': {
    id: 'aiCredentialID',
    create: { nickName: 'stt', kind: 'stt', provider: 'p', apiKey: 'k-123456789' },
    actions: { update: { provider: 'q' }, delete: {} },
  },
  '/v1/sipconfigs': {
    id: 'sipConfigID',
    create: { contactNumber: '+4930123456' },
    actions: { update: { audioOnly: true }, delete: {} },
  },
  '/v1/translationconfigs': {
    id: 'translationConfigID',
    create: { nickName: 'notes', sttNickName: 'stt', llmNickName: 'llm' },
    actions: { update: { outputMode: 'text' }, delete: {} },
  },
  '/v1/agents': { id: 'agentID', create: { name: 'Agent' }, actions: { update: { role: 'x' }, delete: {} } },
};

/** Bodies of POSTs at paths that name what they are about. */
const bodiesAtPaths: Record<string, (ids: IDs) => object> = {
  '/v1/meetings/:meetingID/external-sessions': () => ({
    displayName: 'Camera',
    ingest: { protocol: 'whip', tracks: ['video'] },
  }),
  '/v1/meetings/:meetingID/playbacks': ({ sessionID }) => ({ sourceSessionID: sessionID, tracks: ['video'] }),
  '/v1/meetings/:meetingID/broadcasts': ({ sessionID }) => ({ sourceSessionID: sessionID }),
  [`/v1/meetings/:meetingID/external-sessions/:sessionID/${actionPrefix}renewToken`]: () => ({ action: 'renewToken' }),
  [`/v1/meetings/:meetingID/external-sessions/:sessionID/participant-actions/${actionPrefix}poll.vote`]: () => ({
    action: 'poll.vote',
    pollID: 'poll_1',
    choice: 0,
  }),
  [`/v1/meetings/:meetingID/external-sessions/:sessionID/participant-actions/${actionPrefix}chat.send`]: () => ({
    action: 'chat.send',
    message: 'Hello',
  }),
  [`/v1/meetings/:meetingID/external-sessions/:sessionID/participant-actions/${actionPrefix}participant.request`]:
    () => ({ action: 'participant.request', request: 'raiseHand' }),
  ...Object.fromEntries(
    ['pause', 'resume', 'requestKeyframe', 'close'].map(action => [
      `/v1/meetings/:meetingID/external-sessions/:sessionID/tracks/:trackID/${actionPrefix}${action}`,
      () => ({ action }),
    ]),
  ),
};

/** They make something or read the caller's own, so that no id of another account can stand in them. */
const withoutIDs = [
  ...Object.keys(resources).map(path => `POST ${path}/${actionPrefix}create`),
  `GET /v1/balance/${actionPrefix}get`,
  'GET /v1/room/logs',
  'GET /v1/sipcall/logs',
];

describe('two accounts', () => {
  let bed: MediaTestBed;
  let owner: TestAccount;
  let stranger: TestAccount;
  let owned: IDs;
  let unknown: IDs;
  let strangersRoom: string;

  const ask = async (account: TestAccount, { method, path, query, body }: Call) => {
    const name = method.toLowerCase() as 'get' | 'post' | 'delete';
    const pending = bed.gateway.http[name](path)
      .query(query ?? {})
      .set('Authorization', account.authorization);
    const answer = await (body ? pending.send(body) : pending);
    return { status: answer.status, body: answer.body as Record<string, unknown> };
  };
  const create = async (path: string, { id, create: fields }: Resource): Promise<string> => {
    const { status, body } = await ask(owner, { method: 'POST', path, body: { action: 'create', ...fields } });
    const record = Object.values(body).find(value => typeof value === 'object' && value !== null && id in value) as IDs;
    if (status !== 201 || !record) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return record[id]!;
  };
  const insertRecording = async (meetingID: string): Promise<string> => {
    const recordingID = 'rec_ofTheOwner000000000';
    await bed.gateway.app
      .get(DataSource)
      .query(`INSERT INTO recordings (id, account_id, meeting_id, state) VALUES ($1, $2, $3, 'ready')`, [
        recordingID,
        owner.accountID,
        meetingID,
      ]);
    return recordingID;
  };
  const makeOwned = async (): Promise<IDs> => {
    const ids: IDs = { meetingID: bed.meetingID, sessionID: await bed.openActiveSession(), trackID: 'trk_video' };
    ids['playbackID'] = await bed.openPlayback(ids['sessionID']!);
    ids['broadcastID'] = await bed.openBroadcast(ids['sessionID']!);
    ids['recordingID'] = await insertRecording(bed.meetingID);
    const llm = {
      ...resources['/v1/aicredentials']!,
      create: { nickName: 'llm', kind: 'llm', provider: 'p', apiKey: 'k-1234567' },
    };
    await create('/v1/aicredentials', llm);
    for (const [path, resource] of Object.entries(resources)) {
      if (resource.create) ids[resource.id] = await create(path, resource);
    }
    return ids;
  };

  beforeAll(async () => {
    bed = await MediaTestBed.start({ config: { graceSeconds: 30 } });
    owner = bed.account;
    stranger = await bed.gateway.makeAccount();
    owned = await makeOwned();
    unknown = Object.fromEntries(Object.entries(owned).map(([name, id]) => [name, `${id.slice(0, -5)}00000`]));
    const room = await ask(stranger, {
      method: 'POST',
      path: '/v1/rooms',
      body: { action: 'create', userName: 'Eve' },
    });
    strangersRoom = (room.body['room'] as { meetingID: string }).meetingID;
  });
  afterAll(() => bed.close());

  const routes = () =>
    collectRoutes(bed.gateway.app).filter(({ path, method }) => path.startsWith('/v1/') && method !== 'HEAD');

  const actionCall = (method: string, base: string, action: string, ids: IDs): Call | undefined => {
    const resource = resources[base];
    if (!resource) return undefined;
    const id = { [resource.id]: ids[resource.id]! };
    if (method === 'GET') return { method, path: base, query: id };
    if (base === '/v1/recordings' && action === 'start') {
      return { method, path: base, body: { action, meetingID: ids['meetingID'], sourceSessionID: ids['sessionID'] } };
    }
    const fields = resource.actions?.[action];
    return fields && { method, path: base, body: { action, ...id, ...fields } };
  };
  /** undefined: nobody told this test what the route takes. */
  const callOf = ({ method, path }: { method: string; path: string }, ids: IDs): Call | undefined => {
    const [, base = '', action] = /^(.*?)(?:\/@([\w.]+))?$/.exec(path) ?? [];
    if (action !== undefined && !base.includes(':')) return actionCall(method, base, action, ids);
    if (!base.includes(':') || (method === 'POST' && !bodiesAtPaths[path])) return undefined;
    const filled = base.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? `no-sample-of-${name}`);
    return { method, path: filled, ...(method === 'POST' && { body: bodiesAtPaths[path]!(ids) }) };
  };
  const named = () => routes().filter(({ method, path }) => !withoutIDs.includes(`${method} ${path}`));
  const title = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
  const recordOfOwner = async (): Promise<string> => {
    const answers = [];
    for (const [path] of Object.entries(resources)) answers.push((await ask(owner, { method: 'GET', path })).body);
    for (const collection of ['external-sessions', 'playbacks', 'broadcasts'] as const) {
      const { body } = await ask(owner, { method: 'GET', path: bed.path(collection) });
      answers.push(
        Object.values(body)
          .filter(Array.isArray)
          .flat()
          .map(({ state }) => state),
      );
    }
    return JSON.stringify(answers);
  };

  it('have a sample for every route', () => {
    const missing = named().filter(route => {
      const call = callOf(route, owned);
      return call === undefined || JSON.stringify(call).includes('no-sample');
    });
    expect(missing.map(title)).toEqual([]);
  });

  it('get the same 404 for what is another’s and for what is nobody’s, and change nothing', async () => {
    const before = await recordOfOwner();
    const differing: unknown[] = [];
    for (const route of named()) {
      const [foreign, nobodys] = [callOf(route, owned)!, callOf(route, unknown)!];
      const [one, other] = [await ask(stranger, foreign), await ask(stranger, nobodys)];
      const isAlike = one.status === 404 && JSON.stringify(one) === JSON.stringify(other);
      if (!isAlike || one.body['code'] !== 'NOT_FOUND')
        differing.push({ route: title(route), foreign: one, unknown: other });
    }
    expect(differing).toEqual([]);
    expect(await recordOfOwner()).toBe(before);
  });

  it('cannot reach into another’s room from their own', async () => {
    const differing: unknown[] = [];
    for (const route of named().filter(({ path }) => path.startsWith('/v1/meetings/') && /:\w+.*:\w+/.test(path))) {
      const from = (ids: IDs) => ask(stranger, callOf(route, { ...ids, meetingID: strangersRoom })!);
      const [one, other] = [await from(owned), await from(unknown)];
      if (one.status !== 404 || JSON.stringify(one) !== JSON.stringify(other))
        differing.push({ route: title(route), one, other });
    }
    for (const collection of ['playbacks', 'broadcasts']) {
      const path = `/v1/meetings/${strangersRoom}/${collection}`;
      const from = ({ sessionID }: IDs) =>
        ask(stranger, {
          method: 'POST',
          path,
          body: bodiesAtPaths[`/v1/meetings/:meetingID/${collection}`]!({ sessionID: sessionID! }),
        });
      expect(await from(owned)).toEqual(await from(unknown));
    }
    expect(differing).toEqual([]);
  });

  it('cannot use what is another’s by its name', async () => {
    const config = (sttNickName: string, llmNickName: string) =>
      ask(stranger, {
        method: 'POST',
        path: '/v1/translationconfigs',
        body: { action: 'create', nickName: 'mine', sttNickName, llmNickName },
      });
    expect(await config('stt', 'llm')).toEqual(await config('sst', 'lml'));
    const sip = (agentID: string) =>
      ask(stranger, {
        method: 'POST',
        path: '/v1/sipconfigs',
        body: { action: 'create', contactNumber: '+49301', agentID },
      });
    expect(await sip(owned['agentID']!)).toEqual(await sip(unknown['agentID']!));
  });

  it('may have the same names', async () => {
    for (const path of ['/v1/domains', '/v1/disposable-keys', '/v1/aicredentials', '/v1/agents']) {
      const other = await bed.gateway.makeAccount();
      const { status } = await ask(other, {
        method: 'POST',
        path,
        body: { action: 'create', ...resources[path]!.create },
      });
      expect({ path, status }).toEqual({ path, status: 201 });
    }
  });

  it('count nothing of each other', async () => {
    const nobody = await bed.gateway.makeAccount();
    for (const path of Object.keys(resources)) {
      const { status, body } = await ask(nobody, { method: 'GET', path });
      expect({ path, status, total: body['total'] }).toEqual({ path, status: 200, total: 0 });
    }
    for (const path of ['/v1/room/logs', '/v1/sipcall/logs']) {
      const logs = await ask(nobody, { method: 'GET', path, query: { meetingID: owned['meetingID']! } });
      expect(logs).toEqual(await ask(nobody, { method: 'GET', path, query: { meetingID: unknown['meetingID']! } }));
    }
  });
});
