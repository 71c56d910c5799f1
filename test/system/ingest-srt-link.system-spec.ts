/** @weight 0.2 for 90 s */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort, waitFor } from '@rtms/testing';
import type { ApiClient } from './harness/api-client.js';
import { IngestBench } from './harness/ingest-bench.js';
import { LossyLink } from './harness/lossy-link.js';
import type { ServiceProcess } from './harness/service-process.js';
import { startStack, type Stack } from './harness/stack.js';

const run = promisify(execFile);

describe('the link of an SRT encoder', () => {
  let stack: Stack;
  let node: ServiceProcess;
  let bench: IngestBench;
  let api: ApiClient;

  beforeAll(async () => {
    // A test restarts the node, which a busy machine needs a minute for.
    stack = await startStack({ env: { GRACE_SECONDS: '120', SEGMENT_SECONDS: '1' } });
    await stack.admin.expect(200, 'PUT', '/admin/v1/features', { feature: 'srt', enabled: true });
    const port = await freePort();
    node = await stack.addIngest('ingest-1', { SRT_PORTS: `${port}-${port + 4}` });
    bench = await IngestBench.with(stack);
    api = bench.api;
  });
  afterEach(() => bench?.vanishAll());
  afterAll(async () => {
    await bench?.close();
    await stack?.close();
  });

  it('repairs the loss of 5 % of the packets', async () => {
    const opened = await bench.open('srt');
    const { meetingID, session } = opened;
    const { port } = new URL(session.ingest.url);
    const link = await LossyLink.open(Number(port));
    Object.assign(link, { loss: 0.05, jitterMs: 10 });
    try {
      const url = session.ingest.url.replace('127.0.0.1', link.address);
      await bench.activate(opened, () => [bench.send({ ingest: { ...session.ingest, url } })]);
      const isWhole = async () => {
        const path = await bench.record(meetingID, session.sessionID, 8);
        const { stderr } = await run('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-']);
        if (stderr !== '') throw new Error(stderr);
        return true;
      };
      // SRT repairs within 200 ms. The link is in this process, which a busy machine may stop for longer.
      await waitFor(isWhole, { timeoutMs: 180_000, what: 'a recording without a fault' });
      expect(link.counts.lost).toBeGreaterThan(5);
    } finally {
      await bench.vanishAll();
      link.close();
    }
  });

  it('keeps session and broadcast when the encoder comes back, also after the node has restarted', async () => {
    const opened = await bench.open('srt');
    const { meetingID } = opened;
    const { sessionID } = opened.session;
    const { encoder: first } = await bench.activate(opened);
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    await first.vanish();
    await api.sessionBecomes(meetingID, sessionID, 'pending');
    await bench.activate(opened);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    await node.stop();
    await api.sessionBecomes(meetingID, sessionID, 'pending');
    await node.start();
    await bench.activate(opened);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
  });
});
