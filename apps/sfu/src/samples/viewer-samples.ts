import type { Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import {
  faultOf,
  packSample,
  sampledMs,
  sampleIntervalMs,
  type NodeMeasurement,
  type ViewerFault,
  viewerFaults,
  type ViewerMinute,
  type ViewerSample,
  type ViewerSamplesPage,
  type ViewerSamplesQuery,
} from '@rtms/contracts';
import { messageOf, type Logger } from '@rtms/logging';
import { ViewerMinutes } from '@rtms/node';
import type { ViewerTransport } from '../media/media-engine.js';
import { readAll } from '../media/media-statistics.js';
import type { Playback } from '../rooms/playback.js';
import type { Session, SourceArrival } from '../rooms/session.js';
import type { Viewer } from '../rooms/viewer.js';
import { type Interval, legsOf, sampleOfLegs } from './viewer-legs.js';
import { isTroubled, judge, type Legs, type NodeLeg } from './verdict.js';

/** Five minutes of a viewer need about 4 kB in this process, and a measurement takes 0.2 ms of a core. */
const mostSampled = { node: 5_000, account: 1_000 };

interface WatchedViewer extends Pick<Viewer, 'viewerID' | 'wasConnected'> {
  peer: { transport: Pick<ViewerTransport, 'measure'> };
}

export interface WatchedPlayback extends Pick<Playback, 'playbackID' | 'accountID' | 'kinds'> {
  source: Pick<Session, 'sessionID' | 'arrival'>;
  listViewers(): readonly WatchedViewer[];
}

interface Watched {
  playback: WatchedPlayback;
  viewer: WatchedViewer;
}

interface Reading extends Watched {
  now: Interval['now'];
}

interface Measured extends Watched {
  interval: Interval;
  /** With an idle node. */
  legs: Legs;
}

/** See `NodeLeg.networks`. */
type Networks = Record<keyof NodeLeg['networks'], Set<string>>;

/** Samples of the viewers of this node's rooms, every 10 s, for the last five minutes, with a verdict on each. */
export class ViewerSamples implements Closeable {
  private readonly minutes: ViewerMinutes<ViewerMinute>;
  /** The last reading of each viewer. */
  private former = new Map<string, Reading>();
  private readonly timer: Timer;
  private sampling: Promise<void> | undefined;
  /** Samples since the start, by verdict. */
  readonly verdicts = Object.fromEntries(viewerFaults.map(fault => [fault, 0])) as Record<ViewerFault, number>;
  /** Estimated frozen time of all samples. */
  frozenMs = 0;

  constructor(
    private readonly node: { playbacks(): readonly WatchedPlayback[] },
    private readonly meter: { current(): NodeMeasurement },
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.minutes = new ViewerMinutes(clock);
    this.timer = clock.every(sampleIntervalMs, () => void this.sample());
  }

  read({ playbackID, afterViewer = '', viewers = 0, after = '' }: ViewerSamplesQuery): ViewerSamplesPage {
    if (playbackID === undefined) return this.minutes.complete(after);
    return { minutes: this.minutes.of(playbackID, afterViewer, viewers), isLast: true };
  }

  async close(): Promise<void> {
    this.timer.cancel();
    await this.sampling;
  }

  /** Skips a turn while the media workers have not answered the turn before. */
  private sample(): Promise<void> {
    this.sampling ??= this.sampleAll(this.clock.now())
      .catch((error: unknown) => this.logger.warn({ err: error }, 'cannot sample the viewers'))
      .finally(() => (this.sampling = undefined));
    return this.sampling;
  }

  private async sampleAll(at: number): Promise<void> {
    this.minutes.prune();
    const readings = (await this.readViewers(at)).map(reading => this.formerIfRepeated(reading));
    const node = this.meter.current();
    const measured = readings.flatMap(({ now, ...watched }): Measured[] => {
      const former = this.former.get(watched.viewer.viewerID)?.now;
      if (former === now || former?.viewer.trackID !== now.viewer.trackID) return [];
      const interval = { former, now };
      return [{ ...watched, interval, legs: legsOf(interval) }];
    });
    const networks = networksOf(measured);
    for (const { playback, viewer, interval, legs } of measured) {
      const leg = nodeLeg(interval, node, networks.get(nodeOf(interval)) ?? legs.node.networks);
      this.add(playback.playbackID, viewer.viewerID, sampleOfLegs(interval, legs, judge({ ...legs, node: leg })));
    }
    this.former = new Map(readings.map(reading => [reading.viewer.viewerID, reading]));
  }

  private async readViewers(at: number): Promise<Reading[]> {
    const sources = new Map<string, Promise<SourceArrival | undefined>>();
    const readings: Reading[] = [];
    await readAll(this.watched(), async ({ playback, viewer }) => {
      try {
        const { source, kinds } = playback;
        const kind = kinds.includes('video') ? 'video' : 'audio';
        const place = `${source.sessionID} ${kind}`;
        const arriving = sources.get(place) ?? source.arrival(kind);
        sources.set(place, arriving);
        const [arrival, measured] = await Promise.all([arriving, viewer.peer.transport.measure()]);
        if (measured) readings.push({ playback, viewer, now: { at, source: arrival, viewer: measured } });
      } catch (error) {
        const { viewerID } = viewer;
        this.logger.debug({ viewerID, message: messageOf(error) }, 'cannot measure a viewer');
      }
    });
    return readings;
  }

  /** One answer of a relay may serve two turns. The first one counts, because the source has moved on since. */
  private formerIfRepeated(reading: Reading): Reading {
    const former = this.former.get(reading.viewer.viewerID);
    const node = reading.now.viewer.relay?.node;
    return former && node && former.now.viewer.relay?.node === node ? former : reading;
  }

  /** The viewers that have been connected, up to the limits. */
  private watched(): Watched[] {
    const ofAccount = new Map<string, number>();
    const watched: Watched[] = [];
    for (const playback of this.node.playbacks()) {
      for (const viewer of playback.listViewers()) {
        const count = ofAccount.get(playback.accountID) ?? 0;
        if (watched.length >= mostSampled.node) return watched;
        if (count >= mostSampled.account) break;
        if (!viewer.wasConnected) continue;
        ofAccount.set(playback.accountID, count + 1);
        watched.push({ playback, viewer });
      }
    }
    return watched;
  }

  private add(playbackID: string, viewerID: string, sample: ViewerSample): void {
    this.verdicts[faultOf(sample)] += 1;
    this.frozenMs += sample.frozenMs;
    const minute = Math.floor(sample.at / sampledMs) * sampledMs;
    this.minutes.add(playbackID, { playbackID, viewerID, minute, samples: [] }, packSample(sample, minute));
  }
}

/** The node that serves the viewer; empty: this node. */
function nodeOf({ now }: Interval): string {
  return now.viewer.relay?.nodeID ?? '';
}

/** The numbers of networks of each node. */
function networksOf(measured: readonly Measured[]): Map<string, NodeLeg['networks']> {
  const nodes = new Map<string, Networks>();
  for (const { interval, legs } of measured) {
    const of = nodes.get(nodeOf(interval)) ?? { measured: new Set(), troubled: new Set(), unexplained: new Set() };
    nodes.set(nodeOf(interval), of);
    const { network } = interval.now.viewer;
    of.measured.add(network);
    if (isTroubled(legs.viewer)) of.troubled.add(network);
    if (faultOf(judge(legs)) === 'viewer_network') of.unexplained.add(network);
  }
  const sizesOf = ({ measured: all, troubled, unexplained }: Networks): NodeLeg['networks'] => ({
    ...{ measured: all.size, troubled: troubled.size, unexplained: unexplained.size },
  });
  return new Map([...nodes].map(([nodeID, of]) => [nodeID, sizesOf(of)]));
}

/** A relayed viewer depends on two nodes. The worse one counts. */
function nodeLeg({ now: { viewer } }: Interval, own: NodeMeasurement, networks: NodeLeg['networks']): NodeLeg {
  const nodes = viewer.relay ? [own, viewer.relay.node] : [own];
  return {
    workerUsage: viewer.workerUsage,
    lagMs: Math.max(...nodes.map(({ lagMs }) => lagMs)),
    refusedShare: Math.max(...nodes.map(({ refusedShare }) => refusedShare ?? 0)),
    networks,
  };
}
