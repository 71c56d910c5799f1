import { EventLog, waitFor } from '@rtms/testing';
import { makeRtpCapabilities, makeRtpParameters } from '../testing/member-parameters.js';
import type { MediaEngine, MediaRoom } from './media-engine.js';
import { becomes } from './testing/media-scene.js';
import type { MemberDriver, MemberPeer, ReceivedTrack } from './testing/member-peer.js';

export interface MembersUnderTest {
  start(options: { workers: number; consumersPerWorker?: number }): Promise<MediaEngine>;
  openDriver(): Promise<MemberDriver>;
  /** Ends a media worker as the operating system would. Resolves once another one runs in its place. */
  killWorker(engine: MediaEngine, pid: number): Promise<void>;
}

/** The guarantees of every media engine for members of rooms. */
export function describeMembers(name: string, underTest: MembersUnderTest): void {
  describe(`${name}, for members`, () => {
    let engine: MediaEngine;
    let driver: MemberDriver;
    let room: MediaRoom;

    beforeAll(async () => {
      driver = await underTest.openDriver();
    });

    beforeEach(async () => {
      engine = await underTest.start({ workers: 1, consumersPerWorker: 8 });
      room = await engine.openRoom('room_1');
    });

    afterEach(() => engine.close());
    afterAll(() => driver.close());

    const join = (): Promise<MemberPeer> => driver.join(room.members);

    async function arrives(received: ReceivedTrack): Promise<void> {
      const before = await received.packets();
      await waitFor(async () => (await received.packets()) > before + 5, { what: 'RTP to arrive' });
    }

    /** Resolves once the publisher has sent for a while and the subscriber has received nothing. */
    async function isSilent(received: ReceivedTrack, witness: ReceivedTrack): Promise<void> {
      // Packets may still be on their way, many of them after a delay of this process.
      const standsStill = async () => {
        const before = await received.packets();
        for (let round = 0; round < 3; round++) await arrives(witness);
        return (await received.packets()) === before;
      };
      await waitFor(standsStill, { what: 'only the witness to receive RTP' });
    }

    it('lists only codecs that it receives', () => {
      const { codecs, headerExtensions } = room.members.routerRtpCapabilities as Record<string, { mimeType: string }[]>;
      const names = codecs?.map(({ mimeType }) => mimeType.toLowerCase());
      expect(names).toEqual(
        expect.arrayContaining(['audio/opus', 'video/vp8', 'video/vp9', 'video/h264', 'video/av1']),
      );
      expect(names).not.toContain('audio/cn');
      // A client sends the first codec that it supports. VP8 is the codec with simulcast that every browser has.
      expect(names?.find(each => each.startsWith('video/'))).toBe('video/vp8');
      expect(headerExtensions).toBeDefined();
    });

    it('opens transports over UDP and TCP, with credentials that an ICE restart changes', async () => {
      const sender = await room.members.openSender();
      const { transportID, iceParameters, iceCandidates, dtlsParameters } = sender.parameters;
      expect(iceCandidates.map(({ protocol }) => protocol).sort()).toEqual(['tcp', 'udp']);
      expect(dtlsParameters['fingerprints']).not.toEqual([]);
      await sender.restartIce();
      expect(sender.parameters.transportID).toBe(transportID);
      expect(sender.parameters.iceParameters).not.toEqual(iceParameters);
    });

    it('sends a track to its subscribers once they resume', async () => {
      const [ada, bob, eve] = [await join(), await join(), await join()];
      const track = await ada.publish('video');
      const [received, witness] = [await bob.subscribe(track), await eve.subscribe(track)];
      expect(received.subscription.parameters).toMatchObject({ trackID: track.trackID, kind: 'video' });
      expect(received.subscription.parameters.layers).toEqual({ spatial: 1, temporal: expect.any(Number) });
      await witness.subscription.resume();
      await isSilent(received, witness);
      await received.subscription.resume();
      await arrives(received);
      await received.subscription.pause();
      await isSilent(received, witness);
      expect(engine.load()).toMatchObject({ consumers: 3, publishers: 3 });
    });

    it('pauses, resumes and ends a track for all subscribers', async () => {
      const [ada, bob] = [await join(), await join()];
      const [track, voice] = [await ada.publish('video'), await ada.publish('audio')];
      const [received, witness] = [await bob.subscribe(track), await bob.subscribe(voice)];
      for (const { subscription } of [received, witness]) await subscription.resume();
      await arrives(received);
      await track.pause();
      expect(track.state).toBe('paused');
      await isSilent(received, witness);
      await track.resume();
      expect(track.state).toBe('live');
      await arrives(received);
      const ended = new EventLog<'subscription' | 'track'>();
      received.subscription.onEnded(() => ended.add('subscription'));
      track.onEnded(() => ended.add('track'));
      await track.close();
      await track.close();
      expect([...(await ended.atLeast(2))].sort()).toEqual(['subscription', 'track']);
      expect(track.state).toBe('ended');
      await expect(received.subscription.resume()).rejects.toMatchObject({ reason: 'controller_unavailable' });
      expect(engine.load()).toMatchObject({ consumers: 2 });
    });

    it('sends the selected simulcast layer', async () => {
      const [ada, bob] = [await join(), await join()];
      const received = await bob.subscribe(await ada.publish('simulcast'));
      expect(received.subscription.parameters.layers).toEqual({ spatial: 3, temporal: 3 });
      await received.subscription.prefer({ spatialLayer: 0 });
      await received.subscription.resume();
      await waitFor(async () => (await received.layer()) === 0, { what: 'the lowest layer' });
      await received.subscription.prefer({ spatialLayer: 1, temporalLayer: 2 });
      await waitFor(async () => (await received.layer()) === 1, { what: 'the middle layer' });
    });

    it('reports the speaker', async () => {
      const ada = await join();
      const track = await ada.publish('audio');
      const heard = new EventLog<string | undefined>();
      room.members.onSpeakerChange(heard.add);
      for (const _time of [1, 2]) await room.members.watchSpeaker(track);
      await driver.speak(room.members, track);
      expect(await heard.find(trackID => trackID !== undefined)).toBe(track.trackID);
    });

    it('copies a member’s track to a feed', async () => {
      const track = await (await join()).publish('video');
      const destinations = [{ kind: 'video' as const, ip: '127.0.0.1', rtpPort: 9, rtcpPort: 10 }];
      const feed = await room.openFeed([track], destinations);
      expect(feed.tracks).toEqual([expect.objectContaining({ trackID: track.trackID, codec: 'VP8' })]);
      await feed.close();
    });

    it('reports when a member is lost', async () => {
      const ada = await join();
      await ada.publish('video');
      await ada.vanish();
      await becomes(ada.sender, 'lost');
    });

    it('limits a member’s bit rate', async () => {
      const sender = await room.members.openSender();
      for (const limit of [500_000, 1]) await expect(sender.limitBitrate(limit)).resolves.toBeUndefined();
    });

    it.each([
      ['a codec that is not there', { codecs: [{ mimeType: 'video/H265', payloadType: 96, clockRate: 90_000 }] }],
      [
        'a clock rate that is not the codec’s',
        { codecs: [{ mimeType: 'video/VP8', payloadType: 96, clockRate: 8000 }] },
      ],
    ])('refuses %s', async (_case, changes) => {
      const sender = await room.members.openSender();
      const publishing = sender.publish('video', makeRtpParameters('video', 'camera', changes));
      await expect(publishing).rejects.toMatchObject({ reason: 'invalid_request' });
      expect(engine.load()).toMatchObject({ consumers: 0 });
    });

    it('refuses capabilities that do not fit the track', async () => {
      const [sender, receiver] = [await room.members.openSender(), await room.members.openReceiver()];
      const track = await sender.publish('video', makeRtpParameters('video'));
      const audioAlone = { codecs: [(makeRtpCapabilities()['codecs'] as object[])[0]], headerExtensions: [] };
      await expect(receiver.subscribe(track, audioAlone)).rejects.toMatchObject({ reason: 'invalid_request' });
      expect(engine.load()).toMatchObject({ consumers: 1 });
    });

    it('refuses tracks above the budget', async () => {
      const [sender, receiver] = [await room.members.openSender(), await room.members.openReceiver()];
      const track = await sender.publish('video', makeRtpParameters('video'));
      for (let count = 0; count < 7; count++) await receiver.subscribe(track, makeRtpCapabilities());
      const refusal = { reason: 'capacity_reached' };
      await expect(receiver.subscribe(track, makeRtpCapabilities())).rejects.toMatchObject(refusal);
      const again = makeRtpParameters('audio');
      await expect(sender.publish('audio', again)).rejects.toMatchObject(refusal);
    });

    it('releases everything when closed twice in any order', async () => {
      const [sender, receiver] = [await room.members.openSender(), await room.members.openReceiver()];
      const track = await sender.publish('audio', makeRtpParameters('audio'));
      await room.members.watchSpeaker(track);
      const subscription = await receiver.subscribe(track, makeRtpCapabilities());
      const opened = [subscription, receiver, track, sender, room];
      for (const each of [...opened, ...opened.reverse()]) await each.close();
      expect(engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
      await expect(room.members.openSender()).rejects.toMatchObject({ reason: 'controller_unavailable' });
      const late = sender.publish('video', makeRtpParameters('video'));
      await expect(late).rejects.toMatchObject({ reason: 'controller_unavailable' });
    });

    it('ends everything when the media worker dies', async () => {
      const [sender, receiver] = [await room.members.openSender(), await room.members.openReceiver()];
      const track = await sender.publish('audio', makeRtpParameters('audio'));
      const subscription = await receiver.subscribe(track, makeRtpCapabilities());
      const ended: string[] = [];
      track.onEnded(() => ended.push('track'));
      subscription.onEnded(() => ended.push('subscription'));
      room.onLost(() => ended.push('room'));
      const [pid] = engine.workerPids();
      if (pid === undefined) throw new Error('no worker');
      await underTest.killWorker(engine, pid);
      expect(ended.sort()).toEqual(['room', 'subscription', 'track']);
      await (await engine.openRoom('room_1')).members.openSender();
    });
  });
}
