import { inspect } from 'node:util';
import { waitFor } from '@rtms/testing';
import type { Fetch } from './trusting-fetch.js';

/** The members of an answer that tests read. The request decides which are present. */
interface ApiBody {
  success: boolean;
  error?: string;
  code?: string;
  reason?: string;
  room: { meetingID: string };
  join: JoinTicket;
  externalSession: ExternalSession;
  playback: Playback;
  playbacks: Playback[];
  broadcast: Broadcast;
  recording: Recording;
  recordings: Recording[];
  restream: Restream;
  webhook: { webhookID: string };
  account: { accountID: string };
  key: { apiUserName: string; apiKey: string };
  user: { password: string };
  findings: { check: string; level: string; message: string }[];
  nodes: { nodeID: string; draining: boolean; load: number }[];
  /** Of a list. */
  total: number;
}

export interface ApiAnswer {
  status: number;
  body: ApiBody;
}

export interface JoinTicket {
  url: string;
  token: string;
}

/** Present once, for encoders of SRT or RTMP. */
interface EncoderSecrets {
  passphrase: string;
  latencyMs: number;
  streamKey: string;
}

export interface ExternalSession {
  sessionID: string;
  state: string;
  participantID: string;
  ingest: { url: string; token: string; join?: JoinTicket; problem?: string | null } & Partial<EncoderSecrets>;
  tracks: { trackID: string; kind: string; codec: string; state: string }[];
  health?: string[];
  endReason?: string;
}

export interface Playback {
  playbackID: string;
  state: string;
  endpoint: string;
  token: string;
  payloadProfile: { codecs: { mimeType: string; payloadType: number; parameters?: object }[] };
}

export interface Broadcast {
  broadcastID: string;
  state: string;
  endReason: string | null;
  playbackUrl: string;
  renditions: {
    name: string;
    width: number;
    height: number;
    frameRate: number;
    videoBitrate: number;
    codecs: string;
  }[];
}

export interface Restream {
  restreamID: string;
  state: string;
  endReason: string | null;
  lastProblem: { reason: string; message: string } | null;
}

export interface Recording {
  recordingID: string;
  state: string;
  endReason: string | null;
  durationSeconds: number;
  sizeBytes: number;
  checksumSha256: string;
  downloadUrl: string;
  previousRecordingID: string | null;
}

/** A source of a recording. */
type RecordedSource = { sourceSessionID: string } | { sourceParticipantID: string };

/** Requests of an application server to the gateway, as its owner would write them. */
export class ApiClient {
  constructor(
    private readonly gateway: string,
    readonly credential: string,
    /** Sent with every request. */
    private readonly headers: Record<string, string> = {},
    private readonly fetch: Fetch = globalThis.fetch,
  ) {}

  /** The same gateway with another credential. */
  as(credential: string, headers = this.headers): ApiClient {
    return new ApiClient(this.gateway, credential, headers, this.fetch);
  }

