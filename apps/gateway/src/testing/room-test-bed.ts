import type { Bus } from '@rtms/bus';
import { NatsBus } from '@rtms/bus';
import type { SessionTrack } from '@rtms/contracts';
import { EventLog, startNats, startPostgres, waitFor, type BusService, type TestPostgres } from '@rtms/testing';
import type { GatewayConfig } from '../gateway.config.js';
import { NodeRegistry } from '../media/nodes/node-registry.js';
import { FakeSfu } from './fake-sfu.js';
import { RoomClient } from './room-client.js';
import {
  factTaken,
  migratedSchema,
  startTestGateway,
  type TakenFact,
  type TestAccount,
  type TestGateway,
} from './start-test-gateway.js';

interface Ticket {
  url: string;
  token: string;
  expiresAt: string;
}

/** Short intervals: no test here waits for a dead node. */
const roomTimes = { reconcileSeconds: 0.2, sweepSeconds: 0.5, meteringSeconds: 0.2 };

/** Two replicas of the gateway on one PostgreSQL and one NATS, with a fake SFU. */
export class RoomTestBed {
  private readonly clients: RoomClient[] = [];

  private constructor(
    readonly one: TestGateway,
    readonly other: TestGateway,
    readonly account: TestAccount,
    readonly sfu: FakeSfu,
    private readonly servers: { close(): Promise<void> }[],
  ) {}

  static async start(config: Partial<GatewayConfig> = {}): Promise<RoomTestBed> {
    const postgres: TestPostgres = await startPostgres({ template: migratedSchema });
    const nats = await startNats();
    const connect = (service: BusService): Promise<Bus> => NatsBus.connect({ ...nats.as(service), name: service });
    const buses = await Promise.all((['gateway', 'gateway', 'sfu'] as const).map(connect));
    const [oneBus, otherBus, nodeBus] = buses as [Bus, Bus, Bus];
    // Both replicas share the consumers, so each fact reaches one of them.
    const taken = new EventLog<TakenFact>();
    const options = { databaseUrl: postgres.url, config: { ...roomTimes, ...config }, taken };
    const one = await startTestGateway({ ...options, bus: oneBus });
    const other = await startTestGateway({ ...options, bus: otherBus });
    const sfu = await new FakeSfu(nodeBus, 'sfu-1', { taken: fact => factTaken(taken, fact) }).start();
    for (const { app } of [one, other]) {
      const nodes = app.get(NodeRegistry, { strict: false });
      await waitFor(() => nodes.find('sfu', 'sfu-1'), { what: 'the node to be known' });
    }
    const servers = [...buses, { close: () => postgres.stop() }, { close: () => nats.stop() }];
    return new RoomTestBed(one, other, await one.makeAccount(), sfu, servers);
  }

  async close(): Promise<void> {
    this.closeClients();
    await this.sfu.die();
    await this.one.close();
    await this.other.close();
    for (const server of this.servers) await server.close();
  }

  closeClients(): void {
    for (const client of this.clients.splice(0)) client.close();
  }

  async post(path: string, body: object): Promise<Record<string, never>> {
    const request = this.one.http.post(path).set('Authorization', this.account.authorization);
    const { status, body: answer } = await request.send(body);
    if (status > 299) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`);
    return answer as Record<string, never>;
  }

  /** Creates a room with these event settings, or with the defaults. */
  async createRoom(fields: object = {}, settings?: object): Promise<{ meetingID: string; hostToken: string }> {
    const type = (fields as { eventType?: string }).eventType ?? 'conference';
    await this.setEvent(type, settings);
    const answer = await this.post('/v1/rooms', { action: 'create', userName: 'Ada', ...fields });
    const { room, join } = answer as unknown as { room: { meetingID: string }; join: Ticket };
    return { meetingID: room.meetingID, hostToken: join.token };
  }

  async ticket(meetingID: string, role = 'participant', userName = 'Grace'): Promise<Ticket> {
    const answer = await this.post('/v1/rooms', { action: 'join', meetingID, userName, role });
    return (answer as unknown as { join: Ticket }).join;
  }

  async connect(gateway: TestGateway, token: string, after?: number): Promise<RoomClient> {
    const client = await RoomClient.connect(gateway.url, token, after);
    this.clients.push(client);
    return client;
  }

  async join(gateway: TestGateway, meetingID: string, role?: string, userName?: string): Promise<RoomClient> {
    return this.connect(gateway, (await this.ticket(meetingID, role, userName)).token);
  }

  /** Creates a room whose host is connected to the first replica. */
  async openRoom(fields: object = {}, settings?: object): Promise<{ meetingID: string; host: RoomClient }> {
    const { meetingID, hostToken } = await this.createRoom(fields, settings);
    return { meetingID, host: await this.connect(this.one, hostToken) };
  }

  async openSession(meetingID: string, protocol = 'whip'): Promise<string> {
    const body = { displayName: 'Camera', ingest: { protocol, tracks: ['video', 'audio'] } };
    const answer = await this.post(`/v1/meetings/${meetingID}/external-sessions`, body);
    return (answer as unknown as { externalSession: { sessionID: string } }).externalSession.sessionID;
  }

  async session(meetingID: string, sessionID: string): Promise<{ tracks: SessionTrack[] }> {
    const path = `/v1/meetings/${meetingID}/external-sessions/${sessionID}`;
    const { body } = await this.one.http.get(path).set('Authorization', this.account.authorization);
    return (body as { externalSession: { tracks: SessionTrack[] } }).externalSession;
  }

  async room(meetingID: string): Promise<Record<string, unknown>> {
    const request = this.one.http.get('/v1/rooms').set('Authorization', this.account.authorization);
    const { body } = await request.query({ meetingID });
    return (body as { room: Record<string, unknown> }).room;
  }

  private async setEvent(type: string, settings: object | undefined): Promise<void> {
    const http = this.one.http.post('/v1/eventssettings').set('Authorization', this.account.authorization);
    await http.send({ action: 'delete', type });
    if (settings) await this.post('/v1/eventssettings', { action: 'create', type, ...settings });
  }
}
