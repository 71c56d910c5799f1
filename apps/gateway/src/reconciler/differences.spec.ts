import type { SfuInventory, TranscoderInventory } from '@rtms/contracts';
import type { Broadcast } from '../broadcasts/broadcast.entity.js';
import type { ExternalSession } from '../external-sessions/external-session.entity.js';
import type { Playback } from '../playbacks/playback.entity.js';
import { findHomeless } from './find-homeless.js';
import { findOrphans } from './find-orphans.js';
import { findOutOfStep } from './find-out-of-step.js';
import type { NodeView } from './holding.js';
import type { Snapshot } from './snapshot.js';

const placed = { nodeID: 'sfu-1', nodeEpoch: 100, meetingID: 'room_1' };
const makeSession = (changes: Partial<ExternalSession> = {}) =>
  ({ id: 'ext_1', state: 'active', ...placed, ...changes }) as ExternalSession;
const makePlayback = (changes: Partial<Playback> = {}) =>
  ({ id: 'play_1', sourceSessionID: 'ext_1', state: 'active', ...placed, ...changes }) as Playback;
const makeBroadcast = (changes: Partial<Broadcast> = {}) =>
  ({ id: 'bcast_1', sourceSessionID: 'ext_1', state: 'active', ...placed, nodeID: 'tc-1', ...changes }) as Broadcast;

function makeSfu(inventory: Partial<SfuInventory> | undefined, nodeID = 'sfu-1', epoch = 100): NodeView<SfuInventory> {
  const lease = { nodeID, epoch, role: 'sfu' } as NodeView<SfuInventory>['lease'];
  return {
    lease,
    inventory: inventory && { epoch, meetingIDs: ['room_1'], sessions: [], playbacks: [], members: [], ...inventory },
  };
}

function makeTranscoder(broadcasts: TranscoderInventory['broadcasts'] | undefined): NodeView<TranscoderInventory> {
  const lease = { nodeID: 'tc-1', epoch: 100, role: 'transcoder' } as NodeView<TranscoderInventory>['lease'];
  return { lease, inventory: broadcasts && { epoch: 100, broadcasts, recordings: [] } };
}

const sessionEntry = { sessionID: 'ext_1', meetingID: 'room_1', state: 'active' as const };
const playbackEntry = { playbackID: 'play_1', sessionID: 'ext_1', state: 'active' as const };
const broadcastEntry = { broadcastID: 'bcast_1', state: 'active' as const };

/** Database and workers agree. */
function makeSnapshot(changes: Partial<Snapshot> = {}): Snapshot {
  return {
    sessions: [makeSession()],
    playbacks: [makePlayback()],
    broadcasts: [makeBroadcast()],
    recordings: [],
    runningMeetings: new Set(['room_1']),
    sfus: [makeSfu({ sessions: [sessionEntry], playbacks: [playbackEntry] })],
    transcoders: [makeTranscoder([broadcastEntry])],
    isSettled: true,
    ...changes,
  };
}

const ids = (rows: readonly { id: string }[]) => rows.map(row => row.id);
const flatten = ({ sessions, playbacks, broadcasts }: ReturnType<typeof findHomeless>['lost']) =>
  ids([...sessions, ...playbacks, ...broadcasts]);

