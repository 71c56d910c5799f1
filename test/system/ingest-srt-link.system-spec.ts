/** @weight 0.2 for 90 s */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort, waitFor } from '@rtms/testing';
import type { ApiClient, ExternalSession } from './harness/api-client.js';
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

  /** Encoders try again until they are connected. */
  const returned = (meetingID: string, session: ExternalSession) =>
    waitFor(
      async () => {
        if (!bench.lastEncoder?.isRunning) bench.send(session);
        return (await api.session(meetingID, session.sessionID)).state === 'active';
      },
      { what: 'the encoder to publish at the former address', everyMs: 250 },
    );

  it('repairs the loss of 5 % of the packets', async () => {
    const { meetingID, session } = await bench.open('srt');
    const { port } = new URL(session.ingest.url);
    const link = await LossyLink.open(Number(port));
    Object.assign(link, { loss: 0.05, jitterMs: 10 });
    try {
      const url = session.ingest.url.replace('127.0.0.1', link.address);
      bench.send({ ...session, ingest: { ...session.ingest, url } });
      await api.sessionBecomes(meetingID, session.sessionID, 'active');
      const path = await bench.record(meetingID, session.sessionID, 8);
      expect((await run('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-'])).stderr).toBe('');
      expect(link.counts.lost).toBeGreaterThan(5);
    } finally {
      await bench.vanishAll();
      link.close();
    }
  });

  it('keeps session and broadcast when the encoder comes back, also after the node has restarted', async () => {
    const { meetingID, session } = await bench.open('srt');
    const { sessionID } = session;
    const first = bench.send(session);
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    await first.vanish();
    await api.sessionBecomes(meetingID, sessionID, 'pending');
    await returned(meetingID, session);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    await node.stop();
    await api.sessionBecomes(meetingID, sessionID, 'pending');
    await node.start();
    await returned(meetingID, session);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
  });
});
