import { Agent, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { DataSource } from 'typeorm';
import type { Audience } from '../platform/openapi/document.js';
import { OpenApiController } from '../platform/openapi/openapi.controller.js';
import { audioTrack, videoTrack } from './fake-sfu.js';
import { MediaTestBed } from './media-test-bed.js';
import { pathOf, requestSamples, validBody, type IDs, type RequestSample } from './request-samples.js';
import type { TestAccount } from './start-test-gateway.js';

/** An account that authenticates by its key, or by the given headers. */
export type Sender = TestAccount & { headers?: Record<string, string> };

interface Answer {
  status: number;
  text: string;
}

export interface Call {
  what: string;
  method: string;
  url: string;
  text?: string | undefined;
  contentType?: string | undefined;
}

/**
 * Lists the tables whose rows are counted. Excludes tables that count or remember requests and rows, and the logs of rooms and
 * accounts, which are written later.
 */
const tablesQuery = String.raw`
SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
  AND table_name NOT LIKE 'rate\_limit%' AND table_name NOT LIKE 'list\_%'
  AND table_name NOT IN ('account_events', 'event_counters', 'event_outbox', 'webhook_cursors', 'webhook_deliveries')
  AND table_name NOT IN ('audit_entries', 'room_events', 'room_feeds', 'sign_in_attempts', 'wrong_guesses') ORDER BY 1`;

/** Valid requests that the gateway refuses, with the status of the answer. */
const declined: Readonly<Record<string, number>> = {
  // The test bed has no transcoder that records.
  'POST /v1/recordings start': 503,
  'POST /v1/recordings compose': 404,
  // The example in the document is not a valid credential.
  'POST /dashboard/api/session': 401,
  'POST /dashboard/api/session/confirmation': 403,
  'POST /dashboard/api/password': 403,
  'POST /dashboard/api/password-reset': 401,
  'POST /dashboard/api/invitations/accept': 401,
  'POST /dashboard/api/setup': 401,
  // The platform has an administrator.
  'GET /admin/v1/setup-link': 409,
  // No answer names a user of the account.
  'POST /dashboard/api/users/{userID}/role': 404,
  'POST /dashboard/api/users/{userID}/reset-link': 404,
  'DELETE /dashboard/api/users/{userID}': 404,
  'POST /dashboard/api/totp/confirm': 403,
  // The user has no second factor.
  'DELETE /dashboard/api/totp': 409,
  'POST /dashboard/api/totp/recovery-codes': 409,
  // The account already has a key.
  'POST /dashboard/api/keys': 409,
  // The known key is disposable and does not belong to a sub-user.
  'POST /v1/subusers disableKey': 404,
  'POST /v1/subusers enableKey': 404,
  'POST /v1/subusers deleteKey': 404,
  // Only members create polls, so no poll exists.
  'POST /v1/meetings/{meetingID}/external-sessions/{sessionID}/participant-actions poll.vote': 404,
};

const rare = 3600;
const config = {
  rateLimits: { windowSeconds: 60, addressReads: 0, addressWrites: 0, keyReads: 0, keyWrites: 0 },
  // Only requests change rows.
  ...{ graceSeconds: rare, reconcileSeconds: rare, sweepSeconds: rare, meteringSeconds: rare, leaseTtlSeconds: rare },
};

/** A gateway without background changes, and requests as its OpenAPI documents describe them. */
export class DescribedRequests {
  /** Sends eight requests of a list at a time. The answers are checked in the order of the list. */
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 8 });
  private tables?: { name: string }[];

  private constructor(readonly bed: MediaTestBed) {}

  static async open(): Promise<DescribedRequests> {
    return new DescribedRequests(await MediaTestBed.start({ config }));
  }

  async close(): Promise<void> {
    this.agent.destroy();
    await this.bed.close();
  }

  document(audience: Audience) {
    return this.bed.gateway.app.get(OpenApiController, { strict: false }).document(audience);
  }

  samplesFor(audience: Audience): RequestSample[] {
    return requestSamples(this.document(audience));
  }

  async rowCounts(): Promise<object[]> {
    const database = this.bed.gateway.app.get(DataSource);
    this.tables ??= await database.query<{ name: string }[]>(tablesQuery);
    const counts = this.tables.map(({ name }) => `SELECT '${name}' AS name, count(*)::int FROM "${name}"`);
    return database.query<object[]>(`${counts.join(' UNION ALL ')} ORDER BY 1`);
  }

  send({ method, url, text, contentType = 'application/json' }: Call, sender: Sender): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const credential = sender.headers ?? { Authorization: sender.authorization };
      // Node.js adds no Content-Length to a DELETE.
      const described = text !== undefined && {
        'Content-Type': contentType,
        'Content-Length': Buffer.byteLength(text),
      };
      const headers = { ...credential, ...described };
      request(`${this.bed.gateway.url}${url}`, { method: method.toUpperCase(), headers, agent: this.agent })
        .once('error', reject)
        .once('response', response => {
          const { statusCode: status = 0 } = response;
          textOf(response).then(answer => resolve({ status, text: answer }), reject);
        })
        .end(text);
    });
  }

  /** Sends a valid request and remembers the IDs of the created records. */
  async accept(sample: RequestSample, ids: Record<string, string>, account: Sender): Promise<string[]> {
    const { status, text } = await this.send(validCall(sample, ids), account);
    if (status === declined[titleOf(sample)]) return [];
    if (status >= 300) {
      return [`${titleOf(sample)} is as described: ${status} ${text}`];
    }
    // Metrics are not JSON.
    const made = newIDs(text.startsWith('{') ? (JSON.parse(text) as object) : {}, ids);
    Object.assign(ids, made, await this.follow(made, account));
    return [];
  }

  async prepare(account: TestAccount): Promise<Record<string, string>> {
    for (const kind of ['stt', 'llm']) {
      const credential = { action: 'create', nickName: `main-${kind}`, kind, provider: 'p', apiKey: 'k-123456' };
      await this.bed.request('post', '/v1/aicredentials', credential, account);
    }
    return {};
  }

  /** Returns answers that are not refusals in the failure form. */
  async refusedBy(calls: Call[], sender: Sender): Promise<string[]> {
    const answers = await Promise.all(calls.map(call => this.send(call, sender)));
    return calls.flatMap(({ method, url, what }, index) => {
      const { status, text } = answers[index]!;
      if (isRefusal(status, text)) return [];
      return [`${method} ${url.slice(0, 200)}, ${what}: ${status} ${text.slice(0, 300)}`];
    });
  }

  /** Returns answers that are neither success nor refusal. Ends created media, so that its source can end too. */
  async failedBy(calls: Call[], sender: Sender): Promise<string[]> {
    const answers = await Promise.all(calls.map(call => this.send(call, sender)));
    const made = calls.flatMap(({ url }, index) => mediaMadeBy(url, answers[index]!));
    await Promise.all(made.map(url => this.send({ what: 'end', method: 'delete', url }, sender)));
    return calls.flatMap(({ method, url, what }, index) => {
      const { status, text } = answers[index]!;
      const isDeclined = status === 503 && method === 'post';
      if (status < 400 || isRefusal(status, text) || isDeclined) return [];
      return [`${method} ${url}, ${what}: ${status} ${text.slice(0, 300)}`];
    });
  }

  /** Creates records that no request can create: an active session and a finished recording. */
  private async follow({ meetingID, sessionID }: IDs, account: TestAccount): Promise<Record<string, string>> {
    if (sessionID !== undefined) return this.activate(sessionID);
    if (meetingID === undefined) return {};
    const recordingID = `rec_of${meetingID}`.slice(0, 26);
    await this.bed.gateway.app
      .get(DataSource)
      .query(`INSERT INTO recordings (id, account_id, meeting_id, state) VALUES ($1, $2, $3, 'ready')`, [
        recordingID,
        account.accountID,
        meetingID,
      ]);
    return { recordingID };
  }

  private async activate(sessionID: string): Promise<Record<string, string>> {
    const trackID = `trk_${sessionID}`;
    const tracks = [
      { ...videoTrack, trackID },
      { ...audioTrack, trackID: `${trackID}2` },
    ];
    await this.bed.sfu.report(sessionID, { type: 'external_session.active', tracks });
    return { trackID };
  }
}

