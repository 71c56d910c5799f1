import { MediaTestBed } from '../testing/media-test-bed.js';
import { bodiesAtPaths, OwnedRecords, resources, titleOf, type Call, type IDs } from '../testing/owned-records.js';
import type { TestAccount } from '../testing/start-test-gateway.js';

describe('two accounts', () => {
  let bed: MediaTestBed;
  let records: OwnedRecords;
  let owner: TestAccount;
  let stranger: TestAccount;
  let owned: IDs;
  let unknown: IDs;
  let strangersRoom: string;

  const ask = (account: TestAccount, call: Call) => records.ask(account, call);

  beforeAll(async () => {
    bed = await MediaTestBed.start({ config: { graceSeconds: 30 } });
    owner = bed.account;
    stranger = await bed.gateway.makeAccount();
    records = new OwnedRecords(bed);
    await records.make();
    owned = records.ids;
    unknown = records.unknownIDs();
    const room = await ask(stranger, {
      method: 'POST',
      path: '/v1/rooms',
      body: { action: 'create', userName: 'Eve' },
    });
    strangersRoom = (room.body['room'] as { meetingID: string }).meetingID;
  });
  afterAll(() => bed.close());

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
    const missing = records.routes().filter(route => {
      const call = records.callOf(route, owned);
      return call === undefined || JSON.stringify(call).includes('no-sample');
    });
    expect(missing.map(titleOf)).toEqual([]);
  });

  it('get the same 404 for records of the other account and for unknown records, and change nothing', async () => {
    const before = await recordOfOwner();
    const differing: unknown[] = [];
    for (const route of records.routes()) {
      const [foreign, nobodys] = [records.callOf(route, owned)!, records.callOf(route, unknown)!];
      const [one, other] = [await ask(stranger, foreign), await ask(stranger, nobodys)];
      const isAlike = one.status === 404 && JSON.stringify(one) === JSON.stringify(other);
      if (!isAlike || one.body['code'] !== 'NOT_FOUND')
        differing.push({ route: titleOf(route), foreign: one, unknown: other });
    }
    expect(differing).toEqual([]);
    expect(await recordOfOwner()).toBe(before);
  });

  it('cannot reach a room of the other account from their own room', async () => {
    const differing: unknown[] = [];
    for (const route of records
      .routes()
      .filter(({ path }) => path.startsWith('/v1/meetings/') && /:\w+.*:\w+/.test(path))) {
      const from = (ids: IDs) => ask(stranger, records.callOf(route, { ...ids, meetingID: strangersRoom })!);
      const [one, other] = [await from(owned), await from(unknown)];
      if (one.status !== 404 || JSON.stringify(one) !== JSON.stringify(other))
        differing.push({ route: titleOf(route), one, other });
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

  it('cannot use records of the other account by name', async () => {
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

  it('count nothing of the other account', async () => {
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
