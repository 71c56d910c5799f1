import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EncoderPublisher, waitFor } from '@rtms/testing';
import pg from 'pg';
import type { Playback } from './harness/api-client.js';
import { boundPortsOf, stillBound } from './harness/bound-ports.js';
import { descendants, isAlive } from './harness/processes.js';
import type { ServiceProcess } from './harness/service-process.js';
import { startStack, type Stack } from './harness/stack.js';
import { WhepViewer } from './harness/whep-viewer.js';

const run = promisify(execFile);

describe('draining a media node with live viewers', () => {
  let stack: Stack;
  let second: ServiceProcess;
  let encoder: EncoderPublisher | undefined;
  const viewers: WhepViewer[] = [];

  beforeAll(async () => {
    stack = await startStack({ env: { DRAIN_SECONDS: '60' } });
    second = await stack.addSfu('sfu-2', { DRAIN_SECONDS: '12' });
    await waitFor(async () => (await nodes()).length === 3, { what: 'three nodes to be known' });
  }, 180_000);

  afterEach(async () => {
    for (const viewer of viewers.splice(0)) viewer.close();
    await encoder?.vanish();
  });

  afterAll(async () => {
    await stack?.close();
  });

  /** The program of the administrator. */
  async function admin(...command: string[]): Promise<Record<string, unknown>> {
    const env = { ...process.env, RTMS_ADMIN_URL: stack.gateway.url, RTMS_ADMIN_TOKEN: stack.adminToken };
    const { stdout } = await run(process.execPath, ['apps/gateway/dist/cli/rtms-admin.js', ...command], { env });
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  async function nodes(): Promise<{ nodeID: string; draining: boolean }[]> {
    return (await admin('nodes', 'list'))['nodes'] as { nodeID: string; draining: boolean }[];
  }

  async function isReady(service: ServiceProcess): Promise<boolean> {
    return (await fetch(`${service.url}/readyz`)).ok;
  }

  /** Rows that are active, though no node that lives has what they are about. */
  async function activeWithoutNode(): Promise<string[]> {
    const living = (await nodes()).map(({ nodeID }) => nodeID);
    const client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    try {
      const queries = ['external_sessions', 'playbacks', 'broadcasts', 'recordings'].map(
        table =>
          `select id from ${table} where state in ('active', 'recording')
           and (node_epoch is null or node_id is null or not node_id = any($1))`,
      );
      return (await client.query<{ id: string }>(queries.join(' union all '), [living])).rows.map(({ id }) => id);
    } finally {
      await client.end();
    }
  }

  interface Show {
    meetingID: string;
    sessionID: string;
    ingest: { url: string; token: string };
    playback: Playback;
  }

  /** A room with a live publisher, which lands on the node that takes work. */
  async function openShow(on: ServiceProcess): Promise<Show> {
    const meetingID = await stack.api.createRoom();
    const { sessionID, ingest } = await stack.api.openSession(meetingID, ['audio']);
    expect(ingest.url).toContain(on.url);
    encoder = await EncoderPublisher.publish({ ...ingest, video: false });
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    return { meetingID, sessionID, ingest, playback: await stack.api.openPlayback(meetingID, sessionID, ['audio']) };
  }

  async function watch(playback: Playback, events: boolean): Promise<WhepViewer> {
    const viewer = await WhepViewer.watch(playback, { events });
    viewers.push(viewer);
    return viewer;
  }

  it('by command: everybody is told, and finds publisher and playback on another node', async () => {
    await admin('drain', 'sfu-2');
    const held = heldBy(stack.sfu);
    const { meetingID, sessionID, ingest, playback } = await openShow(stack.sfu);
    await admin('undrain', 'sfu-2');
    const listening = await Promise.all([1, 2, 3].map(() => watch(playback, true)));
    const silent = await watch(playback, false);
    const readiness: Promise<boolean>[] = [];
    for (const viewer of listening) viewer.onTold = () => readiness.push(isReady(stack.sfu));

    await admin('drain', 'sfu-1');
    await waitFor(() => listening.every(viewer => viewer.wasTold), { what: 'every viewer to be told' });
    expect(await Promise.all(readiness)).toEqual([false, false, false]);
    expect([...listening, silent].some(viewer => viewer.isCut)).toBe(false);
    const other = await stack.api.openSession(await stack.api.createRoom(), ['audio']);
    expect(other.ingest.url).toContain(second.url);

    await encoder?.vanish();
    await waitFor(() => viewers.every(viewer => viewer.isCut), {
      timeoutMs: 40_000,
      what: 'no viewer to wait in vain',
    });
    const place = async () => (await stack.api.session(meetingID, sessionID)).ingest.url;
    await waitFor(async () => (await place()).startsWith(second.url), { what: 'the session to be on the other node' });
    expect(await stack.api.session(meetingID, sessionID)).toMatchObject({ state: 'pending' });
    // By the address that it was given first.
    encoder = await EncoderPublisher.publish({ ...ingest, video: false });
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    for (const viewer of viewers) await viewer.watch(playback, true);
    const holdsNothingMore = (): boolean => {
      expect(heldBy(stack.sfu)).toEqual(held);
      return true;
    };
    await waitFor(holdsNothingMore, { what: 'the first node to hold what it held before' });
    expect(await activeWithoutNode()).toEqual([]);

    await admin('undrain', 'sfu-1');
    expect(await isReady(stack.sfu)).toBe(true);
    await stack.api.call('POST', '/v1/rooms', { action: 'end', meetingID });
  }, 180_000);

  it('by SIGTERM: what is left ends with its time, and the process with it', async () => {
    await admin('drain', 'sfu-1');
    const { meetingID, sessionID, playback } = await openShow(second);
    await admin('undrain', 'sfu-1');
    const viewer = await watch(playback, true);
    let wasReady: Promise<boolean> | undefined;
    viewer.onTold = () => {
      wasReady ??= isReady(second);
    };
    const { started, ports } = heldBy(second);
    expect([started.length > 0, ports.length > 1]).toEqual([true, true]);
    const gone = second.stop('SIGTERM');
    await waitFor(() => viewer.wasTold, { what: 'the viewer to be told' });
    expect(await wasReady).toBe(false);
    expect(viewer.isCut).toBe(false);
    expect((await nodes()).find(({ nodeID }) => nodeID === 'sfu-2')).toMatchObject({ draining: true });
    expect(await gone).toBe(0);
    await waitFor(() => viewer.isCut, { timeoutMs: 40_000, what: 'the viewer to notice' });
    expect(await stack.api.sessionBecomes(meetingID, sessionID, 'ended')).toMatchObject({ endReason: 'node_drained' });
    expect(await stack.api.playbackBecomes(meetingID, playback.playbackID, 'ended')).toBeDefined();
    await waitFor(async () => (await nodes()).length === 2, { what: 'its lease to be gone' });
    expect(started.filter(isAlive)).toEqual([]);
    expect(stillBound(ports)).toEqual([]);
    expect(await activeWithoutNode()).toEqual([]);
  });

  it('by SIGTERM with nothing on it: the process ends at once', async () => {
    // Its sixty seconds are longer than this test may take.
    const { started, ports } = heldBy(stack.sfu);
    expect(await stack.sfu.stop('SIGTERM')).toBe(0);
    expect([started.filter(isAlive), stillBound(ports)]).toEqual([[], []]);
    await waitFor(async () => (await nodes()).length === 1, { timeoutMs: 20_000, what: 'the lease to be gone' });
  }, 30_000);
});

/** Processes that a service has started, and ports that it and they have. */
function heldBy({ pid }: ServiceProcess): { started: number[]; ports: string[] } {
  return { started: descendants(pid).map(each => each.pid), ports: boundPortsOf(pid) };
}