  async call(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const response = await this.fetch(`${this.gateway}${path}`, {
      method,
      headers: { ...this.headers, authorization: `Bearer ${this.credential}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as ApiBody };
  }

  /** Throws the answer when it has another status. */
  async expect(status: number, method: string, path: string, body?: unknown): Promise<ApiBody> {
    const answer = await this.call(method, path, body);
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /**
   * Opens media. Repeats the request, as applications should, while no node takes it. The gateway may not know a node yet that has just
   * started, and a node on a busy machine may answer too late.
   */
  private async open(path: string, body: object): Promise<ApiBody> {
    const attempt = async (): Promise<ApiAnswer> => {
      const answer = await this.call('POST', path, body);
      if (answer.status === 503) throw new Error(answer.body.error);
      return answer;
    };
    const answer = await waitFor(attempt, { everyMs: 250, what: `a node to take POST ${path}` });
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async createRoom(): Promise<string> {
    const body = await this.expect(201, 'POST', '/v1/rooms', {
      action: 'create',
      userName: 'host',
      duration: 60,
      capacity: 1000,
    });
    return body.room.meetingID;
  }

  async join(meetingID: string, userName: string, role = 'participant'): Promise<JoinTicket> {
    return (await this.expect(201, 'POST', '/v1/rooms', { action: 'join', meetingID, userName, role })).join;
  }

  async openSession(
    meetingID: string,
    tracks = ['video', 'audio'],
    protocol = 'whip',
    more: object = {},
  ): Promise<ExternalSession> {
    const ingest = { protocol, tracks, ...more };
    const path = `/v1/meetings/${meetingID}/external-sessions`;
    return (await this.open(path, { displayName: 'camera', ingest })).externalSession;
  }

  /** An external session whose publisher comes by the client SDK. */
  async openPublisher(meetingID: string, tracks = ['video', 'audio']): Promise<ExternalSession> {
    const ingest = { protocol: 'service-webrtc', tracks };
    const path = `/v1/meetings/${meetingID}/external-sessions`;
    return (await this.open(path, { displayName: 'booth', ingest })).externalSession;
  }

  async openPlayback(meetingID: string, sourceSessionID: string, tracks = ['video', 'audio']): Promise<Playback> {
    const path = `/v1/meetings/${meetingID}/playbacks`;
    return (await this.open(path, { sourceSessionID, tracks })).playback;
  }

  /** For players that offer their own payload types: those of H264 differ between versions of Chromium. */
  async openAdaptivePlayback(
    meetingID: string,
    sourceSessionID: string,
    tracks = ['video', 'audio'],
  ): Promise<Playback> {
    const body = { sourceSessionID, tracks, payloadMatching: 'adaptive' };
    return (await this.open(`/v1/meetings/${meetingID}/playbacks`, body)).playback;
  }

  async openBroadcast(meetingID: string, sourceSessionID: string, more: object = {}): Promise<Broadcast> {
    const path = `/v1/meetings/${meetingID}/broadcasts`;
    return (await this.open(path, { sourceSessionID, ...more })).broadcast;
  }

  async session(meetingID: string, sessionID: string): Promise<ExternalSession> {
    return (await this.expect(200, 'GET', `/v1/meetings/${meetingID}/external-sessions/${sessionID}`))[
      'externalSession'
    ];
  }

  async playback(meetingID: string, playbackID: string): Promise<Playback> {
    return (await this.expect(200, 'GET', `/v1/meetings/${meetingID}/playbacks/${playbackID}`)).playback;
  }

  async broadcast(meetingID: string, broadcastID: string): Promise<Broadcast> {
    return (await this.expect(200, 'GET', `/v1/meetings/${meetingID}/broadcasts/${broadcastID}`)).broadcast;
  }

  async restream(meetingID: string, restreamID: string): Promise<Restream> {
    return (await this.expect(200, 'GET', `/v1/meetings/${meetingID}/restreams/${restreamID}`)).restream;
  }

  /** Default: of the whole room. */
  async startRecording(meetingID: string, source?: RecordedSource): Promise<Recording> {
    return (await this.open('/v1/recordings', { action: 'start', meetingID, ...source })).recording;
  }

  async stopRecording(recordingID: string): Promise<Recording> {
    return (await this.expect(200, 'POST', '/v1/recordings', { action: 'stop', recordingID })).recording;
  }

  async recording(recordingID: string): Promise<Recording> {
    return (await this.expect(200, 'GET', `/v1/recordings?recordingID=${recordingID}`)).recording;
  }

  async recordingsOf(meetingID: string): Promise<Recording[]> {
    return (await this.expect(200, 'GET', `/v1/recordings?meetingID=${meetingID}`)).recordings;
  }

  /** The recording that continues another one. */
  recordingAfter(meetingID: string, recordingID: string): Promise<Recording> {
    const next = async () =>
      (await this.recordingsOf(meetingID)).find(each => each.previousRecordingID === recordingID);
    return waitFor(next, { everyMs, what: `a recording after ${recordingID}` });
  }

  sessionBecomes(meetingID: string, sessionID: string, state: string, timeoutMs?: number): Promise<ExternalSession> {
    return becomes(() => this.session(meetingID, sessionID), state, `the session to become ${state}`, timeoutMs);
  }

  playbackBecomes(meetingID: string, playbackID: string, state: string, timeoutMs?: number): Promise<Playback> {
    return becomes(() => this.playback(meetingID, playbackID), state, `the playback to become ${state}`, timeoutMs);
  }

  broadcastBecomes(meetingID: string, broadcastID: string, state: string, timeoutMs?: number): Promise<Broadcast> {
    return becomes(() => this.broadcast(meetingID, broadcastID), state, `the broadcast to become ${state}`, timeoutMs);
  }

  restreamBecomes(meetingID: string, restreamID: string, state: string): Promise<Restream> {
    return becomes(() => this.restream(meetingID, restreamID), state, `the restream to become ${state}`);
  }

  recordingBecomes(recordingID: string, state: string): Promise<Recording> {
    return becomes(() => this.recording(recordingID), state, `the recording to become ${state}`);
  }
}

/** An application polls the state of media, as here: less often than `waitFor` does by default. */
const everyMs = 100;

/** No state follows these. */
const finalStates = ['ended', 'failed'];

async function becomes<Resource extends { state: string }>(
  get: () => Promise<Resource>,
  state: string,
  what: string,
  timeoutMs?: number,
): Promise<Resource> {
  const read = async (): Promise<Resource> => {
    const resource = await get();
    if (resource.state === state || finalStates.includes(resource.state)) return resource;
    throw new Error(`it is ${resource.state}`);
  };
  const last = await waitFor(read, { everyMs, what, ...(timeoutMs !== undefined && { timeoutMs }) });
  if (last.state !== state) throw new Error(`waited for ${what}; it is ${inspect(last)}`);
  return last;
}
