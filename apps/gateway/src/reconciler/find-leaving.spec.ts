import type { NodeLease, SfuInventory, TranscoderInventory } from '@rtms/contracts';
import type { Broadcast } from '../broadcasts/broadcast.entity.js';
import type { ExternalSession } from '../external-sessions/external-session.entity.js';
import { findLeaving, findLeavingBroadcasts } from './find-leaving.js';
import type { NodeView } from './holding.js';
import type { Snapshot } from './snapshot.js';

type Session = SfuInventory['sessions'][number];

function makeView(
  nodeID: string,
  draining: boolean,
  sessions: Session[] = [],
  meetingIDs = ['m1'],
): NodeView<SfuInventory> {
  const lease = { nodeID, role: 'sfu', epoch: 1, load: 0, capacity: 10, draining } as NodeLease;
  return { lease, inventory: { epoch: 1, meetingIDs, sessions, playbacks: [], members: [] } };
}

const makeSession = (state: Session['state'], meetingID = 'm1'): Session => ({
  sessionID: `ext_${state}`,
  meetingID,
  state,
});

const activeRow = { meetingID: 'm1', nodeID: 'a', state: 'active' } as ExternalSession;

describe('the rooms that are to leave a node', () => {
  it.each<{ name: string; sfus: NodeView<SfuInventory>[]; sessions?: ExternalSession[]; expected: string[] }>([
    { name: 'are none of a node that takes work', sfus: [makeView('a', false), makeView('b', false)], expected: [] },
    { name: 'are those without a session', sfus: [makeView('a', true), makeView('b', false)], expected: ['m1'] },
    {
      name: 'are those whose publishers are not there',
      sfus: [makeView('a', true, [makeSession('pending')]), makeView('b', false)],
      expected: ['m1'],
    },
    {
      name: 'are not those in which somebody publishes',
      sfus: [makeView('a', true, [makeSession('pending'), makeSession('active')]), makeView('b', false)],
      expected: [],
    },
    {
      name: 'are not those whose publisher was lost a moment ago, before the row tells it',
      sfus: [makeView('a', true, [makeSession('pending')]), makeView('b', false)],
      sessions: [activeRow],
      expected: [],
    },
    {
      name: 'are chosen one by one',
      sfus: [makeView('a', true, [makeSession('active', 'm2')], ['m1', 'm2']), makeView('b', false)],
      expected: ['m1'],
    },
    { name: 'stay where no other node takes work', sfus: [makeView('a', true), makeView('b', true)], expected: [] },
    {
      name: 'stay where the other node is full',
      sfus: [makeView('a', true), { lease: { ...makeView('b', false).lease, load: 10 }, inventory: undefined }],
      expected: [],
    },
    {
      name: 'are not known of a node that does not answer',
      sfus: [{ lease: makeView('a', true).lease, inventory: undefined }, makeView('b', false)],
      expected: [],
    },
  ])('$name', ({ sfus, sessions = [], expected }) => {
    expect(findLeaving({ sfus, sessions }).map(({ meetingID }) => meetingID)).toEqual(expected);
  });
});

describe('the broadcasts that are to leave a transcoder', () => {
  const row = { id: 'bcast_1', nodeID: 'a', nodeEpoch: 1 } as Broadcast;

  function makeTranscoder(nodeID: string, draining: boolean, changes: Partial<NodeLease> = {}) {
    const lease = { nodeID, role: 'transcoder', epoch: 1, load: 0, capacity: 10, draining, ...changes } as NodeLease;
    const broadcasts = nodeID === 'a' ? [{ broadcastID: 'bcast_1', state: 'active' as const }] : [];
    return { lease, inventory: { epoch: 1, broadcasts, recordings: [] } } as NodeView<TranscoderInventory>;
  }

  it.each([
    {
      name: 'are those of one that is drained',
      nodes: [
        ['a', true],
        ['b', false],
      ] as const,
      expected: ['bcast_1'],
    },
    {
      name: 'are none of one that takes work',
      nodes: [
        ['a', false],
        ['b', false],
      ] as const,
      expected: [],
    },
    {
      name: 'stay where no other takes work',
      nodes: [
        ['a', true],
        ['b', true],
      ] as const,
      expected: [],
    },
    {
      name: 'are none that no transcoder has',
      nodes: [
        ['b', true],
        ['c', false],
      ] as const,
      expected: [],
    },
  ])('$name', ({ nodes, expected }) => {
    const transcoders = nodes.map(([nodeID, draining]) => makeTranscoder(nodeID, draining));
    const snapshot = { broadcasts: [row], transcoders, isSettled: true } as unknown as Snapshot;
    expect(findLeavingBroadcasts(snapshot).map(({ id }) => id)).toEqual(expected);
  });

  it('stay where the other is full', () => {
    const transcoders = [makeTranscoder('a', true), makeTranscoder('b', false, { load: 10 })];
    expect(findLeavingBroadcasts({ broadcasts: [row], transcoders, isSettled: true } as unknown as Snapshot)).toEqual(
      [],
    );
  });
});
