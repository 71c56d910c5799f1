/** @weight 0.25 for 35 s */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { EncoderPublisher, freePort, waitFor } from '@rtms/testing';
import pg from 'pg';
import { ApiClient, type Broadcast, type ExternalSession } from './harness/api-client.js';
import { HlsPlayer } from './harness/hls-player.js';
import { LoadBalancer } from './harness/load-balancer.js';
import { ServiceProcess } from './harness/service-process.js';
import { SocketMember } from './harness/socket-member.js';
import { startStack, type Stack } from './harness/stack.js';

const graceSeconds = 15;

describe('two gateways on one PostgreSQL and one NATS', () => {
  const secretKey = randomBytes(32).toString('base64');
  let stack: Stack;
  let first: ServiceProcess;
  let second: ServiceProcess;
  let atFirst: ApiClient;
  let atSecond: ApiClient;
  let balancer: LoadBalancer;
  let database: pg.Client;
  let minutesBefore: number;
  let encoder: EncoderPublisher;
  let meetingID: string;
  let session: ExternalSession;
  let broadcast: Broadcast;
  let ada: SocketMember;
  let ben: SocketMember;
  let lost: { participantID: string };

  beforeAll(async () => {
    const env = { RTMS_SECRET_KEY: secretKey, GRACE_SECONDS: String(graceSeconds) };
    stack = await startStack({ env });
    [first, atFirst] = [stack.gateway, stack.api];
    second = await startGateway(env);
    atSecond = new ApiClient(second.url, stack.api.credential);
    balancer = new LoadBalancer([first.url, second.url]);
    await balancer.listen();
    database = new pg.Client({ connectionString: stack.databaseUrl });
    await database.connect();
    minutesBefore = await minutesLeft();
  });

  afterAll(async () => {
    for (const member of [ada, ben]) member?.close();
    await encoder?.vanish();
    await balancer?.close();
    await database?.end();
    await second?.stop();
    await stack?.close();
  });

  async function startGateway(env: Record<string, string>): Promise<ServiceProcess> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const gateway = new ServiceProcess({
      ...{ name: 'gateway', url, entryPoint: 'apps/gateway/dist/main.js' },
      logFile: join(stack.folder, 'gateway-2.log'),
      env: {
        ...{ DATABASE_URL: stack.databaseUrl, RTMS_ADMIN_TOKEN: stack.adminToken, LOG_LEVEL: 'info' },
        ...{ HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: url, INTERNAL_URL: url },
        ...stack.nats.environment('gateway'),
        ...env,
      },
    });
    await gateway.start();
    return gateway;
  }

  async function enter(api: ApiClient, gateway: ServiceProcess, name: string): Promise<SocketMember> {
    balancer.targets = [gateway, ...[first, second].filter(each => each !== gateway)].map(({ url }) => url);
    const member = new SocketMember(balancer.url, await api.join(meetingID, name, 'host'));
    await member.welcome();
    return member;
  }

  /** Of all kinds of keys together. */
  async function minutesLeft(): Promise<number> {
    const { rows } = await database.query<{ ms: string }>('SELECT sum(meeting_ms)::text AS ms FROM balances');
    return Number(rows[0]?.ms);
  }

  it('share rooms, sessions, broadcasts and members', async () => {
    meetingID = await atFirst.createRoom();
    session = await atSecond.openSession(meetingID);
    encoder = await EncoderPublisher.publish({ ...session.ingest, size: '160x90', frameRate: 10 });
    await atFirst.sessionBecomes(meetingID, session.sessionID, 'active');
    const { broadcastID } = await atFirst.openBroadcast(meetingID, session.sessionID);
    broadcast = await atSecond.broadcastBecomes(meetingID, broadcastID, 'active');

    ada = await enter(atFirst, first, 'Ada');
    ben = await enter(atSecond, second, 'Ben');
    const cleo = await enter(atFirst, first, 'Cleo');
    lost = await cleo.welcome();
    cleo.close();
    await ada.send('chat.send', { message: 'by the first' });
    await ben.send('chat.send', { message: 'by the second' });
    const action = { action: 'chat.send', message: 'by HTTP' };
    const path = `/v1/meetings/${meetingID}/external-sessions/${session.sessionID}/participant-actions`;
    expect((await atSecond.call('POST', path, action)).status).toBe(200);
    for (const member of [ada, ben]) {
      for (const text of ['by the first', 'by the second', 'by HTTP']) await member.hears(text);
    }
  });

  it('keep media, sockets and rooms when one is killed', async () => {
    await first.stop('SIGKILL');
    await ben.send('chat.send', { message: 'while Ada is away' });
    expect(await ada.welcomes.atLeast(2)).toHaveLength(2);
    await ada.hears('while Ada is away');
    await ada.send('chat.send', { message: 'Ada is back' });
    await ben.hears('Ada is back');
    expect((await atSecond.session(meetingID, session.sessionID)).state).toBe('active');
    expect((await atSecond.broadcast(meetingID, broadcast.broadcastID)).state).toBe('active');
    await (await HlsPlayer.open(broadcast.playbackUrl)).grows();
  });

  it('end a lost member once, and keep the others', async () => {
    await ben.events.find(event => event.type === 'participant.left');
    await first.start();
    await ada.send('chat.send', { message: 'two again' });
    await Promise.all([ada.hears('two again'), ben.hears('two again')]);
    for (const { events } of [ada, ben]) {
      const left = events.all.flatMap(event => (event.type === 'participant.left' ? [event] : []));
      expect(left).toMatchObject([{ participantID: lost.participantID, reason: 'participant_lost' }]);
      const sequences = events.all.map(({ sequence }) => sequence);
      expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
    }
    expect(ben.heard).toEqual(ada.heard);
  });

  it('charge each minute once, and end the room at both', async () => {
    expect((await atFirst.call('POST', '/v1/rooms', { action: 'end', meetingID })).status).toBe(200);
    await Promise.all([ada, ben].map(({ events }) => events.find(event => event.type === 'room.ended')));
    await atSecond.sessionBecomes(meetingID, session.sessionID, 'ended');
    const intervals =
      'SELECT count(*)::int AS count, count(DISTINCT resource_id)::int AS resources FROM usage_intervals';
    const { rows } = await database.query<{ count: number; resources: number }>(intervals);
    // The host who made the room, Ada, Ben, Cleo and the session; the host never came.
    expect(rows).toEqual([{ count: 4, resources: 4 }]);
    const charged =
      'SELECT sum(extract(epoch FROM metered_until - started_at) * 1000)::text AS ms FROM usage_intervals';
    const isSettled = 'SELECT bool_and(settled) AS settled FROM usage_intervals';
    const settled = async () => (await database.query<{ settled: boolean }>(isSettled)).rows[0]?.settled;
    await waitFor(settled, { what: 'the minutes to be charged' });
    const [{ ms } = { ms: '0' }] = (await database.query<{ ms: string }>(charged)).rows;
    expect(minutesBefore - (await minutesLeft())).toBeCloseTo(Number(ms), -1);
  });
});
