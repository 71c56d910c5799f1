import { jest } from '@jest/globals';
import { ManualClock } from '@rtms/testing';
import ndc from 'node-datachannel';
import { WhipPublisher } from './whip-publisher.js';

/** The tracks of its connections close after each question whether they are open. */
class ClosingPeer extends ndc.PeerConnection {
  override addTrack(media: ndc.Video | ndc.Audio): ndc.Track {
    const track = super.addTrack(media);
    const onMessage = (listener: (packet: Buffer) => void): void => track.onMessage(listener);
    const sendMessageBinary = (packet: Buffer): boolean => track.sendMessageBinary(packet);
    return { isOpen: () => true, onMessage, sendMessageBinary } as ndc.Track;
  }
}

const packet = Buffer.from([0x80, 111, ...Buffer.alloc(10), 0xf8, 0xff, 0xfe]);

describe('WhipPublisher', () => {
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => ndc.cleanup());

  it('is lost, and throws nothing, when the service closes the connection within a call of send', async () => {
    jest.spyOn(ndc, 'PeerConnection').mockImplementation((...options) => new ClosingPeer(...options));
    const publisher = new WhipPublisher({ clock: new ManualClock(), kinds: ['audio'] });
    publisher.send('audio', packet);
    publisher.report('audio', { ntpMs: 0, rtpTimestamp: 0 });
    expect(await publisher.lost).toMatch('Track is not open');
    publisher.close();
  });

  it('gives up after 15 seconds, even if the request never settles', async () => {
    const clock = new ManualClock();
    let ask: () => void = () => undefined;
    const asked = new Promise<void>(resolve => (ask = resolve));
    const fetch = () => {
      ask();
      return new Promise<Response>(() => undefined);
    };
    const publisher = new WhipPublisher({ clock, kinds: ['audio'], fetch });
    const end = publisher.connect({ url: 'http://sfu' }).catch((error: unknown) => (error as Error).message);
    await asked;
    await clock.advance(15_000);
    expect(await end).toBe('timeout');
  });
});
