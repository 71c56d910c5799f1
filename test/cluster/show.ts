import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '@rtms/testing';
import { HlsPlayer } from '../system/harness/hls-player.js';
import type { Cluster } from './cluster.js';
import type { Fault } from './faults.js';
import { GapMeter } from './gap-meter.js';
import { ReturningViewer, type ViewerOptions } from './returning-viewer.js';

/** With segments of a second, a longer pause between two is an interruption. */
const segmentGapMs = 2_500;
const steadyMs = 3_000;
const playlistEveryMs = 200;

/** Interruptions that a fault caused, in ms. */
export interface Losses {
  /** From the fault until viewers, HLS and recording continue. */
  recovery: number;
  picture: number;
  hls: number;
  recording: number;
}

/** A room with a publisher, a viewer, an HLS player and a recording. Publisher and players connect again by themselves. */
export class Show {
  private readonly segments = new GapMeter(segmentGapMs);
  private newest = 0;
  private timer: NodeJS.Timeout | undefined;
  private recordingFrom = 0;

  private constructor(
    private readonly cluster: Cluster,
    readonly meetingID: string,
    readonly sessionID: string,
    private readonly publisher: ChildProcess,
    private readonly viewer: ReturningViewer,
    private readonly player: HlsPlayer,
  ) {}

  /** `clip`: the file that the project's own publisher sends. */
  static async open(cluster: Cluster, clip: string, viewing: ViewerOptions): Promise<Show> {
    const { api } = cluster.account;
    const meetingID = await api.createRoom();
    const { sessionID, ingest } = await api.openSession(meetingID);
    const log = createWriteStream(join(cluster.folder, 'publisher.log'), { flags: 'a' });
    const command = [process.execPath, 'tools/rtms/rtms.mjs', 'publish', clip, '--url', ingest.url];
    const publisher = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
      env: { ...process.env, WHIP_TOKEN: ingest.token },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    publisher.stdout.pipe(log, { end: false });
    publisher.stderr.pipe(log, { end: false });
    publisher.once('close', () => log.end());
    try {
      return await Show.begin(cluster, { meetingID, sessionID, viewing }, publisher);
    } catch (error) {
      publisher.kill('SIGKILL');
      throw error;
    }
  }

  private static async begin(
    cluster: Cluster,
    { meetingID, sessionID, viewing }: { meetingID: string; sessionID: string; viewing: ViewerOptions },
    publisher: ChildProcess,
  ): Promise<Show> {
    const { api } = cluster.account;
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const viewer = new ReturningViewer(await api.openAdaptivePlayback(meetingID, sessionID), viewing);
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    const { recordingID } = await api.startRecording(meetingID, { sourceSessionID: sessionID });
    const { playbackUrl } = await api.broadcastBecomes(meetingID, broadcastID, 'active');
    await api.recordingBecomes(recordingID, 'recording');
    const show = new Show(cluster, meetingID, sessionID, publisher, viewer, await HlsPlayer.open(playbackUrl));
    show.recordingFrom = Date.now();
    show.timer = setInterval(() => void show.readPlaylist(), playlistEveryMs);
    await waitFor(() => show.isSteady, { what: 'pictures and segments' });
    return show;
  }

  /** The node that has the room, and the node that has the broadcast and the recording. */
  async places(): Promise<{ owner: string; encoder: string }> {
    const nodeOf = async (table: string): Promise<string> => {
      const rows = await this.cluster.query(`SELECT node_id FROM ${table} WHERE meeting_id = $1`, [this.meetingID]);
      return String(rows[0]?.['node_id']);
    };
    return { owner: await nodeOf('external_sessions'), encoder: await nodeOf('broadcasts') };
  }

  async suffers({ begin, showsWithinMs }: Fault, withinMs: number): Promise<number> {
    this.segments.reset();
    this.viewer.pictures.reset();
    const at = Date.now();
    await begin();
    await pause(showsWithinMs);
    await waitFor(() => this.isSteady, { timeoutMs: withinMs, everyMs: 100, what: 'pictures and segments' });
    return at;
  }

  /** Ends the show, and returns what was lost since the fault. `endsRecording`: the fault may end the recording. */
  async end(faultAt: number, endsRecording: boolean): Promise<Losses> {
    const { api } = this.cluster.account;
    const [pictures, segments] = [this.viewer.pictures.result, this.segments.result];
    const recordings = await api.recordingsOf(this.meetingID);
    const running = recordings.find(({ state }) => state === 'recording');
    if (!running && !endsRecording) throw new Error('no recording runs after the fault');
    const until = Date.now();
    if (running) await api.stopRecording(running.recordingID);
    for (const { recordingID } of recordings) await api.recordingBecomes(recordingID, 'ready');
    const recorded = (await api.recordingsOf(this.meetingID)).reduce((sum, each) => sum + each.durationSeconds, 0);
    const ends = [
      ...(pictures.longestMs > 1_000 ? [pictures.endedAt] : []),
      ...(segments.longestMs > segmentGapMs ? [segments.endedAt] : []),
    ];
    return {
      recovery: Math.max(0, Math.max(faultAt, ...ends) - faultAt),
      picture: pictures.longestMs,
      hls: segments.longestMs,
      recording: Math.max(0, until - this.recordingFrom - recorded * 1_000),
    };
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.viewer.close();
    if (this.publisher.exitCode === null && this.publisher.signalCode === null) {
      const gone = once(this.publisher, 'close');
      this.publisher.kill('SIGINT');
      await gone;
    }
    const end = { action: 'end', meetingID: this.meetingID };
    await this.cluster.account.api.call('POST', '/v1/rooms', end);
  }

  private get isSteady(): boolean {
    return this.viewer.pictures.steadyMs > steadyMs && this.segments.steadyMs > steadyMs;
  }

  private async readPlaylist(): Promise<void> {
    const newest = await this.player.newestSegment().catch(() => 0);
    if (newest <= this.newest) return;
    this.newest = newest;
    this.segments.note();
  }
}
