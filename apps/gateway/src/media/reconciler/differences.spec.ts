import type { SfuInventory, TranscoderInventory } from '@rtms/contracts';
import type { Broadcast } from '../resources/broadcast.entity.js';
import type { ExternalSession } from '../resources/external-session.entity.js';
import type { Playback } from '../resources/playback.entity.js';
import { findHomeless, findOutOfStep } from './find-homeless.js';
import { findLeaving } from './find-moving-rooms.js';
import { findOrphans } from './find-orphans.js';
import { indexSnapshot, type NodeAnswer, type Snapshot, type SnapshotParts } from './snapshot.js';

const placed = { nodeID: 'sfu-1', nodeEpoch: 100, meetingID: 'room_1' };
const makeSession = (changes: Partial<ExternalSession> = {}) =>
  ({ id: 'ext_1', state: 'active', ...placed, ...changes }) as ExternalSession;
const makePlayback = (changes: Partial<Playback> = {}) =>
  ({ id: 'play_1', sourceSessionID: 'ext_1', state: 'active', ...placed, ...changes }) as Playback;
const makeBroadcast = (changes: Partial<Broadcast> = {}) =>
  ({ id: 'bcast_1', sourceSessionID: 'ext_1', state: 'active', ...placed, nodeID: 'tc-1', ...changes }) as Broadcast;

function makeSfu(
  inventory: Partial<SfuInventory> | undefined,
  nodeID = 'sfu-1',
  epoch = 100,
): NodeAnswer<SfuInventory> {
  const lease = { nodeID, epoch, role: 'sfu' } as NodeAnswer<SfuInventory>['lease'];
  return {
    lease,
    inventory: inventory && { epoch, meetingIDs: ['room_1'], sessions: [], playbacks: [], members: [], ...inventory },
  };
}

function makeTranscoder(broadcasts: TranscoderInventory['broadcasts'] | undefined): NodeAnswer<TranscoderInventory> {
  const lease = { nodeID: 'tc-1', epoch: 100, role: 'transcoder' } as NodeAnswer<TranscoderInventory>['lease'];
  return { lease, inventory: broadcasts && { epoch: 100, broadcasts, recordings: [] } };
}

const sessionEntry = { sessionID: 'ext_1', meetingID: 'room_1', state: 'active' as const };
const playbackEntry = { playbackID: 'play_1', sessionID: 'ext_1', state: 'active' as const };
const broadcastEntry = { broadcastID: 'bcast_1', state: 'active' as const };

/** A snapshot in which database and nodes agree. */
function makeSnapshot(changes: Partial<SnapshotParts> = {}): Promise<Snapshot> {
  return indexSnapshot({
    sessions: [makeSession()],
    playbacks: [makePlayback()],
    broadcasts: [makeBroadcast()],
    recordings: [],
    restreams: [],
    stopped: [],
    endedMeetings: new Set(),
    sfus: [makeSfu({ sessions: [sessionEntry], playbacks: [playbackEntry] })],
    transcoders: [makeTranscoder([broadcastEntry])],
    isSettled: true,
    ...changes,
  });
}

const ids = (rows: readonly { id: string }[]) => rows.map(row => row.id);

/** The IDs of the rows that no node holds, of dead nodes and of others. */
async function homelessIn(changes: Partial<SnapshotParts>): Promise<{ lost: string[]; missing: string[] }> {
  const { rows, missing } = await findHomeless(await makeSnapshot(changes));
  const all = ids([...rows.sessions, ...rows.playbacks, ...rows.broadcasts]);
  return { lost: all.filter(id => !missing.includes(id)), missing };
}
const none = { lost: [], missing: [] };

describe('findHomeless', () => {
  it('finds nothing when the database and the nodes agree', async () => {
    expect(await homelessIn({})).toEqual(none);
  });

  it.each([
    {
      name: 'all resources of dead nodes',
      changes: { sfus: [], transcoders: [] },
      lost: ['ext_1', 'play_1', 'bcast_1'],
    },
    {
      name: 'resources of an earlier start of a node',
      changes: { sfus: [makeSfu({ sessions: [sessionEntry], playbacks: [playbackEntry] }, 'sfu-1', 101)] },
      lost: ['ext_1', 'play_1'],
    },
    {
      name: 'a playback whose source went to another node',
      changes: {
        sessions: [makeSession({ nodeID: 'sfu-2' })],
        sfus: [makeSfu({ playbacks: [playbackEntry] }), makeSfu({ sessions: [sessionEntry] }, 'sfu-2')],
      },
      lost: ['play_1'],
    },
  ])('reports as lost $name', async ({ changes, lost }) => {
    expect((await homelessIn(changes)).lost).toEqual(lost);
  });

  it.each([
    {
      name: 'a resource that the inventory lacks',
      changes: { sfus: [makeSfu({ sessions: [sessionEntry] })] },
      missing: ['play_1'],
    },
    {
      name: 'an active session that its node waits for',
      changes: { sfus: [makeSfu({ sessions: [{ ...sessionEntry, state: 'pending' }], playbacks: [playbackEntry] })] },
      missing: ['ext_1'],
    },
    {
      name: 'a resource that no node has taken yet',
      changes: { broadcasts: [makeBroadcast({ nodeID: null, nodeEpoch: null })] },
      missing: ['bcast_1'],
    },
  ] satisfies { name: string; changes: Partial<SnapshotParts>; missing: string[] }[])(
    'reports as missing $name',
    async ({ changes, missing }) => {
      expect(await homelessIn(changes)).toEqual({ lost: [], missing });
    },
  );

  it('ignores nodes that did not answer', async () => {
    const changes = { sfus: [makeSfu(undefined)], transcoders: [makeTranscoder(undefined)] };
    expect(await homelessIn(changes)).toEqual(none);
  });

  it('reports no node as dead before every node had time to announce itself', async () => {
    expect(await homelessIn({ sfus: [], transcoders: [], isSettled: false })).toEqual(none);
  });
});

