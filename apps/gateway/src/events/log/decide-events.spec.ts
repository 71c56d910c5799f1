import fc from 'fast-check';
import { decideEvents, notedKinds, withoutPassingCounts, type NotedChange } from './decide-events.js';
import type { Row } from './event-data.js';
import { accountEventTypes, dataSchemaOf } from './event-types.js';

const at = '2026-11-21T10:15:30+00:00';
const presentedAt = '2026-11-21T10:15:30.000Z';

const track = (trackID: string, state: string) => ({ trackID, kind: 'video', codec: 'VP8', state });
const life = { createdAt: at, activatedAt: null, endedAt: null, endReason: null, reason: null };
const options = { createdAt: at, updatedAt: at };

/** A row of each kind, as its trigger notes it. */
const rows: Record<string, Row> = {
  room: {
    ...{
      meetingID: 'room_1',
      roomName: null,
      eventType: 'conference',
      state: 'active',
      keyType: 'sandbox',
      hostName: 'Ann',
    },
    ...{ duration: 60, capacity: 20, metadata: {}, createdAt: at, expiresAt: at, endedAt: null, endReason: null },
  },
  externalSession: {
    ...{ sessionID: 'ext_1', meetingID: 'room_1', participantID: 'part_1', displayName: 'Camera', protocol: 'whip' },
    ...{ state: 'pending', tracks: [], health: [], ...life },
  },
  participant: {
    ...{ participantID: 'part_1', meetingID: 'room_1', kind: 'member', sessionID: null, userName: 'Ann', role: 'host' },
    ...{ state: 'joined', isConnected: true, tracks: [], granted: [], requests: [], breakout: null, whiteboard: null },
    ...{ joinedAt: at, connectedAt: at, leftAt: null, leaveReason: null },
  },
  playback: {
    ...{ playbackID: 'play_1', meetingID: 'room_1', sourceSessionID: 'ext_1', tracks: ['video'], state: 'ready' },
    ...{ payloadMatching: 'fixed', viewerCount: 0, ...life },
  },
  restream: {
    ...{ restreamID: 'rstr_1', meetingID: 'room_1', sourceSessionID: 'ext_1', targetProtocol: 'rtmps' },
    broadcastID: null,
    ...{ state: 'connecting', retryCount: 0, problem: null, createdAt: at, activatedAt: null, endedAt: null },
    ...{ endReason: null, reason: null },
  },
  broadcast: {
    ...{ broadcastID: 'bcast_1', meetingID: 'room_1', sourceSessionID: 'ext_1', sourceParticipantID: null },
    ...{ state: 'starting', renditions: [], dvrSeconds: 0, slateImageUrl: null, slateProblem: null, ...life },
  },
  recording: {
    ...{
      recordingID: 'rec_1',
      meetingID: 'room_1',
      keyType: 'production',
      sourceSessionID: 'ext_1',
      state: 'starting',
    },
    ...{ sourceParticipantID: null, createdAt: at, startedAt: null, endedAt: null, endReason: null, sizeBytes: null },
    ...{ durationSeconds: null, format: null, width: null, height: null, checksumSha256: null, expiresAt: null },
    previousRecordingID: null,
  },
  balance: { keyType: 'sandbox', meetingMs: 70_000_000, recordingMs: 7_000_000 },
  key: {
    ...{ keyID: 'key_1', type: 'sandbox', subUserID: null, createdAt: at, expiresAt: null },
    ...{ supersededAt: null, disabledAt: null, revokedAt: null },
  },
  disposableKey: {
    ...{ keyID: 'key_2', name: 'Widget', type: 'production', operations: ['joinRoom'], maxRole: null },
    ...{ createdAt: at, expiresAt: null, revokedAt: null },
  },
  domain: { domainID: 'dom_1', domain: 'a.example.com', enabled: true, createdAt: at },
  subUser: { subUserID: 'sub_1', name: 'Sub', role: 'member', state: 'active', createdAt: at },
  eventsSetting: {
    ...{ eventsSettingID: 'eset_1', type: 'webinar', audioSetting: 'allow', videoSetting: 'allow', ...options },
    ...{ screenshareSetting: 'allow', chatSetting: 'allow', targetResolution: 'hd', addCoHost: false },
    ...{ enableAiNotes: false, translationConfigNickName: null },
  },
  recordingSetting: {
    ...{
      recordingSettingID: 'rset_1',
      mediaOptions: 'video',
      audioOptions: 'all',
      videoOptions: 'all',
      videoType: 'all',
    },
    ...{ videoOptimized: true, recordingDisplayType: 'all', addHLS: false, nameTags: true, backgroundColor: '#000000' },
    ...{ nameTagsColor: '#ffffff', orientation: 'all', maxDurationSeconds: 3600, pausesLimit: 3, retentionDays: 30 },
    ...options,
  },
  aiCredential: { aiCredentialID: 'cred_1', nickName: 'stt', kind: 'stt', provider: 'p', model: null, ...options },
  agent: { agentID: 'agent_1', name: 'Agent', role: 'x', maxSessionMinutes: 30, ...options },
  sipConfig: {
    ...{ sipConfigID: 'sip_1', contactNumber: '+4930123456', provider: null, agentID: null, supportSipActive: true },
    ...options,
  },
  translationConfig: {
    ...{ translationConfigID: 'tcfg_1', nickName: 'notes', sttNickName: 'stt', llmNickName: 'llm', ttsNickName: null },
    ...{ spokenLanguages: [], listenLanguages: [], outputMode: 'text', ...options },
  },
  webhook: {
    ...{ webhookID: 'hook_1', keyType: 'sandbox', description: null, eventTypes: [], state: 'enabled' },
    ...{ disabledReason: null, ...options },
  },
};

