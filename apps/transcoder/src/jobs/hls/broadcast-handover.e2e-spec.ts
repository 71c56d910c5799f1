/** @weight 0.35 for 13 s */
import { sfuCommands } from '@rtms/contracts';
import { EventLog, waitFor } from '@rtms/testing';
import { openBroadcastBench, sfuNodeID, startRequest } from '../../../test/broadcast-bench.js';
import { PacketSource } from '../../../test/packet-source.js';
import { vp8Clip } from '../../../test/clip.js';
import { FakeEncoder } from '../../encoder/testing/fake-encoder.js';

type Bench = Awaited<ReturnType<typeof openBroadcastBench>>;

describe('a broadcast that moves to another transcoder', () => {
  let encoder: FakeEncoder;
  let bench: Bench;

  beforeEach(async () => {
    const clip = vp8Clip('640x360');
    encoder = new FakeEncoder();
    bench = await openBroadcastBench(() => new PacketSource({ codec: 'VP8', clip }), encoder);
  });
  afterEach(() => bench?.close());

  it('keeps every published rendition at the successor', async () => {
    await bench.broadcasts.start({ ...startRequest(), continues: { ageSeconds: 10, renditions: 4 } });
    await bench.becomesActive();
    expect(encoder.runs[0]!.plan.video.map(({ name }) => name)).toEqual(['v1', 'v2', 'v3', 'v4']);
  });

  it('keeps every rendition of a room at the successor of a dead transcoder, above all published numbers', async () => {
    const composition = {
      ...({ layout: 'grid', width: 640, height: 360, fit: 'contain', hasEmptyTiles: false, audio: 'all' } as const),
      ...{ backgroundColor: '#000000', sources: [] },
    };
    await bench.broadcasts.start({ ...startRequest(), composition, continues: { ageSeconds: 10, renditions: 3 } });
    await bench.becomesActive();
    const presentation = bench.registry.get('bcast_1')!;
    expect(presentation.renditions()).toHaveLength(3);
    const playlist = presentation.mediaPlaylist('v3') ?? '';
    expect(Number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m.exec(playlist)?.[1])).toBeGreaterThan(10);
    expect(playlist).toContain('#EXT-X-DISCONTINUITY');
  });

  it.each(['handOver', 'stop'] as const)('keeps the feed of the successor when the former job gets %s', async end => {
    await bench.broadcasts.start(startRequest());
    await bench.becomesActive();
    const destinations = [{ kind: 'video' as const, ip: '127.0.0.1', rtpPort: 9, rtcpPort: 9 }];
    const feed = { feedID: 'bcast_1', sourceID: 'ext_1', destinations };
    await bench.bus.request(sfuCommands.openFeed.forNode(sfuNodeID), feed);
    await bench.broadcasts[end]({ broadcastID: 'bcast_1' });
    expect([...bench.sfu.openFeeds.keys()]).toEqual(['bcast_1']);
  });

  it('closes its own feed', async () => {
    await bench.broadcasts.start(startRequest());
    await bench.becomesActive();
    await bench.broadcasts.handOver({ broadcastID: 'bcast_1' });
    expect(bench.sfu.openFeeds.size).toBe(0);
  });

  it('lists segments whose write was in progress', async () => {
    await bench.broadcasts.start(startRequest());
    await bench.becomesActive();
    const written = new EventLog<string>();
    const put = bench.store.put.bind(bench.store);
    let release = (): void => undefined;
    const released = new Promise<void>(resolve => (release = resolve));
    bench.store.put = async (broadcastID, name, bytes) => {
      written.add(name);
      await released;
      await put(broadcastID, name, bytes);
    };
    await waitFor(() => encoder.runs[0]!.rest > 0, { what: 'media that is not in a segment' });
    const handingOver = bench.broadcasts.handOver({ broadcastID: 'bcast_1' });
    await written.find(name => name.startsWith('v1/'));
    expect(encoder.runs[0]!.isClosed).toBe(true);
    release();
    await handingOver;
    const last = written.all.findLast(name => name.startsWith('v1/'))!;
    expect(bench.registry.get('bcast_1')!.mediaPlaylist('v1')).toContain(last.replace('v1/', ''));
  });
});
