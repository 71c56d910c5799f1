import { EventLog, ManualClock, memoryBus } from '@rtms/testing';
import type { Bus } from '@rtms/bus';
import { transcoderCommands } from '@rtms/contracts';
import { systemClock, type Clock, type Timer } from '@rtms/clock';
import { sfuNodeID } from '../../../test/broadcast-bench.js';
import { FakeSfu, type FeedSource } from '../../../test/fake-sfu.js';
import { PacketSource } from '../../../test/packet-source.js';
import { av1Clip, vp8Clip } from '../../../test/clip.js';
import { RtpSource } from '../../../test/rtp-source.js';
import { findFfmpeg, type Ffmpeg } from '@rtms/ffmpeg';
import { SourceFeed } from '../../rtp/source-feed.js';
import { Thumbnails } from './thumbnails.js';

const address = { listenIP: '127.0.0.1', announcedIP: '127.0.0.1' };
const vp8Source = () => new PacketSource({ codec: 'VP8', clip: vp8Clip('640x480') });

describe('a thumbnail', () => {
  let ffmpeg: Ffmpeg;
  let bus: Bus;
  let sfu: FakeSfu;
  let opened: number;

  beforeAll(async () => {
    ffmpeg = await findFfmpeg();
  });
  beforeEach(() => {
    opened = 0;
  });
  afterEach(async () => {
    await sfu.close();
    await bus.close();
  });

  async function open(createSource: () => FeedSource, clock: Clock = systemClock): Promise<Thumbnails> {
    bus = await memoryBus();
    sfu = await FakeSfu.open(bus, sfuNodeID, () => {
      opened += 1;
      return createSource();
    });
    // The feed's packets come in real time.
    const openFeed = SourceFeed.opener(address, systemClock);
    return new Thumbnails({ bus, openFeed, ffmpeg, clock, nodeID: 'transcoder-1' });
  }
  const take = async (thumbnails: Thumbnails, sourceID = 'ext_1') => {
    const { jpeg } = await thumbnails.take({ sourceID, accountID: 'acct_1', sfuNodeID });
    return Buffer.from(jpeg, 'base64');
  };

  it.each<[string, () => FeedSource, [number, number]]>([
    ['vp8', vp8Source, [240, 180]],
    ['av1', () => new PacketSource({ codec: 'AV1', clip: av1Clip('320x180') }), [320, 180]],
    ['h264', () => new RtpSource({ video: 'h264', size: '1280x720', seconds: 1 }), [320, 180]],
    ['vp9', () => new RtpSource({ video: 'vp9', size: '720x1280', seconds: 1 }), [102, 180]],
  ])('of %s is a small JPEG', async (_codec, createSource, size) => {
    // The clock stands still: on a busy machine, FFmpeg encodes and decodes for longer than a thumbnail may take.
    const picture = await take(await open(createSource, new ManualClock()));
    expect(sizeOf(picture)).toEqual(size);
    expect(picture.length).toBeLessThan(40_000);
    expect(sfu.openFeeds.size).toBe(0);
  });

  it('is taken once in five seconds, for all who ask', async () => {
    const clock = new ManualClock();
    const thumbnails = await open(vp8Source, clock);
    const [one, other] = await Promise.all([take(thumbnails), take(thumbnails)]);
    await clock.advance(4_999);
    expect([other, await take(thumbnails)]).toEqual([one, one]);
    expect(opened).toBe(1);
    await clock.advance(1);
    await take(thumbnails);
    expect(opened).toBe(2);
  });

  it('fails when the source sends no picture, and is not tried again at once', async () => {
    const clock = new NotingClock();
    const silent = vp8Source();
    silent.muted.add('video');
    const thumbnails = await open(() => silent, clock);
    const taking = take(thumbnails).catch((error: unknown) => error);
    await clock.timers.atLeast(1);
    await clock.advance(3_000);
    expect(await taking).toMatchObject({ reason: 'dependency_unavailable' });
    await expect(take(thumbnails)).rejects.toMatchObject({ reason: 'dependency_unavailable' });
    expect([opened, sfu.openFeeds.size]).toEqual([1, 0]);
  });

  it('fails when no SFU node has the source', async () => {
    const thumbnails = await open(vp8Source);
    const elsewhere = thumbnails.take({ sourceID: 'ext_1', accountID: 'acct_1', sfuNodeID: 'sfu-lost' });
    await expect(elsewhere).rejects.toThrow('sfu-lost');
  });

  it('has a command', () => {
    expect(transcoderCommands.takeThumbnail.forNode('n').subject).toBe('rtms.transcoder.n.thumbnail.take');
  });
});

/** Says when a timer is set. */
class NotingClock extends ManualClock {
  readonly timers = new EventLog<number>();

  override after(milliseconds: number, action: () => void): Timer {
    const timer = super.after(milliseconds, action);
    this.timers.add(milliseconds);
    return timer;
  }
}

/** Width and height of the frame header (ITU-T T.81, B.2.2). */
function sizeOf(jpeg: Buffer): [number, number] {
  const header = jpeg.indexOf(Buffer.of(0xff, 0xc0));
  return [jpeg.readUInt16BE(header + 7), jpeg.readUInt16BE(header + 5)];
}
