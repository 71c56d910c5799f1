import { sfuCommands } from '@rtms/contracts';
import { MemberBench } from '../testing/member-bench.js';
import { makeSimulcastParameters } from '../testing/member-parameters.js';

describe('the tracks of members', () => {
  let bench: MemberBench;
  beforeEach(async () => {
    bench = await MemberBench.open();
  });
  afterEach(() => bench.close());

  describe('members', () => {
    it('receive the router capabilities and the transport parameters', async () => {
      const opened = await bench.command(sfuCommands.openMember, { meetingID: 'room_1', participantID: 'part_1' });
      const opus = expect.objectContaining({ mimeType: 'audio/opus' }) as object;
      expect(opened.routerRtpCapabilities['codecs']).toEqual(expect.arrayContaining([opus]));
      const ask = { participantID: 'part_1', direction: 'send' as const };
      const transport = await bench.command(sfuCommands.openMemberTransport, ask);
      expect(transport).toEqual({
        transportID: expect.any(String),
        iceParameters: expect.objectContaining({ usernameFragment: expect.any(String) }),
        iceCandidates: expect.arrayContaining([expect.objectContaining({ protocol: 'udp' })]),
        dtlsParameters: expect.objectContaining({ fingerprints: expect.any(Array) }),
        iceServers: [],
      });
      const { transportID } = transport;
      const restarted = await bench.command(sfuCommands.restartMemberIce, { participantID: 'part_1', transportID });
      expect(restarted.iceParameters['usernameFragment']).not.toBe(transport.iceParameters['usernameFragment']);
    });

    it('receive TURN credentials for each transport and each ICE restart', async () => {
      await bench.close();
      bench = await MemberBench.open({ TURN_URLS: 'turns:turn.example:443', TURN_SECRET: 'north-of-the-river' });
      const { send: transportID } = await bench.join('part_1');
      const ask = { participantID: 'part_1', direction: 'receive' as const };
      const opened = await bench.command(sfuCommands.openMemberTransport, ask);
      const restarted = await bench.command(sfuCommands.restartMemberIce, { participantID: 'part_1', transportID });
      const server = { urls: ['turns:turn.example:443'], username: expect.stringMatching(/^\d+:part_1-\w{8}$/) };
      for (const { iceServers } of [opened, restarted]) expect(iceServers).toEqual([expect.objectContaining(server)]);
      expect(opened.iceServers![0]!.username).not.toBe(restarted.iceServers![0]!.username);
    });

    it('are in the inventory until they are closed, once or twice', async () => {
      const { trackID } = await bench.publish(await bench.join('part_1'));
      expect(await bench.command(sfuCommands.inventory, {})).toMatchObject({
        meetingIDs: ['room_1'],
        members: [{ participantID: 'part_1', meetingID: 'room_1', trackIDs: [trackID] }],
      });
      for (const _time of [1, 2]) await bench.command(sfuCommands.closeMember, { participantID: 'part_1' });
      expect(await bench.command(sfuCommands.inventory, {})).toMatchObject({ members: [] });
      expect(bench.node.engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
    });

    it('publish and subscribe; a subscription starts paused, then with a keyframe', async () => {
      const [ada, bob] = [await bench.join('part_1'), await bench.join('part_2')];
      const published = await bench.publish(ada, 'camera', makeSimulcastParameters());
      expect(published).toEqual({ trackID: expect.stringMatching(/^trk_/), codec: 'VP8' });
      const subscription = await bench.subscribe(bob, published.trackID);
      expect(subscription).toMatchObject({ kind: 'video', layers: { spatial: 3, temporal: 3 } });
      const [track] = ada.sender.tracks;
      const [received] = bob.receiver.subscriptions;
      expect([received?.isFlowing, track?.keyframeRequests]).toEqual([false, 0]);
      const { subscriptionID } = subscription;
      const change = { participantID: 'part_2', subscriptionID };
      await bench.command(sfuCommands.updateSubscription, { ...change, paused: false, layers: { spatialLayer: 1 } });
      expect([received?.isFlowing, track?.keyframeRequests]).toEqual([true, 1]);
      expect(received?.preferred).toEqual({ spatialLayer: 1 });
      received?.arrive({ spatialLayer: 1, temporalLayer: 2 });
      await bench.plane.quiet();
      expect(bench.events).toEqual([
        {
          type: 'subscription.layers',
          meetingID: 'room_1',
          participantID: 'part_2',
          subscriptionID,
          layers: { spatialLayer: 1, temporalLayer: 2 },
        },
      ]);
      for (const _time of [1, 2])
        await bench.command(sfuCommands.unsubscribe, { participantID: 'part_2', subscriptionID });
      expect(bob.receiver.subscriptions.size).toBe(0);
    });

    it('get the same reply to a repeated command, and an error for a second track of one source', async () => {
      const [ada, bob] = [await bench.join('part_1'), await bench.join('part_2')];
      const { trackID } = await bench.publish(ada);
      expect(await bench.publish(ada)).toMatchObject({ trackID });
      await expect(bench.publish(ada, 'camera', makeSimulcastParameters())).rejects.toMatchObject({
        failure: { reason: 'already_publishing' },
      });
      const subscription = await bench.subscribe(bob, trackID);
      expect(await bench.subscribe(bob, trackID)).toEqual(subscription);
      expect(bench.node.engine.load()).toMatchObject({ consumers: 2, publishers: 2 });
    });

    it('replace a transport by the next one of its direction', async () => {
      const ada = await bench.join('part_1');
      await bench.publish(ada);
      const send = await bench.openTransport('part_1', 'send');
      expect(ada.sender.state).toBe('closed');
      await expect(bench.publish(ada)).rejects.toMatchObject({ failure: { reason: 'not_found' } });
      expect(await bench.publish({ ...ada, send })).toMatchObject({ codec: 'VP8' });
      await bench.plane.quiet();
      expect(bench.events).toEqual([]);
    });

    it('pause, resume and close their tracks for all receivers', async () => {
      const [ada, bob] = [await bench.join('part_1'), await bench.join('part_2')];
      const { trackID } = await bench.publish(ada);
      const { subscriptionID } = await bench.subscribe(bob, trackID);
      await bench.command(sfuCommands.updateSubscription, { participantID: 'part_2', subscriptionID, paused: false });
      const [received] = bob.receiver.subscriptions;
      await bench.command(sfuCommands.pauseTrack, { trackID });
      expect(received?.isFlowing).toBe(false);
      await bench.command(sfuCommands.resumeTrack, { trackID });
      expect(received?.isFlowing).toBe(true);
      await bench.command(sfuCommands.requestTrackKeyframe, { trackID });
      expect(ada.sender.tracks[0]?.keyframeRequests).toBe(2);
      for (const _time of [1, 2]) await bench.command(sfuCommands.closeTrack, { trackID });
      await bench.plane.quiet();
      expect(bench.events).toEqual([
        { type: 'subscription.ended', meetingID: 'room_1', participantID: 'part_2', subscriptionID },
      ]);
      await expect(bench.command(sfuCommands.pauseTrack, { trackID })).rejects.toMatchObject({
        failure: { reason: 'not_found' },
      });
    });

    it('are announced when they speak', async () => {
      const [ada, bob] = [await bench.join('part_1'), await bench.join('part_2')];
      const [{ trackID: adas }, { trackID: bobs }] = [
        await bench.publish(ada, 'microphone'),
        await bench.publish(bob, 'microphone'),
      ];
      for (const trackID of [adas, bobs, bobs, undefined]) ada.members.speak(trackID);
      await bench.plane.quiet();
      expect(bench.events.map(event => event.type === 'speaker.changed' && event.participantID)).toEqual([
        'part_1',
        'part_2',
        undefined,
      ]);
    });

    it('feed a transcoder like a session, until they leave', async () => {
      const ada = await bench.join('part_1');
      const destinations = [{ kind: 'video' as const, ip: '127.0.0.1', rtpPort: 5004, rtcpPort: 5005 }];
      const open = () => bench.command(sfuCommands.openFeed, { feedID: 'bcast_1', sourceID: 'part_1', destinations });
      await expect(open()).rejects.toMatchObject({ failure: { reason: 'source_not_active' } });
      const { trackID } = await bench.publish(ada);
      expect(await open()).toEqual({ tracks: [expect.objectContaining({ trackID, codec: 'VP8' })] });
      await bench.command(sfuCommands.requestKeyframe, { sourceID: 'part_1' });
      expect(ada.sender.tracks[0]?.keyframeRequests).toBe(2);
      await bench.command(sfuCommands.closeMember, { participantID: 'part_1' });
      expect(bench.node.engine.feeds).toEqual([]);
    });

    it('feed the camera with the microphone, or the screen with its sound', async () => {
      const ada = await bench.join('part_1');
      const destinations = (['audio', 'video'] as const).map(kind => ({
        ...{ kind, ip: '127.0.0.1', rtpPort: 5004, rtcpPort: 5005 },
      }));
      const open = async (view?: 'camera' | 'screen') => {
        const request = { feedID: `rec_${view}`, sourceID: 'part_1', destinations, ...(view && { view }) };
        return (await bench.command(sfuCommands.openFeed, request)).tracks.map(({ trackID }) => trackID);
      };
      const ids: string[] = [];
      for (const source of ['screenAudio', 'screen', 'microphone'] as const)
        ids.push((await bench.publish(ada, source)).trackID);
      const [screenAudio, screen, microphone] = ids;
      expect(await open()).toEqual([microphone, screen]);
      expect(await open('camera')).toEqual([microphone]);
      expect(await open('screen')).toEqual([screenAudio, screen]);
      const { trackID: camera } = await bench.publish(ada, 'camera');
      expect(await open('camera')).toEqual([microphone, camera]);
      const requests = () => ada.sender.tracks.map(({ keyframeRequests }) => keyframeRequests);
      const before = requests();
      await bench.command(sfuCommands.requestKeyframe, { sourceID: 'part_1', view: 'screen' });
      expect(requests().map((count, i) => count - before[i]!)).toEqual([0, 1, 0, 0]);
    });

    it('close a feed when the last of its tracks ends', async () => {
      const ada = await bench.join('part_1');
      const destinations = [{ kind: 'video' as const, ip: '127.0.0.1', rtpPort: 5004, rtcpPort: 5005 }];
      const { trackID } = await bench.publish(ada);
      await bench.publish(ada, 'screen');
      await bench.command(sfuCommands.openFeed, { feedID: 'bcast_1', sourceID: 'part_1', destinations });
      await bench.command(sfuCommands.closeTrack, { trackID });
      expect(bench.node.engine.feeds).toEqual([]);
    });

    it('receive media.lost when their media worker dies, and reopen in the same room', async () => {
      const [ada, bob] = [await bench.join('part_1'), await bench.join('part_2')];
      const { trackID } = await bench.publish(ada);
      const { subscriptionID } = await bench.subscribe(bob, trackID);
      await bench.node.engine.killWorker();
      await bench.plane.quiet();
      const inTheRoom = (event: object): object => ({ meetingID: 'room_1', ...event });
      expect(bench.events).toHaveLength(4);
      expect(bench.events).toEqual(
        expect.arrayContaining(
          [
            { type: 'track.ended', participantID: 'part_1', trackID },
            { type: 'subscription.ended', participantID: 'part_2', subscriptionID },
            { type: 'media.lost', participantID: 'part_1' },
            { type: 'media.lost', participantID: 'part_2' },
          ].map(inTheRoom),
        ),
      );
      expect(await bench.publish(await bench.join('part_1'))).not.toMatchObject({ trackID });
      expect(bench.node.engine.rooms).toHaveLength(1);
    });

    it('receive media.lost ten seconds after the end of a drain, which accepts no new members', async () => {
      await bench.close();
      bench = await MemberBench.open({ DRAIN_SECONDS: '30' });
      await bench.join('part_1');
      await bench.command(sfuCommands.drain, { draining: true });
      await bench.plane.pass(39_999);
      expect(bench.events).toEqual([]);
      await bench.plane.pass(1);
      expect(bench.events).toEqual([{ type: 'media.lost', meetingID: 'room_1', participantID: 'part_1' }]);
      await expect(bench.join('part_2')).rejects.toMatchObject({ failure: { reason: 'controller_unavailable' } });
      expect(await bench.command(sfuCommands.inventory, {})).toMatchObject({ members: [] });
    });

    it('close everything when their room is closed', async () => {
      const [ada, bob] = [await bench.join('part_1'), await bench.join('part_2')];
      await bench.subscribe(bob, (await bench.publish(ada)).trackID);
      for (const _time of [1, 2]) await bench.command(sfuCommands.closeRoom, { meetingID: 'room_1' });
      expect(bench.node.engine.rooms).toEqual([]);
      expect(bench.node.engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
    });
  });
});
