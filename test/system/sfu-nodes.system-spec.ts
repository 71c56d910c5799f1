/** @weight 0.3 for 65 s */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EncoderPublisher, sharedChromium, waitFor } from '@rtms/testing';
import pg from 'pg';
import type { Page } from 'playwright-core';
import type { Playback } from './harness/api-client.js';
import { boundPortsOf, stillBound } from './harness/bound-ports.js';
import { media, receivesMore, TestBrowser } from './harness/browser.js';
import { DashboardPage } from './harness/dashboard-page.js';
import { HlsPlayer } from './harness/hls-player.js';
import { descendants, isAlive } from './harness/processes.js';
import type { ServiceProcess } from './harness/service-process.js';
import { startStack, type Stack } from './harness/stack.js';
import { WhepViewer } from './harness/whep-viewer.js';

const run = promisify(execFile);

/** Two viewers of audio and video for each node, or four of audio. */
const small = { CONSUMERS_PER_WORKER: '4' };

/** Longer than a test may take. */
const longDrainSeconds = 1_800;
/** A test looks at things during the drain, for a second on a quiet machine. */
const shortDrainSeconds = 15;

describe('two SFU nodes', () => {
  let stack: Stack;
  let second: ServiceProcess;
  let encoder: EncoderPublisher | undefined;
  const viewers: WhepViewer[] = [];

  beforeAll(async () => {
    stack = await startStack({ env: { ...small, DRAIN_SECONDS: String(longDrainSeconds) } });
    second = await stack.addSfu('sfu-2', { ...small, DRAIN_SECONDS: String(shortDrainSeconds) });
    await waitFor(() => isKnown('sfu-2'), { everyMs: 100, what: 'the second node to be known' });
  });

  afterEach(async () => {
    for (const viewer of viewers.splice(0)) viewer.close();
    await encoder?.vanish();
  });

  afterAll(async () => {
    await stack?.close();
  });

  /** The administrator's program. */
  async function admin(...command: string[]): Promise<void> {
    const env = { ...process.env, RTMS_ADMIN_URL: stack.gateway.url, RTMS_ADMIN_TOKEN: stack.adminToken };
    await run(process.execPath, ['apps/gateway/dist/admin/cli/rtms-admin.js', ...command], { env });
  }

  /** Resolves once the gateway has the node's report. */
  async function drains(nodeID: string, action: 'drain' | 'undrain' = 'drain'): Promise<void> {
    await stack.admin.expect(200, 'POST', `/admin/v1/nodes/${nodeID}/${action}`);
    await waitFor(() => reports(nodeID, action === 'drain'), { everyMs: 200, what: `${nodeID} to ${action}` });
  }

  async function reports(nodeID: string, draining: boolean): Promise<boolean> {
    return (await nodes()).some(node => node.nodeID === nodeID && node.draining === draining);
  }

  async function nodes(): Promise<{ nodeID: string; draining: boolean; load: number }[]> {
    return (await stack.admin.expect(200, 'GET', '/admin/v1/nodes')).nodes;
  }

  async function isKnown(nodeID: string): Promise<boolean> {
    return (await nodes()).some(node => node.nodeID === nodeID);
  }

  async function isReady(service: ServiceProcess): Promise<boolean> {
    return (await fetch(`${service.url}/readyz`)).ok;
  }

  /** Active rows whose resource no living node has. */
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
  async function openShow(on: ServiceProcess, tracks = ['audio']): Promise<Show> {
    const meetingID = await stack.api.createRoom();
    const { sessionID, ingest } = await stack.api.openSession(meetingID, tracks);
    expect(ingest.url).toContain(on.url);
    encoder = await EncoderPublisher.publish({ ...ingest, video: tracks.includes('video') });
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    return { meetingID, sessionID, ingest, playback: await stack.api.openPlayback(meetingID, sessionID, ['audio']) };
  }

  /** Repeats the POST while the service asks for it, as encoders do. */
  async function publishAgain(ingest: Show['ingest'], tracks: { video?: boolean } = {}): Promise<EncoderPublisher> {
    const attempt = () =>
      EncoderPublisher.publish({ ...ingest, ...tracks }).catch((error: unknown) => {
        if (!String(error).includes('answered 503')) throw error;
        return undefined;
      });
    return waitFor(attempt, { everyMs: 200, what: 'the other node to take the publisher' });
  }

  async function watch(playback: Playback, events: boolean): Promise<WhepViewer> {
    const viewer = await WhepViewer.watch(playback, { events });
    viewers.push(viewer);
    return viewer;
  }

  /** Repeats the POST, as viewers do: the other node opens the playback a moment after the session. */
  async function watchAgain(viewer: WhepViewer, playback: Playback): Promise<void> {
    await waitFor(() => viewer.watch(playback, true).then(() => true), { everyMs: 200, what: 'the viewer to return' });
  }

  /** One more viewer in a browser, who sees moving pictures. */
  async function openViewer(browser: TestBrowser, { endpoint: url, token }: Playback): Promise<Page> {
    const page = await browser.openPage();
    await media(page, 'watchWithWhipWhep', { url, token });
    await seesAndHears(page);
    return page;
  }

  const seesAndHears = (page: Page) => receivesMore(page, { frames: 10, audioPackets: 10 });

  async function isEmpty(service: ServiceProcess): Promise<boolean> {
    const names = ['rtms_sfu_consumers', 'rtms_sfu_pipes', 'rtms_sfu_relayed_viewers'];
    const values = await Promise.all(names.map(name => service.metric(name)));
    return values.every(value => value === 0);
  }

  it('show a room to more viewers than one node can serve, also after the relay was killed', async () => {
    const browser = await TestBrowser.open();
    try {
      const meetingID = await stack.api.createRoom();
      const { sessionID, ingest } = await stack.api.openSession(meetingID);
      const publisher = await browser.openPage();
      await media(publisher, 'publishWithWhipWhep', { ...ingest, codec: 'video/VP8' });
      await stack.api.sessionBecomes(meetingID, sessionID, 'active');
      const playback = await stack.api.openPlayback(meetingID, sessionID);
      const [owner, relay] = ingest.url.startsWith(second.url) ? [second, stack.sfu] : [stack.sfu, second];
      const first = [await openViewer(browser, playback), await openViewer(browser, playback)];
      expect(await relay.metric('rtms_sfu_consumers')).toBe(0);
      const further = await openViewer(browser, playback);
      expect(await owner.metric('rtms_sfu_viewers')).toBe(3);
      expect(await relay.metric('rtms_sfu_relayed_viewers')).toBe(1);
      expect(await relay.metric('rtms_sfu_consumers')).toBe(2);
      expect(await owner.metric('rtms_sfu_pipes')).toBe(2);

      await relay.stop('SIGKILL');
      const hasNoticed = async () =>
        (await owner.metric('rtms_sfu_viewers')) < 3 && (await owner.metric('rtms_sfu_pipes')) < 1;
      await waitFor(hasNoticed, { everyMs: 100, what: 'the owner to notice the loss of the relay' });
      expect(await owner.metric('rtms_sfu_viewers')).toBe(2);
      await further.close();
      await relay.start();
      await openViewer(browser, playback);
      expect(await relay.metric('rtms_sfu_relayed_viewers')).toBe(1);
      for (const page of first) await seesAndHears(page);

      await media(publisher, 'stopAll');
      const areEmpty = async () => (await isEmpty(owner)) && (await isEmpty(relay));
      await waitFor(areEmpty, { everyMs: 100, what: 'nothing to be left on both nodes' });
      expect(await stack.api.playbackBecomes(meetingID, playback.playbackID, 'ended')).toBeDefined();
    } finally {
      await browser.close();
    }
  });

  it('are drained by an administrator in the dashboard, and take work again', async () => {
    const browser = await sharedChromium();
    try {
      const { adminEmail: email, adminPassword: password } = await stack.makeUsers();
      const administrator = await DashboardPage.open(browser, stack.gateway.url);
      await administrator.signIn({ email, password });
      await administrator.follow('Media nodes');
      await administrator.click('Drain sfu-1');
      await administrator.answer('Drain sfu-1?', 'Drain');
      await administrator.row('sfu-1').getByText('Draining', { exact: true }).waitFor();
      expect(await isReady(stack.sfu)).toBe(false);
      const session = await stack.api.openSession(await stack.api.createRoom(), ['video']);
      expect(session.ingest.url).toContain(second.url);

      await administrator.click('Let sfu-1 take work again');
      await administrator.row('sfu-1').getByText('Taking work', { exact: true }).waitFor();
      expect(await isReady(stack.sfu)).toBe(true);
    } finally {
      await browser.close();
    }
  });

  it('drain on command: viewers reconnect, and find publisher and playback on another node', async () => {
    await drains('sfu-2');
    const held = heldBy(stack.sfu);
    const { meetingID, sessionID, ingest, playback } = await openShow(stack.sfu);
    await drains('sfu-2', 'undrain');
    const listening = await Promise.all([1, 2, 3].map(() => watch(playback, true)));
    const silent = await watch(playback, false);
    const readiness: Promise<boolean>[] = [];
    for (const viewer of listening) viewer.onTold = () => readiness.push(isReady(stack.sfu));

    await admin('drain', 'sfu-1');
    await Promise.all(listening.map(viewer => viewer.told()));
    expect(await Promise.all(readiness)).toEqual([false, false, false]);
    expect([...listening, silent].some(viewer => viewer.isCut)).toBe(false);
    await waitFor(() => reports('sfu-1', true), { everyMs: 200, what: 'the gateway to know that sfu-1 drains' });
    const other = await stack.api.openSession(await stack.api.createRoom(), ['audio']);
    expect(other.ingest.url).toContain(second.url);

    await encoder?.vanish();
    await Promise.all(viewers.map(viewer => viewer.cut()));
    const place = async () => (await stack.api.session(meetingID, sessionID)).ingest.url;
    const isMoved = async () => (await place()).startsWith(second.url);
    await waitFor(isMoved, { everyMs: 100, what: 'the session to be on the other node' });
    expect(await stack.api.session(meetingID, sessionID)).toMatchObject({ state: 'pending' });
    // By its first address.
    encoder = await publishAgain(ingest, { video: false });
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    for (const viewer of viewers) await watchAgain(viewer, playback);
    const holdsNothingMore = (): boolean => {
      expect(heldBy(stack.sfu)).toEqual(held);
      return true;
    };
    await waitFor(holdsNothingMore, { everyMs: 100, what: 'the first node to hold what it held before' });
    expect(await activeWithoutNode()).toEqual([]);

    await admin('undrain', 'sfu-1');
    expect(await isReady(stack.sfu)).toBe(true);
    await stack.api.call('POST', '/v1/rooms', { action: 'end', meetingID });
    const isFree = async () => (await nodes()).every(({ load }) => load <= 0);
    await waitFor(isFree, { everyMs: 100, what: 'the places of the viewers to be free' });
  });

  it('drain by SIGTERM: when the time is over, publishers reconnect to another node, and nothing ends', async () => {
    await drains('sfu-1');
    const { meetingID, sessionID, ingest, playback } = await openShow(second, ['video', 'audio']);
    const { broadcastID, playbackUrl } = await stack.api.openBroadcast(meetingID, sessionID);
    await stack.api.broadcastBecomes(meetingID, broadcastID, 'active');
    await drains('sfu-1', 'undrain');
    const player = await HlsPlayer.open(playbackUrl);
    const viewer = await watch(playback, true);
    let wasReady: Promise<boolean> | undefined;
    viewer.onTold = () => {
      wasReady ??= isReady(second);
    };
    const { started, ports } = heldBy(second);
    expect([started.length > 0, ports.length > 1]).toEqual([true, true]);
    const gone = second.stop('SIGTERM');
    await viewer.told();
    expect(await wasReady).toBe(false);
    expect([viewer.isCut, (await stack.api.session(meetingID, sessionID)).state]).toEqual([false, 'active']);
    // Viewers may hear of it before the gateway does.
    await waitFor(() => reports('sfu-2', true), { everyMs: 200, what: 'the gateway to know that sfu-2 drains' });

    await encoder?.lost;
    await encoder?.vanish();
    await viewer.cut();
    encoder = await publishAgain({ ...ingest, url: ingest.url.replace(second.url, stack.sfu.url) });
    expect(await stack.api.sessionBecomes(meetingID, sessionID, 'active')).toMatchObject({ endReason: null });
    await watchAgain(viewer, { ...playback, endpoint: playback.endpoint.replace(second.url, stack.sfu.url) });
    await stack.api.broadcastBecomes(meetingID, broadcastID, 'active');
    await player.grows(2);
    expect(await player.discontinuities()).toBeGreaterThan(0);
    expect(await player.playlist()).not.toContain('#EXT-X-ENDLIST');

    expect(await gone).toBe(0);
    await waitFor(async () => !(await isKnown('sfu-2')), { everyMs: 100, what: 'its lease to be gone' });
    expect(started.filter(isAlive)).toEqual([]);
    expect(stillBound(ports)).toEqual([]);
    expect(await activeWithoutNode()).toEqual([]);
    await stack.api.call('POST', '/v1/rooms', { action: 'end', meetingID });
  });

  it('drain by SIGTERM with nothing on it: the process ends at once', async () => {
    const { started, ports } = heldBy(stack.sfu);
    expect(await stack.sfu.stop('SIGTERM')).toBe(0);
    expect([started.filter(isAlive), stillBound(ports)]).toEqual([[], []]);
    await waitFor(async () => !(await isKnown('sfu-1')), { everyMs: 100, what: 'the lease to be gone' });
  });
});

/** Processes that a service has started, and ports that it and they have. */
function heldBy({ pid }: ServiceProcess): { started: number[]; ports: string[] } {
  return { started: descendants(pid).map(each => each.pid), ports: boundPortsOf(pid) };
}
