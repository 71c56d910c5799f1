import type { NodeLease, SfuInventory, TranscoderInventory } from '@rtms/contracts';
import type { Broadcast } from '../resources/broadcast.entity.js';
import type { ExternalSession } from '../resources/external-session.entity.js';
import { findLeaving, findLeavingBroadcasts } from './find-moving-rooms.js';
import { indexSnapshot, type NodeAnswer, type Snapshot, type SnapshotParts } from './snapshot.js';

type Session = SfuInventory['sessions'][number];

function makeView(
  nodeID: string,
  draining: boolean,
  sessions: Session[] = [],
  meetingIDs = ['m1'],
): NodeAnswer<SfuInventory> {
  const lease = { nodeID, role: 'sfu', epoch: 1, load: 0, capacity: 10, draining } as NodeLease;
  return { lease, inventory: { epoch: 1, meetingIDs, sessions, playbacks: [], members: [] } };
}

const makeSession = (state: Session['state'], meetingID = 'm1'): Session => ({
  sessionID: `ext_${state}`,
  meetingID,
  state,
});

function makeSnapshot(parts: Partial<SnapshotParts>): Promise<Snapshot> {
  const rows = { sessions: [], playbacks: [], broadcasts: [], recordings: [], restreams: [], stopped: [] };
  const empty = { ...rows, sfus: [], transcoders: [] };
  return indexSnapshot({ ...empty, endedMeetings: new Set(), isSettled: true, ...parts });
}

async function leavingOf(parts: Partial<SnapshotParts>): Promise<string[]> {
  const leaving = await findLeavingBroadcasts(await makeSnapshot(parts));
  return leaving.map(({ id }) => id);
}

const activeRow = { meetingID: 'm1', nodeID: 'a', state: 'active' } as ExternalSession;

describe('findLeaving', () => {
  it.each<{ name: string; sfus: NodeAnswer<SfuInventory>[]; sessions?: ExternalSession[]; expected: string[] }>([
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
  ])('$name', async ({ sfus, sessions = [], expected }) => {
    const leaving = await findLeaving(await makeSnapshot({ sfus, sessions }));
    expect(leaving.map(({ meetingID }) => meetingID)).toEqual(expected);
  });
});

describe('findLeavingBroadcasts', () => {
  const row = { id: 'bcast_1', nodeID: 'a', nodeEpoch: 1 } as Broadcast;

  function makeTranscoder(nodeID: string, draining: boolean, changes: Partial<NodeLease> = {}) {
    const lease = { nodeID, role: 'transcoder', epoch: 1, load: 0, capacity: 10, draining, ...changes } as NodeLease;
    const broadcasts = nodeID === 'a' ? [{ broadcastID: 'bcast_1', state: 'active' as const }] : [];
    return { lease, inventory: { epoch: 1, broadcasts, recordings: [] } } as NodeAnswer<TranscoderInventory>;
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
  ])('$name', async ({ nodes, expected }) => {
    const transcoders = nodes.map(([nodeID, draining]) => makeTranscoder(nodeID, draining));
    expect(await leavingOf({ broadcasts: [row], transcoders })).toEqual(expected);
  });

  it('leaves broadcasts when the other transcoder is full', async () => {
    const transcoders = [makeTranscoder('a', true), makeTranscoder('b', false, { load: 10 })];
    expect(await leavingOf({ broadcasts: [row], transcoders })).toEqual([]);
  });

  it('leaves broadcasts while the source is away', async () => {
    const transcoders = [makeTranscoder('a', true), makeTranscoder('b', false)];
    const broadcasts = [{ ...row, state: 'interrupted' as const }];
    expect(await leavingOf({ broadcasts, transcoders })).toEqual([]);
  });

  it.each<{ name: string; loads: Partial<NodeLease>[]; expected: number }>([
    { name: 'all where there is room for all', loads: [{ load: 0 }], expected: 5 },
    { name: 'no more than there is room for', loads: [{ load: 8 }], expected: 2 },
    { name: 'no more than there is room for at all others', loads: [{ load: 8 }, { load: 9 }], expected: 3 },
    { name: 'none for a part of a place', loads: [{ load: 8.1 }, { load: 9.7 }], expected: 1 },
    { name: 'none for the room at one that is drained', loads: [{ load: 9 }, { draining: true }], expected: 1 },
    { name: 'none for one that has more than it should', loads: [{ load: 12 }, { load: 9 }], expected: 1 },
  ])('findReturned: $name', async ({ loads, expected }) => {
    const broadcasts = [1, 2, 3, 4, 5].map(number => ({ ...row, id: `bcast_${number}` }));
    const drained = makeTranscoder('a', true);
    drained.inventory!.broadcasts = broadcasts.map(({ id }) => ({ broadcastID: id, state: 'active' }));
    const transcoders = [drained, ...loads.map((load, index) => makeTranscoder(`b${index}`, false, load))];
    expect(await leavingOf({ broadcasts, transcoders })).toHaveLength(expected);
  });
});
