import { sfuCommands, type RtpDescription } from '@rtms/contracts';
import { MemberBench } from '../testing/member-bench.js';
import { makeRtpParameters } from '../testing/member-parameters.js';

describe('a member that breaks the rules', () => {
  let bench: MemberBench;
  beforeEach(async () => {
    bench = await MemberBench.open();
  });
  afterEach(() => bench.close());

  describe('a member with invalid parameters', () => {
    it.each<[string, unknown, RtpDescription]>([
      ['no codecs', 'invalid_request', makeRtpParameters('video', 'v', { codecs: [] })],
      ['a codec of another kind', 'invalid_request', makeRtpParameters('audio')],
      [
        'an unknown codec',
        'invalid_request',
        withCodec({ mimeType: 'video/H265', payloadType: 96, clockRate: 90_000 }),
      ],
      ['a payload type out of range', 'invalid_request', withCodec({ mimeType: 'video/VP8', payloadType: 999 })],
      ['no encodings', 'invalid_request', makeRtpParameters('video', 'v', { encodings: [] })],
      ['a hundred encodings', 'invalid_request', makeRtpParameters('video', 'v', { encodings: Array(100).fill({}) })],
      ['an SSRC that is none', 'invalid_request', makeRtpParameters('video', 'v', { encodings: [{ ssrc: 2 ** 40 }] })],
      ['text in place of a list', 'invalid_request', { codecs: 'VP8' }],
      ['nothing', 'invalid_request', {}],
    ])('about its rtpParameters, with %s, is refused', async (_case, reason, rtpParameters) => {
      const ada = await bench.join('part_1');
      await expect(bench.publish(ada, 'camera', rtpParameters)).rejects.toMatchObject({ failure: { reason } });
      expect(bench.node.engine.load()).toMatchObject({ consumers: 0 });
    });

    it('gets not_found for resources of other members', async () => {
      const [ada, bob] = [await bench.join('part_1'), await bench.join('part_2')];
      const { trackID } = await bench.publish(ada);
      const { subscriptionID } = await bench.subscribe(bob, trackID);
      const elsewhere = await bench.join('part_3', 'room_2');
      const foreign: (() => Promise<unknown>)[] = [
        () => bench.publish({ participantID: 'part_2', send: ada.send }),
        () => bench.subscribe({ participantID: 'part_1', receive: bob.receive }, trackID),
        () => bench.subscribe(elsewhere, trackID),
        () => bench.command(sfuCommands.updateSubscription, { participantID: 'part_1', subscriptionID, paused: false }),
        () => bench.command(sfuCommands.restartMemberIce, { participantID: 'part_1', transportID: bob.send }),
        () => bench.openTransport('part_9', 'send'),
        () => bench.command(sfuCommands.requestTrackKeyframe, { trackID: 'trk_none' }),
      ];
      for (const attempt of foreign)
        await expect(attempt()).rejects.toMatchObject({ failure: { reason: 'not_found' } });
      await bench.command(sfuCommands.unsubscribe, { participantID: 'part_1', subscriptionID });
      expect(bob.receiver.subscriptions.size).toBe(1);
    });

    it('is refused for invalid capabilities, layers or DTLS parameters', async () => {
      const [ada, bob] = [await bench.join('part_1'), await bench.join('part_2')];
      const { trackID } = await bench.publish(ada);
      const { subscriptionID } = await bench.subscribe(bob, trackID);
      const { participantID, receive: transportID } = bob;
      const layers = { spatialLayer: -1 };
      const dtlsParameters = { fingerprints: [{ algorithm: 'md5', value: '00' }] };
      const other = await bench.publish(ada, 'screen');
      const rtpCapabilities = { codecs: [{ kind: 'audio', mimeType: 'audio/opus', clockRate: 48_000, channels: 2 }] };
      const lies: (() => Promise<unknown>)[] = [
        () => bench.command(sfuCommands.updateSubscription, { participantID, subscriptionID, layers }),
        () => bench.command(sfuCommands.connectMemberTransport, { participantID, transportID, dtlsParameters }),
        () =>
          bench.command(sfuCommands.subscribe, { participantID, transportID, trackID: other.trackID, rtpCapabilities }),
      ];
      for (const lie of lies) await expect(lie()).rejects.toMatchObject({ failure: { reason: 'invalid_request' } });
    });

    function withCodec(codec: RtpDescription): RtpDescription {
      return makeRtpParameters('video', 'v', { codecs: [codec] });
    }
  });
});
