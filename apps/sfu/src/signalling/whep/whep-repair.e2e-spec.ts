import type { Closeable } from '@rtms/bus';
import {
  placeRepair,
  roomMediaEventSubject,
  ServiceError,
  sfuCommands,
  type RepairNeed,
  type RoomMediaEvent,
} from '@rtms/contracts';
import type { MemoryInlet } from '../../media/memory/memory-room.js';
import type { MemoryPublisher } from '../../media/memory/memory-publisher.js';
import { RoomRegistry } from '../../rooms/room-registry.js';
import { makeDtlsParameters, makeRtpCapabilities } from '../../testing/member-parameters.js';
import { chromiumWatches, ffmpegPublishes } from '../sdp/testing/client-offers.js';
import { TestWatching } from './testing/test-watching.js';

const senders = [
  { kind: 'audio' as const, ip: '127.0.0.1', port: 5_000 },
  { kind: 'video' as const, ip: '127.0.0.1', port: 5_000 },
];

describe('viewers of a session with B-frames', () => {
  let watching: TestWatching;
  let gateway: Closeable | undefined;
  let needs: RepairNeed[];
  let refusal: ServiceError | undefined;
  let publisher: MemoryPublisher;
  let viewerPath: string;

  beforeEach(async () => {
    watching = await TestWatching.open();
    needs = [];
    refusal = undefined;
    gateway = await watching.plane.bus.respond(placeRepair, async need => {
      needs.push(need);
      if (refusal) throw refusal;
      return { nodeID: 'transcoder-1' };
    });
    publisher = await watching.publish(ffmpegPublishes('42e01f'));
  });
  afterEach(async () => {
    await gateway?.close();
    await watching.close();
  });

  const reportHealth = (...health: Parameters<MemoryPublisher['tracks'][number]['reportHealth']>) =>
    publisher.tracks.find(({ kind }) => kind === 'video')?.reportHealth(...health);
  const tellBFrames = async (): Promise<void> => {
    reportHealth(['b_frames']);
    // The node looks at its sessions twice a second.
    await pass(500);
  };
  const watch = async (): Promise<void> => {
    const { headers } = await watching.watch().expect(201);
    viewerPath = new URL(headers['location'] ?? '').pathname;
    watching.node.engine.viewers.at(-1)?.peerConnects();
    await watching.plane.quiet();
  };
  const command = <Request, Reply>(
    address: { forNode(nodeID: string): { subject: string; request?: Request; reply?: Reply } },
    request: Request,
  ) => watching.plane.bus.request<Request, Reply>(address.forNode('sfu-1'), request);
  const open = (repairID = needs.at(-1)?.repairID ?? '') => command(sfuCommands.openRepair, { repairID, senders });
  const keep = (repairID: string, isLeaving = false) => command(sfuCommands.keepRepair, { repairID, isLeaving });
  const inlets = (): MemoryInlet[] => watching.node.engine.rooms.flatMap(room => [...room.inlets]);
  const receive = async (inlet = inlets().at(-1)): Promise<void> => {
    for (const track of inlet?.tracks ?? []) track.receiveRtp();
    await watching.plane.quiet();
  };
  const seen = () => [...(watching.node.engine.viewers.at(-1)?.sent ?? [])].map(({ trackID }) => trackID).sort();
  const started = () => [...(watching.node.engine.viewers.at(-1)?.sent ?? [])].map(sent => sent.started);
  const idsOf = ({ tracks }: { tracks: readonly { trackID: string }[] }) => tracks.map(each => each.trackID).sort();
  const health = () =>
    watching.plane.factsOf('ext_1').flatMap(fact => (fact.type === 'external_session.health' ? [fact.health] : []));
  /** The clock moves while publishers, and the given inlets, go on sending. */
  const pass = async (milliseconds: number, ...sending: MemoryInlet[]): Promise<void> => {
    for (let left = milliseconds; left > 0; left -= 500) {
      for (const { tracks } of [publisher, ...sending]) tracks.forEach(track => track.receiveRtp());
      await watching.plane.pass(Math.min(left, 500));
    }
  };
  const repaired = async (): Promise<MemoryInlet> => {
    await tellBFrames();
    await watch();
    await open();
    await receive();
    return inlets()[0]!;
  };

  it('costs nothing without B-frames, or without viewers', async () => {
    await watch();
    await pass(1_000);
    await watching.leave(viewerPath).expect(200);
    expect(needs).toEqual([]);
    await watching.node.openPlayback('play_1', 'ext_1');
    await tellBFrames();
    await pass(1_000);
    expect(needs).toEqual([]);
    expect(health()).toEqual([['b_frames']]);
  });

  it('is repaired for a viewer who stays connected, while feeds take the original', async () => {
    await tellBFrames();
    await watch();
    expect(needs).toEqual([
      { repairID: expect.stringMatching(/^rep_/), sessionID: 'ext_1', sfuNodeID: 'sfu-1', videoBitrate: 16_000 },
    ]);
    const { inputs } = await open();
    expect(inputs.map(({ kind }) => kind)).toEqual(['audio', 'video']);
    expect(await open()).toEqual({ inputs });
    expect(seen()).toEqual(idsOf(publisher));
    expect(started()).toEqual([false, false]);
    await receive();
    expect(seen()).toEqual(idsOf(inlets()[0]!));
    expect(watching.node.engine.viewers[0]?.state).toBe('connected');
    expect(started()).toEqual([true, true]);
    expect(health()).toEqual([['b_frames'], ['b_frames', 'b_frames_repaired']]);
    const destinations = [{ kind: 'video' as const, ip: '127.0.0.1', rtpPort: 1, rtcpPort: 2 }];
    const { tracks } = await command(sfuCommands.openFeed, { feedID: 'feed', sourceID: 'ext_1', destinations });
    expect(idsOf(publisher)).toContain(tracks[0]?.trackID);
    await watch();
    expect(seen()).toEqual(idsOf(inlets()[0]!));
  });

  it('is repaired when B-frames come while somebody watches', async () => {
    await watch();
    await tellBFrames();
    await pass(500);
    expect(needs).toHaveLength(1);
    expect(started()).toEqual([true, true]);
  });

  it('ends the repair ten seconds after its last viewer', async () => {
    const inlet = await repaired();
    const [{ repairID }] = needs as [RepairNeed];
    await watching.leave(viewerPath).expect(200);
    await pass(9_500, inlet);
    expect(await keep(repairID)).toEqual({ isWanted: true });
    await pass(1_000, inlet);
    expect(await keep(repairID)).toEqual({ isWanted: false });
    expect(inlets()).toEqual([]);
    await expect(open(repairID)).rejects.toMatchObject({ failure: { reason: 'not_found' } });
    expect(health().at(-1)).toEqual(['b_frames']);
  });

  it('ends the repair a minute after the last B-frames', async () => {
    const inlet = await repaired();
    const [{ repairID }] = needs as [RepairNeed];
    reportHealth([]);
    await pass(59_500, inlet);
    expect(await keep(repairID)).toEqual({ isWanted: true });
    await pass(1_000, inlet);
    expect(await keep(repairID)).toEqual({ isWanted: false });
    expect(started()).toEqual([true, true]);
  });

  it('gets the original and another repair when the transcoder is lost', async () => {
    await repaired();
    const destinations = [{ kind: 'video' as const, ip: '127.0.0.1', rtpPort: 1, rtcpPort: 2 }];
    await command(sfuCommands.openFeed, { feedID: needs[0]!.repairID, sourceID: 'ext_1', destinations });
    await pass(2_500);
    expect(watching.node.engine.feeds).toEqual([]);
    expect(seen()).toEqual(idsOf(publisher));
    expect(started()).toEqual([true, true]);
    expect(needs).toHaveLength(2);
    expect(inlets()).toEqual([]);
    await open();
    await receive();
    expect(seen()).toEqual(idsOf(inlets()[0]!));
  });

  it('moves to another transcoder without a gap when its own one drains', async () => {
    const former = await repaired();
    await keep(needs[0]!.repairID, true);
    await pass(500, former);
    expect(needs).toHaveLength(2);
    await open();
    expect(seen()).toEqual(idsOf(former));
    await receive();
    expect(inlets()).toHaveLength(1);
    expect(seen()).toEqual(idsOf(inlets()[0]!));
    expect(await keep(needs[0]!.repairID)).toEqual({ isWanted: false });
  });

  it('gets the original while no transcoder is free, and the health says so', async () => {
    refusal = new ServiceError('capacity_reached');
    await tellBFrames();
    await watch();
    expect(seen()).toEqual(idsOf(publisher));
    expect(started()).toEqual([true, true]);
    expect(health().at(-1)).toEqual(['b_frames', 'repair_unavailable']);
    await pass(4_500);
    expect(needs).toHaveLength(1);
    refusal = undefined;
    await pass(1_000);
    expect(needs).toHaveLength(2);
    await open();
    await receive();
    expect(health().at(-1)).toEqual(['b_frames', 'b_frames_repaired']);
  });

  it('gives up a transcoder that sends nothing for eight seconds, and shows the original after six', async () => {
    await tellBFrames();
    await watch();
    await open();
    await pass(5_500);
    expect(started()).toEqual([false, false]);
    await pass(500);
    expect(started()).toEqual([true, true]);
    expect(inlets()).toHaveLength(1);
    await pass(2_500);
    expect(inlets()).toEqual([]);
    expect(health().at(-1)).toEqual(['b_frames', 'repair_unavailable']);
  });

  it('waits for a transcoder as long as the publisher pauses between keyframes', async () => {
    reportHealth(['b_frames', 'long_keyframe_interval'], 9);
    await watch();
    await open();
    await pass(16_500);
    expect(inlets()).toHaveLength(1);
    await pass(1_000);
    expect(inlets()).toEqual([]);
  });

  it('closes the ports when the publisher leaves, and repairs the next one anew', async () => {
    await repaired();
    publisher.peerVanishes();
    await watching.plane.quiet();
    expect(inlets()).toEqual([]);
    publisher = await watching.publish(ffmpegPublishes('42e01f'));
    expect(seen()).toEqual(idsOf(publisher));
    await tellBFrames();
    await pass(500);
    expect(needs).toHaveLength(2);
  });

  it('gets the original while the node sends it away after a drain', async () => {
    const inlet = await repaired();
    expect(seen()).toEqual(idsOf(inlet));
    for (const { session } of watching.node.app.get(RoomRegistry).sessions()) session.release();
    await watching.plane.quiet();
    expect(inlets()).toEqual([]);
    expect(seen()).toEqual(idsOf(publisher));
  });

  it('stays repaired when the publisher pauses its video for a while', async () => {
    const inlet = await repaired();
    const video = publisher.tracks.find(({ kind }) => kind === 'video')!;
    const audio = publisher.tracks.find(({ kind }) => kind === 'audio')!;
    await video.pause();
    for (let left = 5_000; left > 0; left -= 500) {
      audio.receiveRtp();
      await watching.plane.pass(500);
    }
    await video.resume();
    await pass(1_000);
    expect(inlets()).toEqual([inlet]);
    await pass(1_000, inlet);
    expect(needs).toHaveLength(1);
  });

  it('asks after growing pauses while no transcoder is free', async () => {
    refusal = new ServiceError('capacity_reached');
    await tellBFrames();
    await watch();
    const asked: number[] = [];
    for (let seconds = 1; seconds <= 40; seconds += 1) {
      const before = needs.length;
      await pass(1_000);
      if (needs.length > before) asked.push(seconds);
    }
    expect(asked).toEqual([5, 15, 35]);
  });

  it('opens its ports once for two questions at the same time', async () => {
    await tellBFrames();
    await watch();
    const [first, second] = await Promise.all([open(), open()]);
    expect(second).toEqual(first);
    expect(inlets()).toHaveLength(1);
  });

  /** A member that may subscribe to the video. */
  const join = async () => {
    const participantID = 'part_1';
    await command(sfuCommands.openMember, { meetingID: 'room_1', participantID });
    const { transportID } = await command(sfuCommands.openMemberTransport, { participantID, direction: 'receive' });
    await command(sfuCommands.connectMemberTransport, {
      ...{ participantID, transportID },
      dtlsParameters: makeDtlsParameters(),
    });
    const { trackID } = publisher.tracks.find(({ kind }) => kind === 'video')!;
    const h264 = {
      ...{ kind: 'video', mimeType: 'video/H264', preferredPayloadType: 108, clockRate: 90_000 },
      parameters: { 'packetization-mode': 1, 'profile-level-id': '42e01f' },
    };
    const rtpCapabilities = { ...makeRtpCapabilities(), codecs: [h264] };
    const subscriptions = () =>
      watching.node.engine.rooms.flatMap(({ members }) =>
        [...members.receivers].flatMap(each => [...each.subscriptions]),
      );
    return {
      subscribe: () => command(sfuCommands.subscribe, { participantID, transportID, trackID, rtpCapabilities }),
      resume: ({ subscriptionID }: { subscriptionID: string }) =>
        command(sfuCommands.updateSubscription, { participantID, subscriptionID, paused: false }),
      isFlowing: () => subscriptions().at(-1)?.isFlowing,
    };
  };

  describe('that an ingest node has announced', () => {
    beforeEach(async () => {
      publisher.peerVanishes();
      await watching.plane.quiet();
      publisher = await watching.publish(ffmpegPublishes('42e01f'), true);
    });

    it('is repaired from the first picture', async () => {
      expect(health()).toEqual([['b_frames']]);
      await watch();
      expect(started()).toEqual([false, false]);
      await open();
      await receive();
      expect(seen()).toEqual(idsOf(inlets()[0]!));
      expect(started()).toEqual([true, true]);
    });

    it('is the original while no transcoder is free', async () => {
      refusal = new ServiceError('capacity_reached');
      await watch();
      expect(health().at(-1)).toEqual(['b_frames', 'repair_unavailable']);
      expect(started()).toEqual([true, true]);
      await watching.leave(viewerPath).expect(200);
      await pass(10_500);
      await watching.node.openPlayback('play_1', 'ext_1');
      await watch();
      expect(started()).toEqual([true, true]);
    });

    it('waits for a gateway that does not know yet that the session is active', async () => {
      refusal = new ServiceError('source_not_active');
      await watch();
      await pass(1_000);
      expect(needs.length).toBeGreaterThan(1);
      expect(health().at(-1)).toEqual(['b_frames']);
      expect(started()).toEqual([false, false]);
      refusal = undefined;
      await pass(1_000);
      await open();
      await receive();
      expect(started()).toEqual([true, true]);
    });

    it('is repaired for viewers who have waited for the publisher', async () => {
      const inlet = await repaired();
      publisher.peerVanishes();
      await watching.plane.quiet();
      publisher = await watching.publish(ffmpegPublishes('42e01f'), true);
      expect(inlets()).not.toContain(inlet);
      expect(started()).toEqual([false, false]);
      await open();
      await receive();
      expect(seen()).toEqual(idsOf(inlets()[0]!));
      expect(started()).toEqual([true, true]);
    });

    it('keeps nobody waiting who only hears', async () => {
      await watching.node.openPlayback('play_2', 'ext_1', ['audio']);
      watching.token = await watching.plane.playbackToken('play_2');
      await watching.watch(chromiumWatches(), '/whep/play_2').expect(201);
      watching.node.engine.viewers.at(-1)?.peerConnects();
      await watching.plane.quiet();
      expect(started()).toEqual([true]);
      expect(needs).toEqual([]);
    });
  });

  it('is repaired for a member, who subscribes again to the same track', async () => {
    const events: RoomMediaEvent[] = [];
    const listener = await watching.plane.bus.listen<RoomMediaEvent>(`${roomMediaEventSubject}.*`, ({ payload }) =>
      events.push(payload),
    );
    const { subscribe, resume, isFlowing } = await join();
    await tellBFrames();
    const first = await subscribe();
    expect(needs).toHaveLength(1);
    await resume(first);
    expect(isFlowing()).toBe(false);
    await open();
    await receive();
    expect(events).toEqual([
      {
        ...{ type: 'subscription.ended', meetingID: 'room_1', participantID: 'part_1' },
        ...{ subscriptionID: first.subscriptionID, isReplaced: true },
      },
    ]);
    // The client may not know it yet.
    await resume(first);
    const second = await subscribe();
    expect(second.trackID).toBe(first.trackID);
    expect(second.subscriptionID).not.toBe(first.subscriptionID);
    await resume(second);
    expect(isFlowing()).toBe(true);
    await listener.close();
  });

  it('is the original for a member once no transcoder is free', async () => {
    const { subscribe, resume, isFlowing } = await join();
    await tellBFrames();
    const subscription = await subscribe();
    await open();
    await resume(subscription);
    expect(isFlowing()).toBe(false);
    await pass(6_000);
    expect(isFlowing()).toBe(true);
  });
});