describe('findHomeless', () => {
  it('finds nothing where database and workers agree', () => {
    const { lost, missing } = findHomeless(makeSnapshot());
    expect([...flatten(lost), ...flatten(missing)]).toEqual([]);
  });

  it.each([
    { name: 'everything of dead nodes', changes: { sfus: [], transcoders: [] }, lost: ['ext_1', 'play_1', 'bcast_1'] },
    {
      name: 'what an earlier start of a node had',
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
  ])('takes as lost $name', ({ changes, lost }) => {
    expect(flatten(findHomeless(makeSnapshot(changes)).lost)).toEqual(lost);
  });

  it.each([
    {
      name: 'what a node does not name',
      changes: { sfus: [makeSfu({ sessions: [sessionEntry] })] },
      missing: ['play_1'],
    },
    {
      name: 'an active session that its node waits for',
      changes: { sfus: [makeSfu({ sessions: [{ ...sessionEntry, state: 'pending' }], playbacks: [playbackEntry] })] },
      missing: ['ext_1'],
    },
    {
      name: 'what no node has taken yet',
      changes: { broadcasts: [makeBroadcast({ nodeID: null, nodeEpoch: null })] },
      missing: ['bcast_1'],
    },
  ] satisfies { name: string; changes: Partial<Snapshot>; missing: string[] }[])(
    'takes as missing $name',
    ({ changes, missing }) => {
      const found = findHomeless(makeSnapshot(changes));
      expect({ lost: flatten(found.lost), missing: flatten(found.missing) }).toEqual({ lost: [], missing });
    },
  );

  it('says nothing of nodes that did not answer', () => {
    const { lost, missing } = findHomeless(
      makeSnapshot({ sfus: [makeSfu(undefined)], transcoders: [makeTranscoder(undefined)] }),
    );
    expect([...flatten(lost), ...flatten(missing)]).toEqual([]);
  });

  it('takes nobody for dead before every node had time to be heard', () => {
    const { lost, missing } = findHomeless(makeSnapshot({ sfus: [], transcoders: [], isSettled: false }));
    expect([...flatten(lost), ...flatten(missing)]).toEqual([]);
  });
});

describe('findOrphans', () => {
  const commandsFor = (changes: Partial<Snapshot>) =>
    findOrphans(makeSnapshot(changes)).map(({ address, request }) => ({ subject: address.subject, ...request }));

  it('closes nothing where database and workers agree', () => {
    expect(commandsFor({})).toEqual([]);
  });

  it('closes what the database has not', () => {
    expect(commandsFor({ sessions: [], playbacks: [], broadcasts: [] })).toEqual([
      { subject: 'rtms.transcoder.tc-1.broadcast.stop', broadcastID: 'bcast_1' },
      { subject: 'rtms.sfu.sfu-1.playback.close', playbackID: 'play_1' },
      { subject: 'rtms.sfu.sfu-1.session.close', sessionID: 'ext_1' },
    ]);
  });

  it('closes the whole room where it has ended', () => {
    expect(commandsFor({ sessions: [], playbacks: [], runningMeetings: new Set() })).toEqual([
      { subject: 'rtms.sfu.sfu-1.playback.close', playbackID: 'play_1' },
      { subject: 'rtms.sfu.sfu-1.room.close', meetingID: 'room_1' },
    ]);
  });

  it('closes an ended room that has no session left', () => {
    const changes = { sessions: [], playbacks: [], runningMeetings: new Set<string>(), sfus: [makeSfu({})] };
    expect(commandsFor(changes)).toEqual([{ subject: 'rtms.sfu.sfu-1.room.close', meetingID: 'room_1' }]);
  });

  it('closes the room on a node that lost it to another one while it was cut off', () => {
    const sessions = [makeSession({ nodeID: 'sfu-2' })];
    const playbacks = [makePlayback({ nodeID: 'sfu-2' })];
    expect(commandsFor({ sessions, playbacks })).toEqual([
      { subject: 'rtms.sfu.sfu-1.playback.close', playbackID: 'play_1' },
      { subject: 'rtms.sfu.sfu-1.room.close', meetingID: 'room_1' },
    ]);
  });

  it('hands over a broadcast that another transcoder has by now, so that its players are not told it is over', () => {
    const [command, ...others] = findOrphans(makeSnapshot({ broadcasts: [makeBroadcast({ nodeID: 'tc-2' })] }));
    expect(others).toEqual([]);
    expect(command).toMatchObject({
      address: { subject: 'rtms.transcoder.tc-1.broadcast.hand-over' },
      request: { broadcastID: 'bcast_1' },
      otherwise: [{ address: { subject: 'rtms.transcoder.tc-1.broadcast.stop' } }],
    });
  });

  it('stops a broadcast that no transcoder is to have', () => {
    expect(commandsFor({ broadcasts: [makeBroadcast({ nodeID: null })] })).toEqual([
      { subject: 'rtms.transcoder.tc-1.broadcast.stop', broadcastID: 'bcast_1' },
    ]);
  });

  it('closes one session and leaves the others of its room', () => {
    const other = { ...sessionEntry, sessionID: 'ext_2' };
    const sfus = [makeSfu({ sessions: [sessionEntry, other], playbacks: [playbackEntry] })];
    expect(commandsFor({ sfus })).toEqual([{ subject: 'rtms.sfu.sfu-1.session.close', sessionID: 'ext_2' }]);
  });
});

describe('findOutOfStep', () => {
  it('finds nothing while source and broadcast agree', () => {
    expect(findOutOfStep(makeSnapshot())).toEqual({ interruptedSources: [], resume: [] });
  });

  it('finds broadcasts that go on without their source', () => {
    const snapshot = makeSnapshot({ sessions: [makeSession({ state: 'pending' })] });
    expect(findOutOfStep(snapshot).interruptedSources).toEqual(['ext_1']);
  });

  it('resumes a broadcast that did not hear that its source is back', () => {
    const snapshot = makeSnapshot({
      broadcasts: [makeBroadcast({ state: 'interrupted' })],
      transcoders: [makeTranscoder([{ ...broadcastEntry, state: 'interrupted' }])],
    });
    expect(findOutOfStep(snapshot).resume).toEqual([
      {
        address: { subject: 'rtms.transcoder.tc-1.broadcast.resume' },
        request: { broadcastID: 'bcast_1', sfuNodeID: 'sfu-1' },
      },
    ]);
  });

  it('leaves alone a broadcast whose encoder is on its way back', () => {
    const snapshot = makeSnapshot({
      broadcasts: [makeBroadcast({ state: 'interrupted' })],
      transcoders: [makeTranscoder([{ ...broadcastEntry, state: 'starting' }])],
    });
    expect(findOutOfStep(snapshot).resume).toEqual([]);
  });
});
