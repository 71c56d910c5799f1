/** @weight 0.3 for 55 s */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EncoderPublisher, waitFor } from '@rtms/testing';
import type { Broadcast } from './harness/api-client.js';
import { boundPortsOf, stillBound } from './harness/bound-ports.js';
import { firstProcessRefusal, ownProcessID } from './harness/first-process.js';
import { HlsPlayer } from './harness/hls-player.js';
import { descendants, isAlive } from './harness/processes.js';
import type { ServiceProcess } from './harness/service-process.js';
import { RoomSocket } from './harness/room-socket.js';
import { SlowRequest } from './harness/slow-request.js';
import { startStack, type Stack } from './harness/stack.js';

const run = promisify(execFile);
/** A busy machine needs some of it to see what a service does meanwhile. */
const drainSeconds = 10;

const refusal = firstProcessRefusal();

describe('draining services, each with the process id 1 as in its container', () => {
  let stack: Stack;
  let second: ServiceProcess;
  let encoder: EncoderPublisher | undefined;
  let meetingID: string;
  let sessionID: string;
  let broadcastID: string;

  beforeAll(async () => {
    if (refusal) process.stderr.write(`They run as ordinary processes, as no namespace can be had here: ${refusal}\n`);
    stack = await startStack({
      areFirstProcesses: refusal === undefined,
      env: {
        ...{ DRAIN_SECONDS: String(drainSeconds), GRACE_SECONDS: '120' },
        ...{ SEGMENT_SECONDS: '1', WINDOW_SEGMENTS: '6' },
      },
    });
    meetingID = await stack.api.createRoom();
    const session = await stack.api.openSession(meetingID);
    ({ sessionID } = session);
    encoder = await EncoderPublisher.publish(session.ingest);
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    ({ broadcastID } = await stack.api.openBroadcast(meetingID, sessionID));
    await stack.api.broadcastBecomes(meetingID, broadcastID, 'active');
    second = await stack.addTranscoder('transcoder-2');
  });

  afterAll(async () => {
    await encoder?.vanish();
    await stack?.close();
  });

  async function admin(...command: string[]): Promise<void> {
    const env = { ...process.env, RTMS_ADMIN_URL: stack.gateway.url, RTMS_ADMIN_TOKEN: stack.adminToken };
    await run(process.execPath, ['apps/gateway/dist/admin/cli/rtms-admin.js', ...command], { env });
  }

  const broadcast = (): Promise<Broadcast> => stack.api.broadcast(meetingID, broadcastID);

  async function readiness(service: ServiceProcess): Promise<string> {
    const answer = await fetch(`${service.url}/readyz`);
    return `${answer.status} ${((await answer.json()) as { error?: string }).error ?? ''}`;
  }

  it('a transcoder hands its broadcasts over on command, and players of the first address notice nothing', async () => {
    const player = await HlsPlayer.open((await broadcast()).playbackUrl);
    let old = '';
    const before = await player.newestSegment();
    await admin('drain', 'transcoder-1');
    expect(await readiness(stack.transcoder)).toMatch(/^503 .*draining/);
    const newest: number[] = [before];
    const playlists: string[] = [];
    await waitFor(
      async () => {
        playlists.push(await player.playlist());
        newest.push(await player.newestSegment());
        const newestUrl = (await player.segmentUrls()).at(-1) ?? '';
        const { state, playbackUrl } = await broadcast();
        // The last one before the move.
        if (!playbackUrl.includes(second.url)) old = newestUrl;
        return state === 'active' && playbackUrl.includes(second.url) && newest.at(-1)! > before + 5;
      },
      { everyMs: 250, what: 'the broadcast to go on at the other transcoder' },
    );
    const isServedByBoth = async () => {
      const urls = await player.segmentUrls();
      // A segment stays for 12 s. After a longer move the playlist no longer has it.
      const listed = urls.includes(old) ? old : (urls[0] ?? '');
      const addresses = [stack.transcoder, second].map(({ url }) => listed.replace(stack.transcoder.url, url));
      return (await Promise.all(addresses.map(url => fetch(url)))).every(({ ok }) => ok);
    };
    await waitFor(isServedByBoth, { everyMs: 250, what: 'an older segment at both addresses' });
    expect(newest).toEqual(newest.toSorted((a, b) => a - b));
    expect(playlists.filter(text => text.includes('#EXT-X-ENDLIST'))).toEqual([]);
  });

  it('a transcoder that gets SIGTERM finishes its recordings and leaves nothing behind, and another continues', async () => {
    await admin('undrain', 'transcoder-1');
    // The gateway places the recording by what the nodes have told it last.
    const takesWorkFirst = async () => {
      const { nodes } = await stack.admin.expect(200, 'GET', '/admin/v1/nodes');
      const [first, other] = ['transcoder-1', 'transcoder-2'].map(id => nodes.find(({ nodeID }) => nodeID === id));
      return first?.draining === false && other !== undefined && first.load < other.load;
    };
    await waitFor(takesWorkFirst, { what: 'the gateway to know that the first transcoder takes work, and has less' });
    const { recordingID } = await stack.api.startRecording(meetingID, { sourceSessionID: sessionID });
    await stack.api.recordingBecomes(recordingID, 'recording');
    const [{ pid }, started] = [stack.transcoder, descendants(stack.transcoder.pid)];
    expect(started.some(({ command }) => command.includes('ffmpeg'))).toBe(true);
    if (!refusal) expect(ownProcessID(pid)).toBe(1);
    expect(await stack.transcoder.stop('SIGTERM')).toBe(0);
    expect(await stack.api.recordingBecomes(recordingID, 'ready')).toMatchObject({ endReason: 'node_drained' });
    expect([pid, ...started.map(each => each.pid)].filter(isAlive)).toEqual([]);
    const finished = ['mp4', 'storyboard'].map(each => expect.stringMatching(`${recordingID}\\.${each}$`) as unknown);
    expect(filesIn(stack.mediaDir)).toEqual(finished);
    const next = await stack.api.recordingAfter(meetingID, recordingID);
    await stack.api.recordingBecomes(next.recordingID, 'recording');
    await stack.api.broadcastBecomes(meetingID, broadcastID, 'active');
  });

  it('the last transcoder keeps its broadcasts until the drain time is over, and the next one continues them', async () => {
    const { pid } = second;
    const ports = boundPortsOf(pid);
    const player = await HlsPlayer.open((await broadcast()).playbackUrl);
    const begun = Date.now();
    const gone = second.stop('SIGTERM');
    await waitFor(async () => (await readiness(second)).startsWith('503'), { everyMs: 50, what: 'it not to be ready' });
    const [refused, kept] = await Promise.all([
      stack.api.call('POST', `/v1/meetings/${meetingID}/broadcasts`, { sourceSessionID: sessionID }),
      broadcast(),
    ]);
    expect([refused.status, kept.state]).toEqual([503, 'active']);
    await stack.api.broadcastBecomes(meetingID, broadcastID, 'interrupted');
    expect(Date.now() - begun).toBeGreaterThan(drainSeconds * 900);
    expect(await player.playlist()).not.toContain('#EXT-X-ENDLIST');
    expect((await fetch((await player.segmentUrls())[0]!)).status).toBe(200);
    expect(await gone).toBe(0);
    expect([isAlive(pid), stillBound(ports)]).toEqual([false, []]);
    expect(filesIn(join(stack.folder, 'transcoder-2')).filter(path => !/\.(?:mp4|storyboard)$/.test(path))).toEqual([]);
    await stack.transcoder.start();
    expect(await stack.api.broadcastBecomes(meetingID, broadcastID, 'active')).toMatchObject({ broadcastID });
  });

  it('a gateway that gets SIGTERM still answers, then lets requests finish and closes sockets', async () => {
    const room = await stack.api.createRoom();
    const socket = await RoomSocket.open(await stack.api.join(room, 'Ada'));
    const slow = await SlowRequest.begin(stack.gateway.url, stack.api.credential);
    const { pid } = stack.gateway;
    const gone = stack.gateway.stop('SIGTERM');
    const isDraining = async () => (await readiness(stack.gateway)).includes('draining');
    await waitFor(isDraining, { everyMs: 50, what: 'it not to be ready' });
    expect(await stack.api.createRoom()).toBeDefined();
    expect(socket.isConnected).toBe(true);
    await socket.events.find(event => event === 'disconnect');
    await expect(fetch(stack.gateway.url)).rejects.toThrow('fetch failed');
    expect(await slow.finish()).toBe(201);
    expect(await gone).toBe(0);
    expect(isAlive(pid)).toBe(false);
    const connected = socket.events.next(event => event === 'connect');
    await stack.gateway.start();
    await connected;
    socket.close();
  });

  it('an SFU node that gets SIGTERM ends its resources and exits', async () => {
    const started = descendants(stack.sfu.pid);
    expect(await stack.sfu.stop('SIGTERM')).toBe(0);
    const ended = await stack.api.sessionBecomes(meetingID, sessionID, 'ended');
    expect(ended).toMatchObject({ endReason: 'node_drained' });
    expect(started.map(each => each.pid).filter(isAlive)).toEqual([]);
  });
});

/** Paths of all files below a folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));
}
