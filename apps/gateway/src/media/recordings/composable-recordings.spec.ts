import { requireComposable } from './composable-recordings.js';
import { makeRecording } from './recording-lifecycle.service.js';
import type { Recording } from '../resources/recording.entity.js';

const room = { accountID: 'acc_1', meetingID: 'room_1', keyType: 'production' as const };
const options = { maxDurationSeconds: 60, pausesLimit: 1, retentionDays: 1, addHLS: false };
const startedAt = '2026-01-01T10:00:00.000Z';

function recording(id: string, change: Partial<Recording> = {}): Recording {
  const source = { sourceSessionID: `ext_${id}`, sourceParticipantID: null, composition: null };
  const row = makeRecording(room, source, options, new Date(startedAt));
  const file = {
    state: 'ready' as const,
    storage: 'node' as const,
    nodeID: 'tr_1',
    spans: [{ startedAt, seconds: 4 }],
  };
  return Object.assign(row, file, { id }, change);
}

const ofRoom = { meetingID: 'room_1' };

describe('requireComposable', () => {
  it('returns the recordings of a room', () => {
    const rows = [recording('a'), recording('b')];
    expect(requireComposable({ ...ofRoom, mainRecordingID: 'b' }, rows)).toEqual(rows);
  });

  it.each<[string, Recording[], string, string]>([
    ['a running recording', [recording('a'), recording('b', { state: 'recording' })], 'recording_not_ready', 'b'],
    ['a failed recording', [recording('a', { state: 'failed', storage: null })], 'recording_not_ready', 'a'],
    ['an expired file', [recording('a', { storage: null })], 'recording_not_ready', 'no file'],
    ['a file without times', [recording('a', { spans: null })], 'recording_not_composable', 'a'],
    [
      'files on two nodes',
      [recording('a'), recording('b', { nodeID: 'tr_2' })],
      'recording_not_composable',
      'several nodes',
    ],
    [
      'files on a node and in shared storage',
      [recording('a'), recording('b', { storage: 'shared' })],
      'recording_not_composable',
      'several nodes',
    ],
    ['files without media', [recording('a', { spans: [] })], 'recording_not_composable', 'no media'],
    [
      'more than 1,000 spans',
      [recording('a', { spans: Array.from({ length: 1_001 }, () => ({ startedAt, seconds: 1 })) })],
      'recording_not_composable',
      '1000 times',
    ],
    [
      'more than 12 hours',
      [recording('a', { spans: [{ startedAt, seconds: 43_201 }] })],
      'recording_not_composable',
      '12 hours',
    ],
    [
      'more than 25 recordings',
      Array.from({ length: 26 }, (_, i) => recording(`r${i}`)),
      'invalid_request',
      'recordingIDs',
    ],
    ['no recording', [], 'not_found', 'meetingID'],
  ])('refuses %s', (_case, rows, reason, text) => {
    const refusal = (() => {
      try {
        return requireComposable(ofRoom, rows);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toMatchObject({ reason, message: expect.stringContaining(text) as string });
  });

  it('takes files of several nodes from shared storage', () => {
    const rows = [recording('a', { storage: 'shared' }), recording('b', { storage: 'shared', nodeID: 'tr_2' })];
    expect(requireComposable(ofRoom, rows)).toHaveLength(2);
  });
});