/** A valid request by the document. */
export function validCall(sample: RequestSample, ids: IDs): Call {
  return {
    what: sample.action ?? '',
    method: sample.method,
    url: pathOf(sample, ids),
    text: sample.body && JSON.stringify(validBody(sample.body, ids)),
  };
}

/** Method, path and action. */
export function titleOf({ method, template, action }: RequestSample): string {
  return [method.toUpperCase(), template, ...(action === undefined ? [] : [action])].join(' ');
}

/** The new IDs in an answer. */
function newIDs(answer: object, known: IDs): Record<string, string> {
  const records = Object.values(answer).filter(value => typeof value === 'object' && value !== null) as object[];
  const fields = records.flatMap(record => Object.entries(record) as [string, unknown][]);
  const names = fields.filter(([name, value]) => name.endsWith('ID') && typeof value === 'string' && !(name in known));
  const ids = Object.fromEntries(names) as Record<string, string>;
  return ids['sessionID'] === undefined ? ids : { ...ids, sourceSessionID: ids['sessionID'] };
}

/** The path of the session, playback or broadcast that a call created. */
function mediaMadeBy(url: string, { status, text }: Answer): string[] {
  if (status !== 201 || !/^\/v1\/meetings\/[^/]+\/[^/]+$/.test(url)) return [];
  const record = Object.values(JSON.parse(text) as object).find(value => typeof value === 'object') as object;
  return [`${url}/${String(Object.values(record)[0])}`];
}

/** Internals that no message may contain: a dotted path, an index, a class, a stack or a query. */
const internals = /\b\w+\.\w|\w\[\d|Dto\b|Error:|SELECT |INSERT |column|constraint/;
const example = /such as \S+|poll\.vote|chat\.send|participant\.request/g;

/** A status from 400 to 499, in the failure form. */
export function isRefusal(status: number, text: string): boolean {
  if (status < 400 || status >= 500) return false;
  const body = JSON.parse(text) as { success?: unknown; error?: unknown; code?: unknown };
  return (
    body.success === false &&
    typeof body.code === 'string' &&
    !internals.test(String(body.error).replaceAll(example, ''))
  );
}
