import type { Poll, RoomEvent, RosterEntry } from '@rtms/contracts';
import { chatEvent, emptySnapshot } from '../testing/fake-server.js';
import { apply, stateOf, type RoomState } from './room-state.js';

const at = '2026-11-21T10:00:00.000Z';
const entry = (participantID: string, isConnected = true): RosterEntry => ({
  participantID,
  kind: 'member',
  userName: participantID,
  role: 'participant',
  isConnected,
  tracks: [],
  mayPublish: [],
  requests: [],
  breakout: null,
  whiteboard: null,
  health: [],
});
const poll = (state: Poll['state'], results: number[] | null): Poll => ({
  pollID: 'poll_1',
  question: 'Tea?',
  options: ['yes', 'no'],
  state,
  results,
  createdBy: 'a',
});

const start: RoomState = {
  ...stateOf({ ...emptySnapshot(), roster: [entry('a')], polls: [poll('open', null)] }, 5),
};

describe('the state of a room for a member', () => {
  it.each<[string, RoomEvent, Partial<RoomState>]>([
    [
      'who joins',
      { type: 'participant.joined', sequence: 6, at, participant: entry('b') },
      { roster: [entry('a'), entry('b')] },
    ],
    [
      'what changes of somebody',
      { type: 'participant.changed', sequence: 6, at, participant: entry('a', false) },
      { roster: [entry('a', false)] },
    ],
    [
      'who leaves',
      { type: 'participant.left', sequence: 6, at, participantID: 'a', reason: 'requested' },
      { roster: [] },
    ],
    [
      'results that it may see',
      { type: 'poll.voted', sequence: 6, at, pollID: 'poll_1', results: [1, 0] },
      { polls: [poll('open', [1, 0])] },
    ],
    ['no results that it may not see', { type: 'poll.voted', sequence: 6, at, pollID: 'poll_1', results: null }, {}],
    ['votes of no poll that it knows', { type: 'poll.voted', sequence: 6, at, pollID: 'other', results: [1] }, {}],
    [
      'how a poll ended',
      { type: 'poll.ended', sequence: 6, at, poll: poll('ended', [2, 1]) },
      { polls: [poll('ended', [2, 1])] },
    ],
    ['why the room ended', { type: 'room.ended', sequence: 6, at, reason: 'expired' }, { endReason: 'expired' }],
  ])('applies %s', (_what, event, change) => {
    expect(apply(start, event)).toEqual({ ...start, ...change, sequence: 6 });
  });

  it('applies a message once', () => {
    const once = apply(start, chatEvent(6));
    expect(once.chat.map(({ messageID }) => messageID)).toEqual(['msg_6']);
    expect(apply(once, chatEvent(6))).toBe(once);
    expect(apply(once, chatEvent(3))).toBe(once);
  });

  it('keeps the newest thousand messages', () => {
    let state = start;
    for (let sequence = 6; sequence < 1106; sequence += 1) state = apply(state, chatEvent(sequence));
    expect(state.chat).toHaveLength(1000);
    expect(state.chat[0]?.messageID).toBe('msg_106');
  });
});