const change = (kind: string, before: Row | null, after: Row | null): NotedChange => ({
  kind,
  resourceID: 'id',
  before,
  after,
});
const created = (kind: string, more: Row = {}) => change(kind, null, { ...rows[kind], ...more });
const updated = (kind: string, from: Row, to: Row) =>
  change(kind, { ...rows[kind], ...from }, { ...rows[kind], ...to });
const typesOf = (noted: NotedChange) => decideEvents(noted).map(({ type }) => type);

describe('the events of a change', () => {
  it.each<[string, Row, Row, string[]]>([
    ['room', { state: 'active' }, { state: 'ended' }, ['room.ended']],
    ['room', { capacity: 20 }, { capacity: 30 }, ['room.updated']],
    [
      'externalSession',
      {},
      { state: 'active', tracks: [track('a', 'live')] },
      ['external_session.active', 'track.started'],
    ],
    ['externalSession', { state: 'active' }, { state: 'pending' }, ['external_session.interrupted']],
    [
      'externalSession',
      { state: 'active', tracks: [track('a', 'paused'), track('b', 'ended')] },
      { state: 'ended', tracks: [track('a', 'ended'), track('b', 'ended')] },
      ['track.ended', 'external_session.ended'],
    ],
    ['externalSession', {}, { state: 'failed' }, ['external_session.failed']],
    ['externalSession', { health: [] }, { health: ['silence'] }, ['external_session.health']],
    ['externalSession', { displayName: 'One' }, { displayName: 'Two' }, ['external_session.updated']],
    ['externalSession', { tracks: [track('a', 'live')] }, { tracks: [track('a', 'paused')] }, ['track.paused']],
    ['externalSession', { tracks: [track('a', 'paused')] }, { tracks: [track('a', 'live')] }, ['track.resumed']],
    [
      'externalSession',
      { tracks: [track('a', 'live'), track('c', 'ended')] },
      { tracks: [track('b', 'paused'), track('c', 'live')] },
      ['track.ended', 'track.started', 'track.started'],
    ],
    ['participant', { connectedAt: null }, {}, ['participant.joined']],
    ['participant', {}, { isConnected: false }, ['participant.updated']],
    ['participant', {}, { userName: 'Bea' }, ['participant.updated']],
    ['participant', {}, { role: 'participant' }, ['participant.updated']],
    ['participant', {}, { granted: ['share'] }, ['participant.updated']],
    ['participant', {}, { requests: ['share'] }, ['participant.updated']],
    ['participant', {}, { breakout: 'room_2' }, ['participant.updated']],
    ['participant', {}, { whiteboard: 'wb_1' }, ['participant.updated']],
    ['participant', {}, { connectedAt: '2026-11-22T00:00:00+00:00' }, []],
    ['participant', {}, { tracks: [{ ...track('a', 'live'), source: 'camera' }] }, ['track.started']],
    ['participant', { tracks: [track('a', 'live')] }, { state: 'left' }, ['track.ended', 'participant.left']],
    ['participant', {}, { kind: 'externalSession', tracks: [track('a', 'live')] }, []],
    ['participant', { state: 'left' }, { connectedAt: null }, []],
    ['playback', { state: 'ready' }, { state: 'active', viewerCount: 1 }, ['playback.active']],
    ['playback', { state: 'active', viewerCount: 1 }, { state: 'active', viewerCount: 2 }, ['playback.viewers']],
    ['playback', { state: 'active' }, { state: 'ready' }, ['playback.idle']],
    ['playback', { state: 'active' }, { state: 'ended' }, ['playback.ended']],
    ['broadcast', {}, { state: 'active' }, ['broadcast.active']],
    ['broadcast', { state: 'active' }, { state: 'interrupted' }, ['broadcast.interrupted']],
    ['broadcast', { state: 'interrupted' }, { state: 'starting' }, ['broadcast.updated']],
    ['broadcast', {}, { renditions: [{ name: 'v1' }] }, ['broadcast.updated']],
    ['broadcast', {}, { state: 'ended' }, ['broadcast.ended']],
    ['broadcast', {}, { state: 'failed' }, ['broadcast.failed']],
    ['restream', {}, { state: 'active' }, ['restream.active']],
    ['restream', { state: 'active' }, { state: 'retrying' }, ['restream.retrying']],
    ['restream', { state: 'retrying' }, { state: 'connecting' }, []],
    ['restream', {}, { state: 'ended' }, ['restream.ended']],
    ['restream', {}, { state: 'failed' }, ['restream.failed']],
    ['recording', {}, { state: 'recording' }, ['recording.started']],
    ['recording', { state: 'recording' }, { state: 'processing' }, ['recording.stopped']],
    ['recording', { state: 'processing' }, { state: 'ready' }, ['recording.ready']],
    ['recording', {}, { state: 'failed' }, ['recording.failed']],
    ['balance', {}, { meetingMs: 60_000_000 }, ['balance.low']],
    ['balance', { meetingMs: 60_000_000 }, { meetingMs: 59_000_000 }, []],
    ['balance', { recordingMs: 1 }, { recordingMs: -5 }, ['balance.exhausted']],
    ['balance', { meetingMs: 1 }, {}, ['balance.updated']],
    ['key', {}, { supersededAt: at, expiresAt: at }, ['key.superseded']],
    ['key', {}, { supersededAt: at, revokedAt: at }, ['key.superseded', 'key.revoked']],
    ['key', {}, { disabledAt: at }, ['key.disabled']],
    ['key', { disabledAt: at }, {}, ['key.enabled']],
    ['key', { disabledAt: at }, { disabledAt: at, expiresAt: at }, ['key.updated']],
    ['webhook', {}, { state: 'disabled' }, ['webhook.disabled']],
    ['webhook', {}, { description: 'x' }, ['webhook.updated']],
    ['disposableKey', {}, { revokedAt: at }, ['key.revoked']],
    ['disposableKey', {}, { name: 'Other' }, ['key.updated']],
    ['eventsSetting', {}, { updatedAt: '2026-11-22T00:00:00+00:00' }, ['settings.updated']],
  ])('of a %s from %j to %j are %j', (kind, from, to, types) => {
    expect(typesOf(updated(kind, from, to))).toEqual(types);
  });

  it('are those of a new and of a deleted row', () => {
    const both = (kind: string) => [...typesOf(created(kind)), ...typesOf(change(kind, rows[kind]!, null))];
    expect(Object.fromEntries(notedKinds.map(kind => [kind, both(kind)]))).toMatchObject({
      ...{ room: ['room.created'], playback: ['playback.created'], participant: ['participant.joined'], balance: [] },
      ...{ recording: ['recording.created', 'recording.deleted'], key: ['key.created', 'key.deleted'] },
      ...{ domain: ['domain.created', 'domain.deleted'], eventsSetting: ['settings.created', 'settings.deleted'] },
    });
  });

  it('have data that the schema of their type describes', () => {
    const changes = [
      ...notedKinds.map(kind => created(kind)),
      updated('externalSession', {}, { state: 'active', tracks: [track('a', 'live')], activatedAt: at }),
      updated('participant', {}, { state: 'left', leftAt: at, leaveReason: 'requested' }),
      updated('recording', {}, { state: 'ready', startedAt: at, endedAt: at, sizeBytes: 7, format: 'mp4' }),
      updated(
        'broadcast',
        {},
        { renditions: [], slateImageUrl: 'https://img.test/a.png', slateProblem: 'image_too_large' },
      ),
      updated('balance', {}, { meetingMs: -7 }),
    ];
    const problems = changes.flatMap(decideEvents).flatMap(({ type, data }) => {
      const { error } = dataSchemaOf(type).safeParse(data);
      return error ? [`${type}: ${error.message}`] : [];
    });
    expect(problems).toEqual([]);
  });

  it('name room, environment and times', () => {
    expect(decideEvents(created('recording'))).toMatchObject([
      {
        meetingID: 'room_1',
        environment: 'production',
        data: { createdAt: presentedAt, source: { sessionID: 'ext_1' } },
      },
    ]);
    expect(decideEvents(created('playback'))).toMatchObject([{ meetingID: 'room_1', environment: 'ofRoom' }]);
    expect(decideEvents(created('disposableKey'))).toMatchObject([{ meetingID: null, environment: 'production' }]);
    expect(decideEvents(created('key'))).toMatchObject([{ meetingID: null, environment: 'sandbox' }]);
    expect(decideEvents(created('domain'))).toMatchObject([{ meetingID: null, environment: null }]);
  });

  it('are none for a kind of a newer version', () => {
    expect(decideEvents(change('hologram', null, {}))).toEqual([]);
    expect(decideEvents(change('toString', null, {}))).toEqual([]);
  });

  it('tell the state of any session and its tracks after any changes', () => {
    const tracks = fc
      .subarray(['a', 'b', 'c'])
      .chain(ids =>
        fc.tuple(...ids.map(id => fc.constantFrom('live', 'paused', 'ended').map(state => track(id, state)))),
      );
    const step = fc.record({ state: fc.constantFrom('pending', 'active'), tracks });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), steps => {
        const known = new Map<string, unknown>();
        let before: Row | null = null;
        for (const each of [{ state: 'pending', tracks: [] }, ...steps]) {
          const after: Row = { ...rows['externalSession'], ...each };
          for (const { resource, data } of decideEvents(change('externalSession', before, after)))
            known.set(resource.kind === 'track' ? resource.id : 'session', data['state']);
          const present = new Map(each.tracks.map(({ trackID, state }) => [trackID, state]));
          const unknown = [...present].filter(([id, state]) => state !== 'ended' && !known.has(id));
          const told = [...known].map(([id]) => [id, id === 'session' ? each.state : (present.get(id) ?? 'ended')]);
          expect([unknown, [...known]]).toEqual([[], told]);
          before = after;
        }
      }),
    );
  });
});

