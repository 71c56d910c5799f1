import type { Requester } from '@rtms/bus';
import { createLogger } from '@rtms/logging';
import { ManualClock } from '@rtms/testing';
import type { Feed } from '../../rtp/source-feed.js';
import { RepairJob } from './repair-job.js';

describe('a repair that ends while it starts', () => {
  it('closes the feed that opens late, and asks for nothing more', async () => {
    const clock = new ManualClock();
    let open: (feed: Feed) => void = () => undefined;
    let note: () => void = () => undefined;
    const opening = new Promise<void>(resolve => (note = resolve));
    const calls: string[] = [];
    const feed = {
      requestKeyframe: () => void calls.push('keyframe'),
      close: async () => void calls.push('close'),
    } as unknown as Feed;
    const job = new RepairJob(
      {
        ...{ repairID: 'rep_1', sessionID: 'ext_1', accountID: 'acct_1', sfuNodeID: 'sfu_1', videoBitrate: 1_500_000 },
        ...{ tracks: ['video'], maxSource: { pixels: 1, pixelsPerSecond: 1 } },
      },
      {
        bus: { request: async () => ({ inputs: [] }) } as unknown as Requester,
        openFeed: () => {
          note();
          return new Promise(resolve => (open = resolve));
        },
        startRepairer: () => {
          throw new Error('not expected');
        },
        ...{ address: { listenIP: '127.0.0.1', announcedIP: '127.0.0.1' }, clock },
        ...{ logger: createLogger({ service: 'transcoder', level: 'silent' }), isLeaving: () => false },
        onOver: () => undefined,
      },
    );
    const started = job.start().catch((error: unknown) => (error as { reason?: string }).reason);
    await opening;
    await job.close();
    open(feed);
    expect(await started).toBe('controller_unavailable');
    expect(calls).toEqual(['close']);
  });
});