describe('findOrphans', () => {
  const commandsFor = async (changes: Partial<SnapshotParts>) => {
    const commands = await findOrphans(await makeSnapshot(changes));
    return commands.map(({ address, request }) => ({ subject: address.subject, ...request }));
  };

  it('closes nothing when the database and the nodes agree', async () => {
    expect(await commandsFor({})).toEqual([]);
  });

  it('closes resources that the database does not have', async () => {
    expect(await commandsFor({ sessions: [], playbacks: [], broadcasts: [] })).toEqual([
      { subject: 'rtms.transcoder.tc-1.broadcast.stop', broadcastID: 'bcast_1' },
      { subject: 'rtms.sfu.sfu-1.playback.close', playbackID: 'play_1' },
      { subject: 'rtms.sfu.sfu-1.session.close', sessionID: 'ext_1' },
    ]);
  });

  it('closes a whole room that has ended', async () => {
    expect(await commandsFor({ sessions: [], playbacks: [], endedMeetings: new Set(['room_1']) })).toEqual([
      { subject: 'rtms.sfu.sfu-1.playback.close', playbackID: 'play_1' },
      { subject: 'rtms.sfu.sfu-1.room.close', meetingID: 'room_1' },
    ]);
  });

  it('closes an ended room without sessions', async () => {
    const changes = { sessions: [], playbacks: [], endedMeetings: new Set(['room_1']), sfus: [makeSfu({})] };
    expect(await commandsFor(changes)).toEqual([{ subject: 'rtms.sfu.sfu-1.room.close', meetingID: 'room_1' }]);
  });

  it('closes the room on a node that lost it to another node while it was cut off', async () => {
    const sessions = [makeSession({ nodeID: 'sfu-2' })];
    const playbacks = [makePlayback({ nodeID: 'sfu-2' })];
    expect(await commandsFor({ sessions, playbacks })).toEqual([
      { subject: 'rtms.sfu.sfu-1.playback.close', playbackID: 'play_1' },
      { subject: 'rtms.sfu.sfu-1.room.close', meetingID: 'room_1' },
    ]);
  });

  it('hands over a broadcast that another transcoder holds, so that its playlist does not end', async () => {
    const [command, ...others] = await findOrphans(
      await makeSnapshot({ broadcasts: [makeBroadcast({ nodeID: 'tc-2' })] }),
    );
    expect(others).toEqual([]);
    expect(command).toMatchObject({
      address: { subject: 'rtms.transcoder.tc-1.broadcast.hand-over' },
      request: { broadcastID: 'bcast_1' },
      otherwise: [{ address: { subject: 'rtms.transcoder.tc-1.broadcast.stop' } }],
    });
  });

  it('stops a broadcast that no transcoder should hold', async () => {
    expect(await commandsFor({ broadcasts: [makeBroadcast({ nodeID: null })] })).toEqual([
      { subject: 'rtms.transcoder.tc-1.broadcast.stop', broadcastID: 'bcast_1' },
    ]);
  });

  it('closes one session and leaves the others of its room', async () => {
    const other = { ...sessionEntry, sessionID: 'ext_2' };
    const sfus = [makeSfu({ sessions: [sessionEntry, other], playbacks: [playbackEntry] })];
    expect(await commandsFor({ sfus })).toEqual([{ subject: 'rtms.sfu.sfu-1.session.close', sessionID: 'ext_2' }]);
  });
});

