import type { Bus } from '@rtms/bus';
import { waitFor } from '@rtms/testing';
import { FakeSfu } from './fake-sfu.js';
import { RoomClient } from './room-client.js';
import { FakeTranscoder } from './fake-transcoder.js';
import { startTestGateway, type TestAccount, type TestGateway, type TestGatewayOptions } from './start-test-gateway.js';

/** The fields that tests read of any media resource. */
export interface MediaAnswer {
  [field: string]: unknown;
  state: string;
  endReason: string | null;
}

interface Answer {
  status: number;
  body: Record<string, unknown> & { reason?: string; code?: string; error?: string };
  headers: Record<string, string>;
}

type Collection = 'external-sessions' | 'playbacks' | 'broadcasts';
const members: Record<Collection, string> = {
  'external-sessions': 'externalSession',
  playbacks: 'playback',
  broadcasts: 'broadcast',
};

/**
 * Everything that waits is short, so that tests wait for states and not for the clock; but silence counts as a death
 * (of a node, or of a replica after five sweeps) only after what a busy machine may hold this process up. A test in
 * which something has to come back in time says how long it may take.
 */
export const shortTimes = {
  graceSeconds: 0.6,
  reconcileSeconds: 0.2,
  sweepSeconds: 0.3,
  meteringSeconds: 0.2,
  leaseTtlSeconds: 1.5,
  commandSeconds: 0.4,
};

/** As whom the nodes that a test plays are on the bus. */
interface NodeBuses {
  sfu: Bus;
  transcoder: Bus;
}

/** A gateway with one SFU and one transcoder that the test plays, and an account with a room. */
export class MediaTestBed {
  private constructor(
    readonly gateway: TestGateway,
    readonly nodeBuses: NodeBuses,
    public account: TestAccount,
    readonly sfu: FakeSfu,
    readonly transcoder: FakeTranscoder,
    public meetingID: string,
  ) {}

  static async start(options: TestGatewayOptions & { nodeBuses?: NodeBuses } = {}): Promise<MediaTestBed> {
    const { nodeBuses: given, ...rest } = options;
    const gateway = await startTestGateway({ ...rest, config: { ...shortTimes, ...options.config } });
    const nodeBuses = given ?? { sfu: gateway.bus, transcoder: gateway.bus };
    const account = await gateway.makeAccount();
    const sfu = await new FakeSfu(nodeBuses.sfu, 'sfu-1').start();
    const transcoder = await new FakeTranscoder(nodeBuses.transcoder, 'transcoder-1').start();
    const bed = new MediaTestBed(gateway, nodeBuses, account, sfu, transcoder, '');
    bed.meetingID = await bed.createRoom();
    await bed.waitForNodes(2);
    return bed;
  }

  async close(): Promise<void> {
    await Promise.all([this.sfu.die(), this.transcoder.die()]);
    await this.gateway.close();
  }

  async request(
    method: 'get' | 'post' | 'delete',
    path: string,
    body?: object,
    account = this.account,
  ): Promise<Answer> {
    const pending = this.gateway.http[method](path).set('Authorization', account.authorization);
    const { status, body: answer, headers } = await (body ? pending.send(body) : pending);
    return { status, body: answer as Answer['body'], headers: headers };
  }

  async createRoom(fields: object = {}): Promise<string> {
    const { body } = await this.request('post', '/v1/rooms', { action: 'create', userName: 'Ada', ...fields });
    return (body['room'] as { meetingID: string }).meetingID;
  }

  endRoom(): Promise<Answer> {
    return this.request('post', '/v1/rooms', { action: 'end', meetingID: this.meetingID });
  }

  /** Somebody joins the room and connects. */
  async connectMember(userName: string): Promise<{ participantID: string; socket: RoomClient }> {
    const { body } = await this.request('post', '/v1/rooms', { action: 'join', meetingID: this.meetingID, userName });
    const { participant, join } = body as unknown as {
      participant: { participantID: string };
      join: { token: string };
    };
    return { ...participant, socket: await RoomClient.connect(this.gateway.url, join.token) };
  }

  path(collection: Collection, id = ''): string {
    return `/v1/meetings/${this.meetingID}/${collection}${id && `/${id}`}`;
  }

  post(collection: Collection, body: object): Promise<Answer> {
    return this.request('post', this.path(collection), body);
  }

  remove(collection: Collection, id: string): Promise<Answer> {
    return this.request('delete', this.path(collection, id));
  }

  async get(collection: Collection, id: string): Promise<MediaAnswer> {
    const { body } = await this.request('get', this.path(collection, id));
    return body[members[collection]] as MediaAnswer;
  }

  async openSession(tracks = ['video', 'audio']): Promise<string> {
    const { body } = await this.post('external-sessions', {
      displayName: 'Camera',
      ingest: { protocol: 'whip', tracks },
    });
    return (body['externalSession'] as { sessionID: string }).sessionID;
  }

  async openActiveSession(kinds: ('video' | 'audio')[] = ['video', 'audio']): Promise<string> {
    const sessionID = await this.openSession(kinds);
    await this.sfu.activate(sessionID, kinds);
    await this.waitForState('external-sessions', sessionID, 'active');
    return sessionID;
  }

  async openPlayback(sourceSessionID: string): Promise<string> {
    const { body } = await this.post('playbacks', { sourceSessionID, tracks: ['video', 'audio'] });
    return (body['playback'] as { playbackID: string }).playbackID;
  }

  async openBroadcast(sourceSessionID: string): Promise<string> {
    const { body } = await this.post('broadcasts', { sourceSessionID });
    return (body['broadcast'] as { broadcastID: string }).broadcastID;
  }

  async openActiveBroadcast(sourceSessionID: string): Promise<string> {
    const broadcastID = await this.openBroadcast(sourceSessionID);
    await this.transcoder.activate(broadcastID);
    await this.waitForState('broadcasts', broadcastID, 'active');
    return broadcastID;
  }

  waitForState(collection: Collection, id: string, state: string): Promise<MediaAnswer> {
    return waitFor(
      async () => {
        const resource = await this.get(collection, id);
        return resource.state === state ? resource : undefined;
      },
      { what: `${id} to be ${state}` },
    );
  }

  async waitForNodes(count: number): Promise<void> {
    const authorization = `Bearer ${this.gateway.config.adminToken}`;
    await waitFor(
      async () => {
        const { body } = await this.gateway.http.get('/admin/v1/nodes').set('Authorization', authorization);
        return (body as { nodes: unknown[] }).nodes.length === count;
      },
      { what: `${count} nodes to be known` },
    );
  }
}
