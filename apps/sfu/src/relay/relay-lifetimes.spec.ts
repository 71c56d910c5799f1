import { MemoryBroker } from '@rtms/bus';
import { EventLog, ManualClock } from '@rtms/testing';
import type { MediaRoom, ViewerTransport } from '../media/media-engine.js';
import { MemoryEngine } from '../media/memory/memory-engine.js';
import type { MemoryPublisher } from '../media/memory/memory-publisher.js';
import { openRelayedRoom, startRelayingNode, type RelayingNode } from './testing/relayed-engine.js';
import { videoCapabilities as capabilities, videoOffer as offer, viewVideo } from './testing/relayed-video.js';

type Node = RelayingNode<MemoryEngine>;

describe('a room’s viewers on other nodes', () => {
  let clock: ManualClock;
  let broker: MemoryBroker;
  let owner: Node;
  let relays: [Node, Node];
  let room: MediaRoom;
  let publisher: MemoryPublisher;

  function start(nodeID: string, consumersPerWorker: number): Promise<Node> {
    return startRelayingNode({ broker, clock }, nodeID, new MemoryEngine({ clock, consumersPerWorker }));
  }

  /** Resolves once all messages are delivered. */
  const settle = (): Promise<void> => clock.advance(0);

  beforeEach(async () => {
    clock = new ManualClock();
    broker = new MemoryBroker(clock);
    owner = await start('owner', 1);
    relays = [await start('relay-1', 4), await start('relay-2', 4)];
    await settle();
    room = await openRelayedRoom(owner, 'room_1');
    publisher = (await room.openPublisher()) as MemoryPublisher;
    await publisher.publish('video', offer);
  });

  afterEach(async () => {
    await room.close();
    for (const { relaying, bus } of [owner, ...relays]) {
      await relaying.close();
      await bus.close();
    }
  });

  const view = (): Promise<ViewerTransport> => viewVideo(room, publisher.tracks[0]);

  const [first, second] = [() => relays[0], () => relays[1]];
  const viewersOf = ({ engine }: Node): number => engine.viewers.length;
  const copies = (): number => publisher.tracks[0]?.copies.size ?? -1;
  const isEmpty = ({ engine, relaying }: Node): boolean => engine.rooms.length === 0 && relaying.host.isIdle;
  const pipes = (): number => owner.engine.rooms[0]?.pipes.size ?? -1;

  it('share one pipe for each track', async () => {
    await view();
    await view();
    expect([viewersOf(first()), viewersOf(second()), copies(), pipes()]).toEqual([2, 0, 1, 1]);
    expect(first().relaying.host.viewerCount).toBe(2);
  });

  it('stay when the event loop was blocked, because keep messages may be unread', async () => {
    await view();
    clock.stall(38_000);
    await clock.advance(20_000);
    expect([viewersOf(first()), copies(), pipes()]).toEqual([1, 1, 1]);
  });

  it('stay for 5 s after a relay was blocked whose owner died meanwhile', async () => {
    await view();
    await owner.bus.close();
    clock.stall(38_000);
    await clock.advance(5_999);
    expect(viewersOf(first())).toBe(1);
    await clock.advance(1);
    expect(isEmpty(first())).toBe(true);
  });

  it('leave nothing on the relay when the last one leaves', async () => {
    const viewers = [await view(), await view()];
    await viewers[0]?.close();
    await settle();
    expect([viewersOf(first()), copies(), pipes()]).toEqual([1, 1, 1]);
    await viewers[1]?.close();
    await settle();
    expect([isEmpty(first()), viewersOf(first()), copies(), pipes()]).toEqual([true, 0, 0, 0]);
    expect(first().engine.load().consumers).toBe(0);
  });

  it('leave no unused track on the relay', async () => {
    const viewer = await room.openViewer();
    const sent = await viewer.send(publisher.tracks[0]!, capabilities);
    await sent?.close();
    await settle();
    expect([copies(), pipes()]).toEqual([0, 1]);
  });

  it('use the next node when one is full, and are refused when all are full', async () => {
    for (let count = 0; count < 4; count++) await view();
    expect([viewersOf(first()), viewersOf(second())].sort()).toEqual([1, 3]);
    // The announced load is up to a second old. The node itself refuses by its present load.
    for (let count = 0; count < 2; count++) await view();
    await view();
    await expect(view()).rejects.toMatchObject({ reason: 'capacity_reached' });
  });

  it('use other nodes before this node’s CPU limit, then its reserve, and are refused above it', async () => {
    await room.close();
    await owner.relaying.close();
    await owner.bus.close();
    owner = await start('busy-owner', 400);
    room = await openRelayedRoom(owner, 'room_2');
    publisher = (await room.openPublisher()) as MemoryPublisher;
    await publisher.publish('video', offer);
    await settle();
    await view();
    expect(viewersOf(owner)).toBe(1);
    owner.engine.cpuShare = 0.91;
    first().engine.cpuShare = 1;
    await clock.advance(1_000);
    await view();
    expect([owner, first(), second()].map(viewersOf)).toEqual([1, 0, 1]);
    second().engine.cpuShare = 1.01;
    await clock.advance(1_000);
    await view();
    expect([owner, first(), second()].map(viewersOf)).toEqual([2, 0, 1]);
    owner.engine.cpuShare = 1.01;
    await expect(view()).rejects.toMatchObject({ reason: 'capacity_reached' });
  });

  it('follow the publisher’s pauses and ends', async () => {
    await view();
    const [track] = publisher.tracks;
    const copy = [...track!.copies][0]!;
    await track?.pause();
    await settle();
    expect(copy.state).toBe('paused');
    await track?.resume();
    await settle();
    expect(copy.state).toBe('live');
    await publisher.close();
    await settle();
    expect([copy.state, first().engine.load().consumers]).toEqual(['ended', 0]);
  });

  it('select layers on the relay, and get its layer events', async () => {
    const layered = await publisher.publish('video', { ...offer, encodings: [{ rid: 'low' }, { rid: 'high' }] });
    const viewer = await room.openViewer();
    const sent = await viewer.send(layered, capabilities);
    expect(sent?.layers).toEqual({ spatial: 2, temporal: 3 });
    const [hosted] = first().engine.viewers[0]!.sent;
    await sent?.prefer({ spatialLayer: 0 });
    expect(hosted?.preferred).toEqual({ spatialLayer: 0 });
    await sent?.prefer(undefined);
    expect(hosted?.preferred).toBeUndefined();
    const told: unknown[] = [];
    sent?.onLayersChange(layers => told.push(layers));
    hosted?.arrive({ spatialLayer: 1, temporalLayer: 2 });
    hosted?.arrive(undefined);
    await settle();
    expect(told).toEqual([{ spatialLayer: 1, temporalLayer: 2 }, undefined]);
  });

  it('are closed when the relay has not answered for more than 5 s', async () => {
    const viewer = await view();
    await clock.advance(1_000);
    await first().bus.close();
    await clock.advance(5_999);
    expect([viewer.state, pipes()]).toEqual(['new', 1]);
    // The owner sends `keep` every second.
    await clock.advance(1);
    expect([viewer.state, pipes()]).toEqual(['closed', 0]);
    await view();
    expect(viewersOf(second())).toBe(1);
  });

  it('are closed when the relay restarts', async () => {
    const viewer = await view();
    await first().bus.close();
    relays[0] = await start('relay-1', 4);
    await clock.advance(999);
    expect(viewer.state).toBe('new');
    await clock.advance(1);
    expect(viewer.state).toBe('closed');
  });

  it('are closed at once when the relay’s media worker dies', async () => {
    const viewer = await view();
    await first().engine.killWorker();
    await settle();
    expect([viewer.state, isEmpty(first())]).toEqual(['closed', true]);
  });

  it('are closed when the owner has been silent for more than 5 s', async () => {
    await view();
    await clock.advance(1_000);
    await owner.bus.close();
    await clock.advance(5_999);
    expect([viewersOf(first()), isEmpty(first())]).toEqual([1, false]);
    await clock.advance(1);
    expect([isEmpty(first()), first().engine.load().consumers]).toEqual([true, 0]);
  });

  it('stay through an outage of the bus of any length', async () => {
    const viewer = await view();
    first().engine.viewers[0]?.peerConnects();
    await settle();
    for (const { bus } of [owner, first()]) bus.disconnect();
    await clock.advance(60_000);
    expect([viewer.state, viewersOf(first())]).toEqual(['connected', 1]);
    // The owner sends the change that the relay missed.
    first().engine.viewers[0]?.peerVanishes();
    for (const { bus } of [first(), owner]) bus.reconnect();
    await clock.advance(1_000);
    expect([viewer.state, viewersOf(first())]).toEqual(['lost', 1]);
  });

  it('are removed from the relay even if the command was lost', async () => {
    const [viewer] = [await view(), await view()];
    owner.bus.disconnect();
    await viewer?.close();
    await settle();
    expect(viewersOf(first())).toBe(2);
    owner.bus.reconnect();
    // A viewer that is missing in the owner's list is closed once it is older than 5 s.
    await clock.advance(5_000);
    expect(viewersOf(first())).toBe(2);
    await clock.advance(1_000);
    expect(viewersOf(first())).toBe(1);
  });

  it('receive reconnect when the relay drains, and are closed when its time is over', async () => {
    const viewer = await view();
    const asked = new EventLog<void>();
    viewer.onDismissed?.(() => asked.add());
    first().drain.isDraining = true;
    first().relaying.tellLoad();
    first().relaying.host.dismiss();
    await settle();
    expect(asked.length).toBe(1);
    await view();
    expect([viewersOf(first()), viewersOf(second())]).toEqual([1, 1]);
    await first().relaying.host.closeAll();
    await settle();
    expect([viewer.state, isEmpty(first())]).toEqual(['closed', true]);
  });

  it('close with the room', async () => {
    const viewer = await view();
    await owner.engine.killWorker();
    await settle();
    expect([viewer.state, isEmpty(first())]).toEqual(['closed', true]);
  });
});