describe('findOutOfStep', () => {
  it('finds nothing while source and broadcast agree', async () => {
    expect(await findOutOfStep(await makeSnapshot())).toEqual({ interruptedSources: [], resume: [] });
  });

  it('finds broadcasts that continue without their source', async () => {
    const snapshot = await makeSnapshot({ sessions: [makeSession({ state: 'pending' })] });
    expect((await findOutOfStep(snapshot)).interruptedSources).toEqual(['ext_1']);
  });

  it('resumes a broadcast that missed the return of its source', async () => {
    const snapshot = await makeSnapshot({
      broadcasts: [makeBroadcast({ state: 'interrupted' })],
      transcoders: [makeTranscoder([{ ...broadcastEntry, state: 'interrupted' }])],
    });
    expect((await findOutOfStep(snapshot)).resume).toEqual([
      {
        address: { subject: 'rtms.transcoder.tc-1.broadcast.resume' },
        request: { broadcastID: 'bcast_1', sfuNodeID: 'sfu-1', onlyIf: 'interrupted' },
        sourceSessionID: 'ext_1',
      },
    ]);
  });

  it.each(['active', 'retrying'] as const)('resumes a restream whose job waits while its row is %s', async state => {
    const restream = {
      id: 'rstr_1',
      sourceSessionID: 'ext_1',
      sourceBroadcastID: null,
      ...placed,
      nodeID: 'tc-1',
      placedAt: new Date(0),
      state,
    };
    const transcoder = makeTranscoder([broadcastEntry]);
    transcoder.inventory!.restreams = [{ restreamID: 'rstr_1', state: 'interrupted' }];
    const snapshot = await makeSnapshot({ restreams: [restream], transcoders: [transcoder] });
    expect((await findOutOfStep(snapshot)).resume).toMatchObject([
      { request: { restreamID: 'rstr_1', sfuNodeID: 'sfu-1', onlyIf: 'interrupted' } },
    ]);
  });

  it('leaves a broadcast whose encoder is starting', async () => {
    const snapshot = await makeSnapshot({
      broadcasts: [makeBroadcast({ state: 'interrupted' })],
      transcoders: [makeTranscoder([{ ...broadcastEntry, state: 'starting' }])],
    });
    expect((await findOutOfStep(snapshot)).resume).toEqual([]);
  });
});

describe('the comparison', () => {
  /** Counts reads of fields of rows and inventory entries. */
  function countReads<Entry extends object>(entry: Entry, count: { reads: number }): Entry {
    const get = (target: Entry, name: string | symbol): unknown => {
      count.reads += 1;
      return Reflect.get(target, name);
    };
    return new Proxy(entry, { get });
  }

  /** `size` sessions and playbacks on two nodes, one draining. Each side lacks every fourth entry of the other side. */
  async function readsOf(size: number): Promise<number> {
    const count = { reads: 0 };
    const counted = <Entry extends object>(make: (index: number) => Entry) =>
      Array.from({ length: size }, (_, index) => countReads(make(index), count));
    const nodeOf = (index: number) => `sfu-${1 + (index % 2)}`;
    const answers = [1, 2].map(number => {
      const nodeID = `sfu-${number}`;
      const isHere = (_: unknown, index: number) => nodeOf(index) === nodeID;
      const view = makeSfu(
        {
          meetingIDs: Array.from({ length: size }, (_, index) => `room_${index}`).filter(isHere),
          sessions: counted(index => ({
            ...sessionEntry,
            sessionID: `ext_${index % 4 === 0 ? 'unknown' : ''}${index}`,
            meetingID: `room_${index}`,
          })).filter(isHere),
          playbacks: counted(index => ({
            ...playbackEntry,
            playbackID: `play_${index % 4 === 1 ? 'unknown' : ''}${index}`,
            sessionID: `ext_${index}`,
          })).filter(isHere),
        },
        nodeID,
      );
      return { ...view, lease: { ...view.lease, draining: number === 1, load: 0, capacity: 10 } };
    });
    const snapshot = await makeSnapshot({
      sessions: counted(index =>
        makeSession({ id: `ext_${index}`, meetingID: `room_${index}`, nodeID: nodeOf(index) }),
      ),
      playbacks: counted(index =>
        makePlayback({ id: `play_${index}`, sourceSessionID: `ext_${index}`, nodeID: nodeOf(index) }),
      ),
      broadcasts: counted(index => makeBroadcast({ id: `bcast_${index}`, sourceSessionID: `ext_${index}` })),
      sfus: answers,
      transcoders: [makeTranscoder(counted(index => ({ ...broadcastEntry, broadcastID: `bcast_${index}` })))],
    });
    const orphans = await findOrphans(snapshot);
    const { rows } = await findHomeless(snapshot);
    await findOutOfStep(snapshot);
    await findLeaving(snapshot);
    expect([orphans.length, rows.sessions.length, rows.playbacks.length]).toEqual([size / 2, size / 4, size / 4]);
    return count.reads;
  }

  it('takes linear time', async () => {
    expect((await readsOf(2_000)) / (await readsOf(500))).toBeLessThanOrEqual(4.1);
  });
});
