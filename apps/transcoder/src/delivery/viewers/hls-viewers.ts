import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { OnModuleDestroy } from '@nestjs/common';
import type { Clock, Timer } from '@rtms/clock';
import {
  faultOf,
  type HlsViewerMinute,
  type HlsViewerSample,
  type HlsViewerSamplesPage,
  type HlsViewerSamplesQuery,
  packHlsSample,
  sampledMs,
  sampleIntervalMs,
  transcoderCommands,
  type ViewerFault,
  viewerFaults,
} from '@rtms/contracts';
import { OnCommand, ViewerMinutes } from '@rtms/node';
import type { Presentation } from '../presentation/presentation.js';
import { type ClientData, readClientData } from './client-data.js';
import { type BroadcastEvidence, judgeHls } from './hls-verdict.js';

/** Viewers of the node at once, and their rows in a minute. A session is 200 bytes, and five minutes of a viewer are 2 kB. */
const mostViewers = 5_000;
/**
 * An account gets a new place while it has less than this share of the free places: alone it gets 1,000. So some accounts together do not
 * keep out another one.
 */
const accountShare = 1 / 4;
/**
 * A session keeps its place until its last row is of an earlier minute. So the places bound the rows too, also of players that change
 * their session ID.
 */
const silentAfterMs = sampledMs + sampleIntervalMs;
/** A player reports its stall with its next segment, after the trouble. */
const troublePeriodMs = 2 * sampleIntervalMs;
/** A player with less than this share of its usual buffer is about to stall. */
const shrunkShare = 0.5;
/** The usual buffer falls by this factor in ten seconds. */
const fadingShare = 0.9;
const noTroubles = { lostMs: 0, movedMs: 0, lateMs: 0 };

/** The data of a player since the last sample. */
interface Interval {
  bufferMs: number | null;
  stalls: number;
  throughput: number | null;
  bitrate: number | null;
}

interface Session {
  viewerID: string;
  /** Its place is one of this account. */
  accountID: string;
  /** The newest of its broadcast. */
  presentation: Presentation;
  seenAt: number;
  /** The player has filled its buffer once. Before, an empty buffer says nothing. */
  hasStarted: boolean;
  /** The player's address as of its first request; undefined: another node asked for it. Only counts networks. */
  network: string | undefined;
  /** undefined: never. */
  stalledAt: number | undefined;
  /** ms in its buffer before the interval. */
  usualBufferMs: number;
  /** undefined: no request since the last sample. */
  interval: Interval | undefined;
}

/** A session with requests since the last sample. */
type MeasuredSession = Session & { interval: Interval };

/** undefined: unknown. */
export type NetworkOf = () => string | undefined;

/**
 * Samples of the HLS viewers of this node's broadcasts, by the data that their players send (CMCD), every 10 s, for the last five minutes.
 * Stores no address and no session ID of a player.
 */
export class HlsViewers implements OnModuleDestroy {
  private readonly minutes: ViewerMinutes<HlsViewerMinute>;
  /** By broadcast, then by the player's session ID. */
  private readonly sessions = new Map<string, Map<string, Session>>();
  /** Sessions by account. The empty key has the sum. */
  private readonly places = new Map<string, number>();
  private readonly timer: Timer;
  /** Samples since the start, by verdict. */
  readonly verdicts = Object.fromEntries(viewerFaults.map(fault => [fault, 0])) as Record<ViewerFault, number>;
  stalls = 0;

  constructor(private readonly clock: Clock) {
    this.minutes = new ViewerMinutes(clock);
    this.timer = clock.every(sampleIntervalMs, () => this.sample());
  }

  /** Reads the client data of an allowed request, if it has any. `network` returns the name under which the player's address is counted. */
  note(presentation: Presentation, query: string, headers: IncomingHttpHeaders, network: NetworkOf): void {
    // Otherwise the node that continues the broadcast counts the viewer.
    if (presentation.isHandedOver) return;
    const data = readClientData(query, headers);
    const session = data && this.sessionOf(presentation, data.sessionID, network);
    if (data && session) this.add(session, data);
  }

  @OnCommand(transcoderCommands.readViewerSamples)
  read({ broadcastID, afterViewer = '', viewers = 0, after = '' }: HlsViewerSamplesQuery): HlsViewerSamplesPage {
    if (broadcastID === undefined) return this.minutes.complete(after);
    return { minutes: this.minutes.of(broadcastID, afterViewer, viewers), isLast: true };
  }

  onModuleDestroy(): void {
    this.timer.cancel();
  }

  /** Returns undefined for a new session without a free place. */
  private sessionOf(presentation: Presentation, sessionID: string, network: NetworkOf): Session | undefined {
    const { broadcastID } = presentation;
    const known = this.sessions.get(broadcastID)?.get(sessionID);
    if (known) {
      known.presentation = presentation;
      return known;
    }
    const accountID = accountOf(presentation);
    if (!this.hasPlace(accountID)) return undefined;
    this.countPlace(accountID, 1);
    const viewerID = viewerIDOf(broadcastID, sessionID);
    const begun = { seenAt: 0, hasStarted: false, stalledAt: undefined, usualBufferMs: 0, interval: undefined };
    const session: Session = { viewerID, accountID, presentation, network: network(), ...begun };
    const ofBroadcast = this.sessions.get(broadcastID) ?? new Map<string, Session>();
    this.sessions.set(broadcastID, ofBroadcast.set(sessionID, session));
    return session;
  }

