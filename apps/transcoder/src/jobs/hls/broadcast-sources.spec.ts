import { frameMs } from '../../../test/virtual-source.js';
import { listed, openStage, request, type Stage } from '../../../test/broadcast-stage.js';

describe('a broadcast in virtual time', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
    // The job looks at its source at whole seconds after its start; the last picture is 3 s old then.
    await stage.source.send(31);
  });
  afterEach(() => stage.close());

  it('is interrupted after more than 5 s without video, but not after 5 s', async () => {
    await stage.clock.advance(5_999);
    expect(stage.types()).toEqual(['broadcast.active']);
    await stage.clock.advance(1);
    expect(stage.facts.at(-1)).toEqual({ type: 'broadcast.interrupted', reason: 'source_lost' });
    await stage.source.send(31);
    expect(stage.types()).toEqual(['broadcast.active', 'broadcast.interrupted', 'broadcast.active']);
    expect(stage.playlist()).toContain('#EXT-X-DISCONTINUITY\n');
  });

  it.each([
    [1, 4_000],
    [2, 4_001],
    [1, -4_000],
    [2, -4_001],
  ])('has used %i encoders after the times of its source jumped by %i ms', async (encoders, jumpMs) => {
    stage.source.aheadMs = jumpMs - frameMs;
    await stage.source.send(31);
    expect(stage.encoder.runs).toHaveLength(encoders);
    expect(stage.playlist().includes('#EXT-X-DISCONTINUITY\n')).toBe(encoders > 1);
    expect(stage.types()).not.toContain('broadcast.interrupted');
  });

  it('reports starting instead of interrupted while video arrives', async () => {
    const state = () => stage.broadcasts.inventory().map(each => each.state)[0];
    stage.encoder.runs[0]!.die();
    await stage.clock.advance(0);
    expect(stage.facts.at(-1)).toEqual({ type: 'broadcast.interrupted', reason: 'encoder_lost' });
    expect(state()).toBe('starting');
    await stage.broadcasts.interrupt({ broadcastID: 'bcast_1' });
    expect(state()).toBe('interrupted');
    await stage.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-1' });
    await stage.clock.advance(5_000);
    expect(state()).toBe('starting');
    await stage.clock.advance(1);
    expect(state()).toBe('interrupted');
    await stage.source.send(1);
    expect(state()).toBe('starting');
    await stage.source.send(31);
    expect(state()).toBe('active');
  });

  it('requests a keyframe every second while it waits for one', async () => {
    await stage.clock.advance(6_000);
    const before = stage.source.feeds[0]!.keyframeRequests;
    await stage.clock.advance(3_000);
    expect(stage.source.feeds[0]!.keyframeRequests).toBe(before + 3);
  });

  it('keeps its segments during an interruption and continues when the source returns', async () => {
    await stage.broadcasts.interrupt({ broadcastID: 'bcast_1' });
    expect(stage.source.feeds.map(({ isClosed }) => isClosed)).toEqual([true]);
    expect(stage.broadcasts.inventory()).toEqual([{ broadcastID: 'bcast_1', state: 'interrupted' }]);
    const before = stage.playlist();
    expect(listed(before)).toBe(3);
    expect(before).not.toContain('ENDLIST');
    await stage.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-1' });
    await stage.source.send(31);
    expect(stage.types()).toEqual(['broadcast.active', 'broadcast.active']);
    expect(stage.playlist()).toContain('#EXT-X-DISCONTINUITY\n');
    expect(listed(stage.playlist())).toBeGreaterThan(listed(before));
  });

  it('keeps its feed when the gateway resumes it again because of a late reply', async () => {
    const openFeeds = () => stage.source.feeds.filter(({ isClosed }) => !isClosed);
    const late = { sfuNodeID: 'sfu-1', onlyIf: 'interrupted' as const };
    await stage.broadcasts.interrupt({ broadcastID: 'bcast_1' });
    await Promise.all([
      stage.broadcasts.resume({ broadcastID: 'bcast_1', ...late }),
      stage.broadcasts.resume({ broadcastID: 'bcast_1', ...late }),
    ]);
    const [feed] = openFeeds();
    expect(stage.source.feeds).toHaveLength(2);
    await stage.source.send(31);
    await stage.broadcasts.resume({ broadcastID: 'bcast_1', ...late });
    expect(openFeeds()).toEqual([feed]);
    expect(stage.types()).toEqual(['broadcast.active', 'broadcast.active']);
    await stage.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-1' });
    expect(openFeeds()).not.toContain(feed);
  });

  describe('explains the stalls of players', () => {
    const troubles = (periodMs = 0) => stage.registry.get('bcast_1')!.pace.troubles(periodMs);
    const none = { lostMs: 0, movedMs: 0, lateMs: 0 };
    const second = 1_000;

    it('by its source, which sends nothing', async () => {
      await stage.clock.advance(3 * second);
      expect(troubles()).toEqual({ ...none, lostMs: 3 * second });
      await stage.source.send(31);
      expect(troubles()).toEqual(none);
      expect(troubles(4 * second).lostMs).toBeGreaterThan(3 * second);
    });

    it('by its source, whose loss the gateway reports', async () => {
      await stage.broadcasts.interrupt({ broadcastID: 'bcast_1' });
      await stage.clock.advance(second);
      expect(troubles()).toEqual({ ...none, lostMs: second });
    });

    it('by the platform, which closes the source or opens it elsewhere', async () => {
      await stage.broadcasts.interrupt({ broadcastID: 'bcast_1', isMoved: true });
      await stage.clock.advance(2 * second);
      await stage.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-2' });
      await stage.clock.advance(second);
      expect(troubles()).toEqual({ ...none, movedMs: 3 * second });
      await stage.source.send(31);
      expect(troubles()).toEqual(none);
      await stage.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-3' });
      await stage.clock.advance(second);
      expect(troubles()).toEqual({ ...none, movedMs: second });
    });

    it('by the platform, which lost the node of the source', async () => {
      await stage.clock.advance(3 * second);
      await stage.broadcasts.noteLostNode({ broadcastID: 'bcast_1' });
      await stage.broadcasts.noteLostNode({ broadcastID: 'bcast_9' });
      expect(troubles()).toEqual({ ...none, movedMs: 3 * second });
      await stage.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-2' });
      await stage.clock.advance(second);
      expect(troubles()).toEqual({ ...none, movedMs: 4 * second });
      await stage.source.send(31);
      expect(troubles()).toEqual(none);
    });

    it('by its node, which got no processor, and shows no slate for that', async () => {
      const runs = stage.encoder.runs.length;
      stage.clock.stall(8 * second);
      await stage.clock.advance(0);
      expect(stage.encoder.runs).toHaveLength(runs);
      expect(troubles()).toMatchObject({ lostMs: 0, lateMs: 7 * second });
    });

    it('by its encoder, which gives no segment of the pictures', async () => {
      stage.encoder.isStuck = true;
      await stage.source.send(30);
      expect(troubles()).toEqual({ ...none, lateMs: 2 * second });
    });
  });

  it('reopens its feed when the start is repeated after an interruption', async () => {
    await stage.broadcasts.interrupt({ broadcastID: 'bcast_1' });
    await stage.broadcasts.start(request);
    await stage.source.send(31);
    expect(stage.types()).toEqual(['broadcast.active', 'broadcast.active']);
    expect(stage.source.feeds.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });
});
