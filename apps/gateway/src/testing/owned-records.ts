import { DataSource } from 'typeorm';
import { actionPrefix } from '../platform/http/action.decorator.js';
import { collectRoutes, type Route } from '../platform/http/route-table.js';
import { rtmpTarget, type MediaTestBed } from './media-test-bed.js';
import type { TestAccount } from './start-test-gateway.js';

export type IDs = Record<string, string>;
export interface Call {
  method: string;
  path: string;
  query?: IDs;
  body?: object;
}

/** The fields of each action, in addition to the field `id` names. */
interface Resource {
  id: string;
  create?: object;
  actions?: Record<string, object>;
}

/** A key of the sub-user. */
const aKey = { keyID: 'key_ofTheSubUser000000000' };

/** Every resource with an `action` field. The test fails when a new resource is missing here. */
export const resources: Record<string, Resource> = {
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
    actions: {
      update: { name: 'Other' },
      rotateKey: { type: 'sandbox' },
      disableKey: aKey,
      enableKey: aKey,
      deleteKey: aKey,
      delete: {},
    },
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
  '/v1/webhooks': {
    id: 'webhookID',
    create: { url: 'https://hooks.example.com/' },
    actions: {
      update: { description: 'x' },
      rotateSecret: {},
      test: {},
      resend: { deliveryID: 'dlv_ofTheOwner000000000' },
      replay: { after: 'oldest' },
      delete: {},
    },
  },
  '/v1/agents': { id: 'agentID', create: { name: 'Agent' }, actions: { update: { role: 'x' }, delete: {} } },
};

/** Bodies of POST requests to paths with IDs. */
export const bodiesAtPaths: Record<string, (ids: IDs) => object> = {
  '/v1/meetings/:meetingID/external-sessions': () => ({
    displayName: 'Camera',
    ingest: { protocol: 'whip', tracks: ['video'] },
  }),
  '/v1/meetings/:meetingID/playbacks': ({ sessionID }) => ({ sourceSessionID: sessionID, tracks: ['video'] }),
  '/v1/meetings/:meetingID/broadcasts': ({ sessionID }) => ({ sourceSessionID: sessionID }),
  '/v1/meetings/:meetingID/restreams': ({ sessionID }) => ({ sourceSessionID: sessionID, target: rtmpTarget }),
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

/** Routes without IDs of records: they create records or read those of the caller. */
const withoutIDs = [
  ...Object.keys(resources).map(path => `POST ${path}/${actionPrefix}create`),
  `GET /v1/balance/${actionPrefix}get`,
  'GET /v1/audit-log',
  'GET /v1/events',
  'GET /v1/room/logs',
  'GET /v1/sipcall/logs',
];

type Named = Pick<Route, 'method' | 'path'>;

export interface CallAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** One record of each kind in an account, and a call of each route with an ID. */
export class OwnedRecords {
  ids: IDs = {};

  constructor(private readonly bed: MediaTestBed) {}

  /** Well-formed IDs of no record. */
  unknownIDs(): IDs {
    return Object.fromEntries(Object.entries(this.ids).map(([name, id]) => [name, `${id.slice(0, -5)}00000`]));
  }

  /** The IDs of a room and of its resources, and of the other records of one environment. */
  roomIDs(): string[] {
    const media = ['sessionID', 'trackID', 'playbackID', 'broadcastID', 'restreamID', 'recordingID'];
    return ['meetingID', ...media, 'webhookID'].map(name => this.ids[name]!);
  }

  async ask({ authorization }: TestAccount, { method, path, query, body }: Call): Promise<CallAnswer> {
    const name = method.toLowerCase() as 'get' | 'post' | 'delete';
    const pending = this.bed.gateway.http[name](path)
      .query(query ?? {})
      .set('Authorization', authorization);
    const answer = await (body ? pending.send(body) : pending);
    return { status: answer.status, body: answer.body as CallAnswer['body'] };
  }

  /** Creates the records in the bed's account and room. */
  async make(): Promise<void> {
    const { bed } = this;
    const ids: IDs = { meetingID: bed.meetingID, sessionID: await bed.openActiveSession(), trackID: 'trk_video' };
    ids['playbackID'] = await bed.openPlayback(ids['sessionID']!);
    ids['broadcastID'] = await bed.openBroadcast(ids['sessionID']!);
    ids['restreamID'] = await bed.openRestream(ids['sessionID']!);
    ids['recordingID'] = await this.insertRecording(bed.meetingID);
    const llm = {
      ...resources['/v1/aicredentials']!,
      create: { nickName: 'llm', kind: 'llm', provider: 'p', apiKey: 'k-1234567' },
    };
    await this.create('/v1/aicredentials', llm);
    for (const [path, resource] of Object.entries(resources)) {
      if (resource.create) ids[resource.id] = await this.create(path, resource);
    }
    const test = { action: 'test', webhookID: ids['webhookID'] };
    const { body } = await this.ask(bed.account, { method: 'POST', path: '/v1/webhooks', body: test });
    ids['deliveryID'] = (body['delivery'] as { deliveryID: string }).deliveryID;
    this.ids = ids;
  }

  /** The routes of the API with the ID of a record. */
  routes(): Route[] {
    return collectRoutes(this.bed.gateway.app).filter(
      ({ path, method }) => path.startsWith('/v1/') && method !== 'HEAD' && !withoutIDs.includes(`${method} ${path}`),
    );
  }

  /** undefined: this file has no sample for the route. */
  callOf({ method, path }: Named, ids: IDs = this.ids): Call | undefined {
    const [, base = '', action] = /^(.*?)(?:\/@([\w.]+))?$/.exec(path) ?? [];
    if (action !== undefined && !base.includes(':')) return actionCall(method, base, action, ids);
    if (!base.includes(':') || (method === 'POST' && !bodiesAtPaths[path])) return undefined;
    const filled = base.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? `no-sample-of-${name}`);
    return { method, path: filled, ...(method === 'POST' && { body: bodiesAtPaths[path]!(ids) }) };
  }

  private async create(path: string, { id, create: fields }: Resource): Promise<string> {
    const call = { method: 'POST', path, body: { action: 'create', ...fields } };
    const { status, body } = await this.ask(this.bed.account, call);
    const record = Object.values(body).find(value => typeof value === 'object' && value !== null && id in value) as IDs;
    if (status !== 201 || !record) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return record[id]!;
  }

  private async insertRecording(meetingID: string): Promise<string> {
    const recordingID = 'rec_ofTheOwner000000000';
    const statement = `INSERT INTO recordings (id, account_id, meeting_id, state) VALUES ($1, $2, $3, 'ready')`;
    const { accountID } = this.bed.account;
    await this.bed.gateway.app.get(DataSource).query(statement, [recordingID, accountID, meetingID]);
    return recordingID;
  }
}

function actionCall(method: string, base: string, action: string, ids: IDs): Call | undefined {
  const resource = resources[base];
  if (!resource) return undefined;
  const id = { [resource.id]: ids[resource.id]! };
  if (method === 'GET') return { method, path: base, query: id };
  if (base === '/v1/recordings' && action === 'start') {
    return { method, path: base, body: { action, meetingID: ids['meetingID'], sourceSessionID: ids['sessionID'] } };
  }
  if (base === '/v1/recordings' && action === 'compose') {
    return { method, path: base, body: { action, recordingIDs: [ids['recordingID']] } };
  }
  const fields = resource.actions?.[action];
  return fields && { method, path: base, body: { action, ...id, ...fields } };
}

export function titleOf({ method, path }: Named): string {
  return `${method} ${path}`;
}
