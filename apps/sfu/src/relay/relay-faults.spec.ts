import { BusPermissionError, MemoryBroker, MemoryBus } from '@rtms/bus';
import { nodeLoadSubject } from '@rtms/contracts';
import { ManualClock } from '@rtms/testing';
import { type MediaRoom, type ViewerTransport, workersFullError } from '../media/media-engine.js';
import { MemoryEngine } from '../media/memory/memory-engine.js';
import type { MemoryPublisher, MemoryTrack } from '../media/memory/memory-publisher.js';
import { openRelayedRoom, type RelayingNode, startRelayingNode } from './testing/relayed-engine.js';
import { videoCapabilities, videoOffer, viewVideo } from './testing/relayed-video.js';

type Node = RelayingNode<MemoryEngine>;

describe('a room on several nodes with faults', () => {
  let clock: ManualClock;
  let broker: MemoryBroker;
  let nodes: Node[];
  let owner: Node;
  let room: MediaRoom;
  let publisher: MemoryPublisher;

  beforeEach(async () => {
    clock = new ManualClock();
    broker = new MemoryBroker(clock);
    nodes = [];
    owner = await start('owner', 1);
    room = await openRelayedRoom(owner, 'room_1');
    publisher = (await room.openPublisher()) as MemoryPublisher;
    await publisher.publish('video', videoOffer);
  });

  afterEach(async () => {
    await room.close();
    for (const { relaying, bus } of nodes) {
      await relaying.close();
      await bus.close();
    }
  });

  async function start(nodeID: string, consumersPerWorker: number, more = {}): Promise<Node> {
    const engine = new MemoryEngine({ clock, consumersPerWorker });
    const node = await startRelayingNode({ broker, clock }, nodeID, engine, more);
    nodes.push(node);
    return node;
  }

  async function startRelays(count: number, consumersPerWorker = 10): Promise<Node[]> {
    const relays: Node[] = [];
    for (let each = 1; each <= count; each++) relays.push(await start(`relay-${each}`, consumersPerWorker));
    await settle();
    return relays;
  }

  /** Resolves once all messages are delivered. */
  const settle = (): Promise<void> => clock.advance(0);
  const track = (): MemoryTrack => publisher.tracks[0]!;
  /** Moves the clock while the publisher goes on sending. */
  async function sendFor(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= 500) {
      track().receiveRtp();
      await clock.advance(Math.min(left, 500));
    }
  }

  const view = (): Promise<ViewerTransport> => viewVideo(room, track());
  const viewersOf = (node: Node | undefined): number => node?.engine.viewers.length ?? -1;

  it('uses another node when its relays are full', async () => {
    const relays = await startRelays(4);
    expect(owner.relaying.others().map(({ capacity }) => capacity)).toEqual([9, 9, 9, 9]);
    // One track of ten is reserved. A viewer needs space for two tracks, and these viewers use one.
    for (let count = 0; count < 24; count++) await view();
    expect(relays.map(viewersOf)).toEqual([8, 8, 8, 0]);
    // An outdated announcement arrives.
    for (const nodeID of ['relay-1', 'relay-2', 'relay-3'])
      owner.bus.announce(nodeLoadSubject(nodeID), { nodeID, load: 0, capacity: 9, draining: false });
    await settle();
    await view();
    expect(relays.map(viewersOf)).toEqual([8, 8, 8, 1]);
    for (const { relaying } of relays) relaying.tellLoad();
    await view();
    expect([...relays, owner].map(viewersOf)).toEqual([8, 8, 8, 2, 0]);
  });

  it('does not ask a full node before its next announcement', async () => {
    const [first, second] = await startRelays(2);
    let asked = 0;
    first!.engine.openRoom = async () => {
      asked++;
      throw workersFullError();
    };
    first!.bus.announce = () => undefined;
    for (const meetingID of ['room_2', 'room_3']) {
      const other = await openRelayedRoom(owner, meetingID);
      await other.openViewer();
    }
    expect([asked, viewersOf(second)]).toEqual([1, 2]);
  });

  it('releases closed viewers at both ends', async () => {
    const [relay] = await startRelays(1);
    await view();
    const [copy] = track().copies;
    const listeners = (): number[] => [track().endListeners, copy?.endListeners ?? -1];
    const before = listeners();
    for (let count = 0; count < 5; count++) await (await view()).close();
    const replaced = await view();
    for (let count = 0; count < 5; count++) await replaced.send(track(), videoCapabilities);
    await replaced.close();
    await settle();
    expect([viewersOf(relay), listeners()]).toEqual([1, before]);
  });

  it('replaces a relay that media does not reach', async () => {
    const [first, second] = await startRelays(2);
    const viewer = await view();
    expect(viewersOf(first)).toBe(1);
    track().copies.clear();
    // The first reply without the track comes after 1 s, and the relay has 5 s more.
    await sendFor(5_999);
    expect(viewer.state).toBe('new');
    await sendFor(1);
    expect(viewer.state).toBe('closed');
    expect(owner.relaying.others().map(({ nodeID }) => nodeID)).toEqual(['relay-2']);
    await view();
    expect([viewersOf(first), viewersOf(second)]).toEqual([0, 1]);
  });

  it('avoids a node that media does not reach for a minute', async () => {
    await startRelays(2);
    await view();
    track().copies.clear();
    await sendFor(6_000);
    await sendFor(59_999);
    expect(owner.relaying.others().map(({ nodeID }) => nodeID)).toEqual(['relay-2']);
    await sendFor(1);
    expect(owner.relaying.others().map(({ nodeID }) => nodeID)).toEqual(['relay-1', 'relay-2']);
  });

  it('keeps a relay that receives nothing because nothing is sent', async () => {
    await startRelays(1);
    const viewer = await view();
    track().receiveRtp();
    const paused = await publisher.publish('video', videoOffer);
    await viewer.send(paused, { ...videoCapabilities, mid: '1' });
    paused.copies.clear();
    paused.receiveRtp();
    await paused.pause();
    await clock.advance(60_000);
    expect(viewer.state).toBe('new');
  });

  it('sends a track again through a new pipe, also if the end of the former was lost', async () => {
    await startRelays(1);
    const viewer = await view();
    const [former] = track().copies;
    const again = await room.openViewer();
    owner.bus.disconnect();
    await viewer.close();
    owner.bus.reconnect();
    await again.send(track(), videoCapabilities);
    expect([former?.state, track().copies.size]).toEqual(['ended', 1]);
    expect(track().copies.has(former!)).toBe(false);
  });

  it('does not use a node that stops', async () => {
    const [first, second] = await startRelays(2);
    await first?.relaying.host.close();
    await view();
    expect([viewersOf(first), viewersOf(second), first?.engine.rooms.length]).toEqual([0, 1, 0]);
  });

  it.each<[string, () => Promise<Node>]>([
    ['that other nodes would not reach', () => start('relay-0', 10, { addressFault: 'somewhere' })],
    ['that may not hear of others', () => startForbidden()],
  ])('goes to no node %s, which serves its own rooms as before', async (_case, startIt) => {
    const node = await startIt();
    await startRelays(1);
    node.relaying.tellLoad();
    expect(owner.relaying.others().map(({ nodeID }) => nodeID)).toEqual(['relay-1']);
    expect(node.relaying.others()).toEqual([]);
    const own = await openRelayedRoom(node, 'room_2');
    await own.openViewer();
    expect(viewersOf(node)).toBe(1);
  });

  async function startForbidden(): Promise<Node> {
    const bus = new MemoryBus(broker);
    bus.listen = subject => Promise.reject(new BusPermissionError(subject));
    const node = await startRelayingNode({ broker, clock }, 'relay-0', new MemoryEngine({ clock }), {}, bus);
    nodes.push(node);
    return node;
  }
});
