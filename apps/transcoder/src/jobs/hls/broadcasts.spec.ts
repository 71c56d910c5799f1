import { NoResponderError } from '@rtms/bus';
import { broadcastOrigin } from '@rtms/contracts';
import { listed, openStage, request, type Stage } from '../../../test/broadcast-stage.js';
import { leastFreeBytes } from '../../disk.js';

describe('a broadcast in virtual time', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
    // The job looks at its source at whole seconds after its start; the last picture is 3 s old then.
    await stage.source.send(31);
  });
  afterEach(() => stage.close());

  it('leaves no timer behind', async () => {
    await stage.broadcasts.stop({ broadcastID: 'bcast_1' });
    await stage.close();
    expect(stage.clock.pending).toBe(0);
  });

  it('is fetchable for one window after its end', async () => {
    await stage.broadcasts.stop({ broadcastID: 'bcast_1' });
    const ask = (): Promise<unknown> => stage.bus.request(broadcastOrigin.forResource('bcast_1'), {});
    await stage.clock.advance(9_999);
    expect(stage.broadcasts.isIdle).toBe(false);
    expect(stage.registry.get('bcast_1')).toBeDefined();
    await expect(ask()).resolves.toEqual({ internalUrl: 'http://origin' });
    await stage.clock.advance(1);
    expect(stage.broadcasts.isIdle).toBe(true);
    expect(stage.registry.get('bcast_1')).toBeUndefined();
    await expect(ask()).rejects.toThrow(NoResponderError);
  });

  it('is fetchable after its end for as long as viewers can seek back, without holding up a drain', async () => {
    const another = { ...request, broadcastID: 'bcast_2', dvrSeconds: 20 };
    await stage.broadcasts.start(another);
    await stage.source.send(31 * 25);
    const playlist = stage.registry.get('bcast_2')!.mediaPlaylist('v1')!;
    expect(listed(playlist)).toBe(20);
    const kept = Math.floor(stage.registry.get('bcast_2')!.retentionMs);
    expect(kept).toBeGreaterThan(19_000);
    await stage.broadcasts.stop({ broadcastID: 'bcast_1' });
    await stage.broadcasts.stop({ broadcastID: 'bcast_2' });
    await stage.clock.advance(10_000);
    expect(stage.broadcasts.isIdle).toBe(true);
    const ask = (): Promise<unknown> => stage.bus.request(broadcastOrigin.forResource('bcast_2'), {});
    await stage.clock.advance(kept - 10_001);
    await expect(ask()).resolves.toEqual({ internalUrl: 'http://origin' });
    await stage.clock.advance(2);
    await expect(ask()).rejects.toThrow(NoResponderError);
    expect(stage.registry.get('bcast_2')).toBeUndefined();
  });

  it('lists the parts of its encoder and of its slate only with low latency', async () => {
    await stage.broadcasts.start({ ...request, broadcastID: 'bcast_2', latency: 'low' });
    await stage.source.send(31);
    const low = stage.registry.get('bcast_2')!;
    const parts = () => low.mediaPlaylist('v1')?.match(/^#EXT-X-PART:.*$/gm)?.length ?? 0;
    expect(stage.encoder.runs.map(({ plan }) => plan.partSeconds)).toEqual([undefined, 1 / 3]);
    expect(parts()).toBe(listed(low.mediaPlaylist('v1')!));
    expect(low.mediaPlaylist('audio')).toContain('#EXT-X-PRELOAD-HINT:TYPE=PART,URI=');
    await stage.broadcasts.stop({ broadcastID: 'bcast_1' });
    expect(stage.playlist()).not.toMatch(/PART|CONTROL|HINT|REPORT/);
    // No picture follows, and the slate begins.
    await stage.clock.advance(5_000);
    expect(stage.encoder.slates.at(-1)?.plan.partSeconds).toBe(1 / 3);
    stage.encoder.slates.at(-1)!.cut(1);
    await stage.clock.advance(0);
    expect(low.mediaPlaylist('v1')).toMatch(/#EXT-X-DISCONTINUITY\n(?:#EXT-X-(?:MAP|PROGRAM).*\n)*#EXT-X-PART:/);
  });

  it('is interrupted without an end tag when its node leaves, and fetchable for one window', async () => {
    await stage.broadcasts.leaveAll();
    expect(stage.facts.at(-1)).toEqual({ type: 'broadcast.interrupted', reason: 'node_draining' });
    expect(stage.broadcasts.inventory()).toEqual([]);
    const ask = (): Promise<unknown> => stage.bus.request(broadcastOrigin.forResource('bcast_1'), {});
    await expect(ask()).rejects.toThrow(NoResponderError);
    await stage.clock.advance(9_999);
    expect(stage.playlist()).not.toContain('#EXT-X-ENDLIST');
    expect(stage.broadcasts.isIdle).toBe(false);
    await stage.clock.advance(1);
    expect(stage.broadcasts.isIdle).toBe(true);
  });

  it('is not reported again when its node leaves while the broadcast ends', async () => {
    const stopping = stage.broadcasts.stop({ broadcastID: 'bcast_1' });
    await Promise.all([stage.broadcasts.leaveAll(), stopping]);
    expect(stage.types()).toEqual(['broadcast.active']);
    expect(stage.playlist()).toMatch(/#EXT-X-ENDLIST\n$/);
  });

  it('has an end tag and is fetchable for one window after a failure', async () => {
    await stage.dieEvery(149);
    expect(stage.facts.at(-1)).toMatchObject({ type: 'broadcast.failed' });
    expect(stage.playlist()).toMatch(/#EXT-X-ENDLIST\n$/);
    await stage.clock.advance(9_999);
    expect(stage.playlist()).toMatch(/#EXT-X-ENDLIST\n$/);
    await stage.clock.advance(1);
    expect(stage.registry.get('bcast_1')).toBeUndefined();
  });

  it('reports again and continues when a gateway that lost the node repeats the start', async () => {
    await stage.broadcasts.start(request);
    expect(stage.types()).toEqual(['broadcast.active', 'broadcast.active']);
    await stage.source.send(31);
    expect(stage.playlist()).not.toContain('#EXT-X-DISCONTINUITY\n');
    expect(stage.source.feeds.map(({ isClosed }) => isClosed)).toEqual([false]);
  });

  it('is refused on a nearly full disk and leaves nothing open', async () => {
    const another = { ...request, broadcastID: 'bcast_2' };
    stage.space.freeBytes = leastFreeBytes - 1;
    await expect(stage.broadcasts.start(another)).rejects.toMatchObject({ reason: 'capacity_reached' });
    expect([stage.broadcasts.load, stage.source.feeds.length]).toEqual([1, 1]);
    expect(stage.registry.get('bcast_2')).toBeUndefined();
    stage.space.freeBytes = leastFreeBytes;
    await stage.broadcasts.start(another);
    await stage.source.send(31);
    expect(stage.broadcasts.inventory()).toContainEqual({ broadcastID: 'bcast_2', state: 'active' });
  });
});