  private add(session: Session, data: ClientData): void {
    session.seenAt = this.clock.now();
    const interval = (session.interval ??= { bufferMs: null, stalls: 0, throughput: null, bitrate: null });
    const { bufferMs, throughput } = data;
    if (bufferMs !== undefined && !data.isFilling) session.hasStarted = true;
    if (bufferMs !== undefined && session.hasStarted)
      interval.bufferMs = Math.min(interval.bufferMs ?? bufferMs, bufferMs);
    if (throughput !== undefined) interval.throughput = throughput;
    if (!data.isAudio) addVideo(session, interval, data);
  }

  private sample(): void {
    const at = this.clock.now();
    this.minutes.prune();
    for (const [broadcastID, sessions] of this.sessions) {
      const measured = [...sessions.values()].filter((session): session is MeasuredSession => !!session.interval);
      const evidence = evidenceOf(measured, at);
      for (const { viewerID, presentation, interval } of measured) {
        if (evidence) this.store(presentation, viewerID, { at, ...interval, ...judgeHls(interval, evidence) });
      }
      this.forgetSilent(broadcastID, sessions, at);
    }
  }

  private store(presentation: Presentation, viewerID: string, sample: HlsViewerSample): void {
    this.verdicts[faultOf(sample)] += 1;
    this.stalls += sample.stalls;
    const { broadcastID } = presentation;
    const minute = Math.floor(sample.at / sampledMs) * sampledMs;
    this.minutes.add(broadcastID, { broadcastID, viewerID, minute, samples: [] }, packHlsSample(sample, minute));
  }

  /** Begins the next interval. */
  private forgetSilent(broadcastID: string, sessions: Map<string, Session>, at: number): void {
    for (const [sessionID, session] of sessions) {
      session.usualBufferMs = Math.max(session.interval?.bufferMs ?? 0, session.usualBufferMs * fadingShare);
      session.interval = undefined;
      if (at - session.seenAt < silentAfterMs) continue;
      sessions.delete(sessionID);
      this.countPlace(session.accountID, -1);
    }
    if (sessions.size === 0) this.sessions.delete(broadcastID);
  }

  private hasPlace(accountID: string): boolean {
    const free = mostViewers - (this.places.get('') ?? 0);
    return (this.places.get(accountID) ?? 0) < accountShare * free;
  }

  private countPlace(accountID: string, change: number): void {
    for (const key of [accountID, '']) {
      const left = (this.places.get(key) ?? 0) + change;
      if (left > 0) this.places.set(key, left);
      else this.places.delete(key);
    }
  }
}

function addVideo(session: Session, interval: Interval, { bitrate, hasStalled }: ClientData): void {
  if (bitrate !== undefined) interval.bitrate = bitrate;
  if (!hasStalled) return;
  interval.stalls += 1;
  session.stalledAt = session.seenAt;
}

function accountOf({ options: { accountID }, broadcastID }: Presentation): string {
  return accountID ?? broadcastID;
}

/**
 * Only a hash of a session ID leaves this file, because a player may put the name of its viewer into it. Two broadcasts give the same
 * session ID two identifiers.
 */
function viewerIDOf(broadcastID: string, sessionID: string): string {
  const hash = createHash('sha256').update(`${broadcastID} ${sessionID}`).digest('base64url');
  return `vwr_${hash.slice(0, 22)}`;
}

function evidenceOf(measured: readonly MeasuredSession[], at: number): BroadcastEvidence | undefined {
  const presentation = measured.at(-1)?.presentation;
  if (!presentation) return undefined;
  const { pace, ended } = presentation;
  const troubles = ended ? noTroubles : pace.troubles(troublePeriodMs);
  const bitrates = presentation.renditions().map(({ videoBitrate, audioBitrate }) => videoBitrate + audioBitrate);
  const lowestBitrate = Math.min(...bitrates, bitrates[0] ?? 0);
  return { ...troubles, lostShare: pace.lostShare, lowestBitrate, ...commonTroubles(measured, lowestBitrate, at) };
}

/** Counts fast players, and the networks of the others: the uplink of this node slows players of all networks. */
function commonTroubles(
  players: readonly MeasuredSession[],
  lowestBitrate: number,
  at: number,
): Pick<BroadcastEvidence, 'measured' | 'troubled'> {
  const measured = new Set<string>();
  const troubled = new Set<string>();
  for (const player of players) {
    const isFast = (player.interval.throughput ?? lowestBitrate) >= lowestBitrate;
    const counted = isFast ? player.viewerID : (player.network ?? 'unknown');
    measured.add(counted);
    if (isTroubled(player, at)) troubled.add(counted);
  }
  return { measured: measured.size, troubled: troubled.size };
}

/** A player has stalled lately, or will soon. */
function isTroubled({ stalledAt, usualBufferMs, interval }: MeasuredSession, at: number): boolean {
  if (stalledAt !== undefined && at - stalledAt <= troublePeriodMs) return true;
  return (interval.bufferMs ?? usualBufferMs) < usualBufferMs * shrunkShare;
}
