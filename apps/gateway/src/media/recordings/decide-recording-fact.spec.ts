import type { RecordingFact, RecordingState } from '@rtms/contracts';
import { decideRecordingFact } from './decide-recording-fact.js';

const at = new Date('2026-01-01T10:00:10Z');
const time = '2026-01-01T10:00:09.000Z';
const timing = { at, now: new Date('2026-01-01T10:00:20Z'), graceMs: 30_000 };
const facts: Record<string, RecordingFact> = {
  active: { type: 'recording.active', since: time },
  interrupted: { type: 'recording.interrupted', reason: 'source_lost', until: time },
  stopped: { type: 'recording.stopped', reason: 'max_duration_reached', until: time },
  ready: {
    ...{ type: 'recording.ready', format: 'mp4', durationSeconds: 9, sizeBytes: 1000, width: 640, height: 360 },
    ...{ checksumSha256: 'ab', storage: 'shared' },
  },
  failed: { type: 'recording.failed', reason: 'recorder_failed' },
};

function decide(state: RecordingState, fact: keyof typeof facts | RecordingFact, changes = {}) {
  const row = { state, activatedAt: null, pauseCount: 0, pausesLimit: 1, retentionDays: 2, sourceRecordingIDs: null };
  return decideRecordingFact({ ...row, ...changes }, typeof fact === 'string' ? facts[fact]! : fact, timing);
}

describe('decideRecordingFact', () => {
  it.each<[RecordingState, string, RecordingState | 'ignored', string]>([
    ['starting', 'active', 'recording', 'began'],
    ['starting', 'stopped', 'processing', 'stopped'],
    ['starting', 'failed', 'failed', 'ended'],
    ['recording', 'stopped', 'processing', 'stopped'],
    ['recording', 'failed', 'failed', 'ended'],
    ['processing', 'ready', 'ready', 'none'],
    ['processing', 'failed', 'failed', 'ended'],
  ])('brings %s by %s to %s', (state, fact, next, effect) => {
    expect(decide(state, fact)).toMatchObject({ set: { state: next }, effect });
  });

  it.each<[RecordingState, string]>([
    ['starting', 'ready'],
    ['recording', 'ready'],
    ['processing', 'active'],
    ['processing', 'interrupted'],
    ['processing', 'stopped'],
    ['ready', 'active'],
    ['ready', 'failed'],
    ['ready', 'ready'],
    ['failed', 'ready'],
    ['failed', 'stopped'],
  ])('ignores in the state %s the fact %s', (state, fact) => {
    expect(decide(state, fact)).toBe('ignored');
  });

  it('counts minutes again when the source is back', () => {
    expect(decide('recording', 'active')).toEqual({ set: {}, effect: 'began' });
  });

  it('counts losses of the source, and not of the recorder', () => {
    expect(decide('recording', 'interrupted')).toEqual({ set: { pauseCount: 1 }, effect: 'paused' });
    const lost = { type: 'recording.interrupted', reason: 'recorder_lost', until: time } as const;
    expect(decide('recording', lost, { pauseCount: 1 })).toEqual({ set: {}, effect: 'paused' });
  });

  it('ends after more losses of the source than allowed', () => {
    expect(decide('recording', 'interrupted', { pauseCount: 1 })).toMatchObject({
      set: { state: 'processing', endReason: 'pauses_exceeded', endedAt: new Date(time) },
      effect: 'surplus',
    });
  });

  it('allows losses of source and recorder before the first media', () => {
    expect(decide('starting', 'interrupted')).toEqual({ set: { pauseCount: 1 }, effect: 'paused' });
  });

  it('starts with the first media, whenever the report arrives', () => {
    expect(decide('starting', 'active')).toMatchObject({ set: { activatedAt: new Date(time) } });
    const first = new Date('2026-01-01T09:00:00Z');
    expect(decide('starting', 'active', { activatedAt: first })).toMatchObject({ set: { activatedAt: first } });
  });

  it('stores the reason and the time of a failure', () => {
    expect(decide('recording', 'failed')).toEqual({
      set: { state: 'failed', endReason: 'recorder_failed', endedAt: at },
      effect: 'ended',
    });
  });

  it('stores the file, without a size when it has no video', () => {
    const { type: _type, ...file } = facts['ready'] as Extract<RecordingFact, { type: 'recording.ready' }>;
    const expiresAt = new Date('2026-01-03T10:00:20Z');
    const set = { state: 'ready', ...file, addHLS: false, spans: null, expiresAt };
    expect(decide('processing', 'ready')).toEqual({ set, effect: 'none' });
    const { width: _width, height: _height, ...sound } = file;
    expect(decide('processing', { type: 'recording.ready', ...sound })).toMatchObject({
      set: { width: null, height: null },
    });
  });

  it('stores when the media was recorded', () => {
    const ready = facts['ready'] as Extract<RecordingFact, { type: 'recording.ready' }>;
    const spans = [{ startedAt: '2026-01-01T09:00:00.000Z', seconds: 4 }];
    expect(decide('processing', { ...ready, spans })).toMatchObject({ set: { spans }, effect: 'none' });
  });

  it('gives a composition of files the times of their media, and counts its minutes', () => {
    const ready = facts['ready'] as Extract<RecordingFact, { type: 'recording.ready' }>;
    const spans = [{ startedAt: '2026-01-01T09:00:00.000Z', seconds: 9 }];
    expect(decide('processing', { ...ready, spans }, { sourceRecordingIDs: ['rec_1'] })).toMatchObject({
      set: { activatedAt: new Date('2026-01-01T09:00:00Z'), endedAt: new Date('2026-01-01T09:00:09Z') },
      effect: 'composed',
    });
  });

  it('leaves a composition of files its times when they hold no media', () => {
    const change = decide('processing', 'ready', { sourceRecordingIDs: ['rec_1'] });
    expect(change).toMatchObject({ effect: 'composed' });
    expect(change).not.toMatchObject({ set: { activatedAt: expect.anything() as unknown } });
  });

  it('keeps addHLS only if the HLS is stored', () => {
    const ready = facts['ready'] as Extract<RecordingFact, { type: 'recording.ready' }>;
    expect(decide('processing', { ...ready, hasHLS: true })).toMatchObject({ set: { addHLS: true } });
  });

  it('keeps a file for the retention days', () => {
    expect(decide('processing', 'ready')).toMatchObject({ set: { expiresAt: new Date('2026-01-03T10:00:20Z') } });
  });

  it.each([
    ['node_lost', new Date('2026-01-01T10:00:50Z')],
    ['node_drained', new Date('2026-01-01T10:00:50Z')],
    ['source_ended', null],
  ] as const)('ended by %s lets another node continue until %p', (reason, graceUntil) => {
    const change = decide('recording', { type: 'recording.stopped', reason, until: time });
    expect(change).toMatchObject({ set: { graceUntil, endedAt: new Date(time) } });
  });
});