describe('counts of viewers', () => {
  const viewers = (viewerCount: number) =>
    decideEvents(updated('playback', { state: 'active' }, { state: 'active', viewerCount }));

  it('that follow each other are one event', () => {
    const idle = decideEvents(updated('playback', { state: 'active' }, { state: 'ready' }));
    const kept = withoutPassingCounts([...viewers(1), ...viewers(2), ...idle, ...viewers(3), ...viewers(4)]);
    expect(kept.map(({ type, data }) => [type, data['viewerCount']])).toEqual([
      ['playback.viewers', 2],
      ['playback.idle', 0],
      ['playback.viewers', 4],
    ]);
  });

  it('are passing only between counts of the same playback', () => {
    const other = decideEvents({ ...updated('playback', {}, { viewerCount: 9 }), resourceID: 'other' });
    const room = decideEvents(updated('room', { capacity: 20 }, { capacity: 30 }));
    const idle = decideEvents(updated('playback', { state: 'active' }, { state: 'ready' }));
    const kept = withoutPassingCounts([...viewers(1), ...other, ...room, ...viewers(2), ...room, ...idle, ...idle]);
    expect(kept).toEqual([...other, ...room, ...viewers(2), ...room, ...idle, ...idle]);
  });
});

describe('the types of events', () => {
  it('are those that the decisions name', () => {
    expect(new Set(accountEventTypes).size).toBe(accountEventTypes.length);
    expect(accountEventTypes).toEqual(
      expect.arrayContaining([
        'room.created',
        'external_session.interrupted',
        'recording.ready',
        'balance.low',
        'key.revoked',
      ]),
    );
  });
});
