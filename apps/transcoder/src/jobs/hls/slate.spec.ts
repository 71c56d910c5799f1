import { listed, openStage, type Stage } from '../../../test/broadcast-stage.js';

const breaks = (playlist: string): number => playlist.match(/^#EXT-X-DISCONTINUITY$/gm)?.length ?? 0;

describe('the slate of a broadcast', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
    await stage.source.send(31);
  });
  afterEach(() => stage.close());

  const slates = () => stage.encoder.slates;
  async function play(segments: number): Promise<void> {
    for (let segment = 0; segment < segments; segment++) slates().at(-1)!.cut(1);
    await stage.clock.advance(0);
  }

  it('begins after two seconds without video, in the renditions of the source', async () => {
    // The job looks each second, and the last picture is 3 s after its start.
    await stage.clock.advance(2_000);
    expect(slates()).toHaveLength(0);
    await stage.clock.advance(1_000);
    expect(slates()).toHaveLength(1);
    const [run] = stage.encoder.runs;
    const { video, hasAudio, segmentSeconds } = run!.plan;
    expect(slates()[0]!.plan).toMatchObject({ input: 'slate', video, hasAudio, segmentSeconds });
    await stage.clock.advance(60_000);
    expect(slates()).toHaveLength(1);
  });

  it('begins at once when the gateway reports the loss of the source', async () => {
    await stage.broadcasts.interrupt({ broadcastID: 'bcast_1' });
    expect(slates()).toHaveLength(1);
  });

  it('adds segments after a discontinuity, and does not make the broadcast active', async () => {
    await stage.broadcasts.interrupt({ broadcastID: 'bcast_1' });
    const before = stage.playlist();
    await play(3);
    expect(listed(stage.playlist())).toBe(listed(before) + 3);
    expect(breaks(stage.playlist())).toBe(1);
    expect(stage.broadcasts.inventory()).toEqual([{ broadcastID: 'bcast_1', state: 'interrupted' }]);
    expect(stage.types()).toEqual(['broadcast.active']);
  });

  it('continues until the returned source publishes, and ends then', async () => {
    await stage.broadcasts.interrupt({ broadcastID: 'bcast_1' });
    await play(1);
    await stage.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-1' });
    await play(1);
    expect([slates()[0]!.isClosed, breaks(stage.playlist())]).toEqual([false, 1]);
    await stage.source.send(31);
    expect([slates()[0]!.isClosed, breaks(stage.playlist())]).toEqual([true, 2]);
    const after = listed(stage.playlist());
    await play(1);
    expect(listed(stage.playlist())).toBe(after);
    expect(stage.types()).toEqual(['broadcast.active', 'broadcast.active']);
  });

  it('gives way to a source that returns on the same feed', async () => {
    await stage.clock.advance(3_000);
    await play(2);
    await stage.source.send(31);
    expect([slates()[0]!.isClosed, breaks(stage.playlist())]).toEqual([true, 2]);
    expect(stage.types()).toEqual(['broadcast.active']);
  });

  it('begins anew when the source is lost again', async () => {
    for (let loss = 1; loss <= 2; loss++) {
      await stage.broadcasts.interrupt({ broadcastID: 'bcast_1' });
      expect(slates()).toHaveLength(loss);
      await stage.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-1' });
      await stage.source.send(31);
    }
  });

  it('is not replaced when its encoder dies, and the source still returns', async () => {
    await stage.broadcasts.interrupt({ broadcastID: 'bcast_1' });
    slates()[0]!.die();
    await stage.clock.advance(10_000);
    expect(slates()).toHaveLength(1);
    await stage.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-1' });
    const before = listed(stage.playlist());
    await stage.source.send(31);
    expect(listed(stage.playlist())).toBeGreaterThan(before);
  });

  it('ends with the broadcast', async () => {
    await stage.broadcasts.interrupt({ broadcastID: 'bcast_1' });
    await stage.broadcasts.stop({ broadcastID: 'bcast_1' });
    expect(slates()[0]!.isClosed).toBe(true);
    await stage.clock.advance(60_000);
    expect(slates()).toHaveLength(1);
  });
});
