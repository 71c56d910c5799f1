import type { Bus } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import {
  ingestQuestions,
  ServiceError,
  type CallEncoderRequest,
  type EncoderProtocol,
  type IngestAdmission,
  type IngestDiagnosis,
  type IngestProblem,
  type Nothing,
  type OpenedIngest,
  type OpenIngestRequest,
} from '@rtms/contracts';
import type { Ffmpeg } from '@rtms/ffmpeg';
import { messageOf, type Logger } from '@rtms/logging';
import type { IngestConfig } from './ingest.config.js';
import { EncoderStream, placesOf, type EncoderStreamParts } from './publishing/encoder-stream.js';
import type { Container } from './publishing/media-probe.js';
import { flvHeader, FlvWriter, hasKnownCodec } from './rtmp/flv.js';
import type { RtmpConnection, RtmpPublication } from './rtmp/rtmp-connection.js';
import { ConnectionLimits, RtmpServer } from './rtmp/rtmp-server.js';
import { SrtSessions } from './srt/srt-sessions.js';

const questionMs = 5_000;
const noticedWithinMs = 10_000;

export interface EncodersParts {
  config: IngestConfig;
  bus: Bus;
  ffmpeg: Ffmpeg;
  clock: Clock;
  logger: Logger;
  /** A draining node takes no new encoder. */
  isDraining: () => boolean;
  /** The number of encoders may have become smaller. */
  onEnd: () => void;
}

interface Encoder {
  protocol: EncoderProtocol;
  sessionID: string;
  stream: EncoderStream;
}

/** `hasBFrames`: once it is known. */
type Named = ({ sessionID: string } | { streamKey: string }) & { hasBFrames?: boolean };

/** The encoders of this node, and the ports at which they arrive. */
export class EncodersService {
  private readonly encoders = new Set<Encoder>();
  /** Stream keys whose encoder has just left. The timers forget them. */
  private readonly left = new Map<string, Timer>();
  /** Encoders about which the gateway is asked. */
  private arriving = 0;
  private readonly srt: SrtSessions | undefined;
  private readonly servers = new Map<EncoderProtocol, RtmpServer>();
  /** Why a port could not be opened. The node then serves the other protocols. */
  private readonly portProblems = new Map<EncoderProtocol, string>();
  readonly rtmpLimits: ConnectionLimits;
  readonly counts = { admitted: 0, refused: 0 };

  constructor(private readonly parts: EncodersParts) {
    const { config, clock } = parts;
    this.rtmpLimits = new ConnectionLimits(config.rtmpLimits);
    const srtOptions = { host: config.encoderHost, now: () => clock.now(), parts: (id: string) => this.srtParts(id) };
    this.srt = config.srt && new SrtSessions({ ...config.srt, ...srtOptions });
  }

  async start(): Promise<void> {
    const { config, clock, logger } = this.parts;
    const { encoderHost: host, rtmp, rtmps } = config;
    const open = async (protocol: 'rtmp' | 'rtmps', port: number, tls?: IngestConfig['rtmps']): Promise<void> => {
      const publish = (streamKey: string, connection: RtmpConnection) => this.publish(protocol, streamKey, connection);
      try {
        this.servers.set(protocol, await RtmpServer.open({ host, port, tls, clock, limits: this.rtmpLimits, publish }));
      } catch (error) {
        this.portProblems.set(protocol, messageOf(error));
        logger.error({ protocol, port }, `this node does not speak ${protocol}: ${messageOf(error)}`);
      }
    };
    if (rtmp) await open('rtmp', rtmp.port);
    if (rtmps) await open('rtmps', rtmps.port, rtmps);
  }

  get load(): number {
    return [...this.encoders].reduce((sum, { stream }) => sum + stream.places, this.arriving);
  }

  get isIdle(): boolean {
    return this.load === 0;
  }

  /** Places for SRT sessions: ports, and calls in place of ports. */
  get srtPlaces(): { used: number; all: number } {
    return this.srt?.places ?? { used: 0, all: 0 };
  }

  /** The ports of the protocols that the configuration wants. */
  ports(): IngestDiagnosis['ports'] {
    const { srt, rtmp, rtmps } = this.parts.config;
    const { used, all } = this.srtPlaces;
    const rtmpPort = (protocol: 'rtmp' | 'rtmps', wanted: number): IngestDiagnosis['ports'][number] => {
      const problem = this.portProblems.get(protocol);
      const port = this.servers.get(protocol)?.port ?? wanted;
      return { protocol, port, ok: problem === undefined, detail: problem ?? 'listens' };
    };
    return [
      ...(srt
        ? [{ protocol: 'srt', port: srt.firstPort, ok: used < all, detail: `${used} of ${all} ports in use` }]
        : []),
      ...(rtmp ? [rtmpPort('rtmp', rtmp.port)] : []),
      ...(rtmps ? [rtmpPort('rtmps', rtmps.port)] : []),
    ];
  }

  inventory(): { sessionID: string; protocol: EncoderProtocol; state: 'waiting' | 'publishing' }[] {
    const publishing = [...this.encoders].map(({ sessionID, protocol, stream }) => ({
      ...{ sessionID, protocol },
      state: stream.isPublishing ? ('publishing' as const) : ('waiting' as const),
    }));
    const known = new Set(publishing.map(({ sessionID }) => sessionID));
    const waiting = (this.srt?.links ?? []).filter(({ sessionID }) => !known.has(sessionID));
    return [
      ...publishing,
      ...waiting.map(({ sessionID }) => ({ sessionID, protocol: 'srt' as const, state: 'waiting' as const })),
    ];
  }

  /** Prepares the address of a session. Throws `controller_unavailable` when this node does not speak the protocol. */
  async open(request: OpenIngestRequest): Promise<OpenedIngest> {
    const { config } = this.parts;
    if (this.parts.isDraining()) throw new ServiceError('controller_unavailable', 'The node drains.');
    if (request.protocol === 'srt' && this.srt) return this.srt.open(request);
    const rtmp = request.protocol === 'srt' ? undefined : config[request.protocol];
    const server = this.servers.get(request.protocol);
    if (!rtmp || !server) {
      throw new ServiceError('controller_unavailable', `This node does not speak ${request.protocol}.`);
    }
    // Port 0 is any free one.
    return { port: rtmp.announcedPort || server.port };
  }

  /** Calls the encoder of a session by SRT, again and again. */
  async call(request: CallEncoderRequest): Promise<Nothing> {
    if (this.parts.isDraining()) throw new ServiceError('controller_unavailable', 'The node drains.');
    if (!this.srt) throw new ServiceError('controller_unavailable', 'This node does not speak srt.');
    await this.srt.call(request);
    return {};
  }

  /** Closes SRT sessions that the gateway does not know, and opens those that this node lost at a restart, or takes over. */
  async compare(): Promise<void> {
    const { srt } = this;
    if (!srt) return;
    const { bus, config, logger, isDraining } = this.parts;
    try {
      const problems = await srt.compare(isDraining(), held =>
        bus.request(ingestQuestions.compare, { nodeID: config.nodeID, ...held }, { deadlineMs: questionMs }),
      );
      for (const error of problems) logger.warn(`an SRT session is not open again: ${messageOf(error)}`);
    } catch (error) {
      logger.warn(`the SRT sessions could not be compared with the gateway's: ${messageOf(error)}`);
    }
  }

  /** Drops all encoders. Their sessions wait for them during the grace time. */
  async dropAll(): Promise<void> {
    for (const { stream } of this.encoders) stream.close();
    await Promise.all([...this.encoders].map(({ stream }) => stream.ended));
  }

  /** Safe to call twice. */
  async close(): Promise<void> {
    await this.srt?.close();
    await Promise.all([...this.servers.values()].map(server => server.close()));
    await this.dropAll();
    for (const timer of this.left.values()) timer.cancel();
  }

  private srtParts(sessionID: string) {
    return {
      ...this.parts,
      admit: (onDrain: () => void) => this.begin('srt', { sessionID }, 'nut', onDrain),
      report: (problem: IngestProblem) => void this.report(sessionID, problem),
    };
  }

  private async publish(
    protocol: 'rtmp' | 'rtmps',
    streamKey: string,
    connection: RtmpConnection,
  ): Promise<RtmpPublication> {
    let sessionID = '';
    const stream = await this.begin(
      protocol,
      { streamKey },
      'flv',
      () => connection.resume(),
      id => (sessionID = id),
    );
    const refuse = (problem: IngestProblem): void => {
      void this.report(sessionID, problem);
      connection.refuse('NetStream.Publish.Rejected', `The session refuses the media: ${problem}.`);
    };
    void connection.closed.then(() => stream.close());
    void stream.ended.then(({ problem }) => (problem ? refuse(problem) : connection.close()));
    stream.write(flvHeader);
    const flv = new FlvWriter();
    return {
      take: message => {
        if (hasKnownCodec(message)) return stream.write(flv.tag(message));
        stream.close('codec_unsupported');
        return true;
      },
    };
  }

  /** Asks the gateway whether the encoder may publish. Rejects with the reason when it may not. */
  private async begin(
    protocol: EncoderProtocol,
    named: Named,
    container: Container,
    onDrain: () => void,
    onSession: (sessionID: string) => void = () => undefined,
  ): Promise<EncoderStream> {
    const { config, ffmpeg, clock, logger, isDraining, onEnd } = this.parts;
    const isFull = this.load >= config.maxEncoders;
    if (isFull && 'sessionID' in named) void this.report(named.sessionID, 'capacity_reached');
    if (isFull || isDraining())
      throw new ServiceError('capacity_reached', 'The node takes no encoder now. Try again later.');
    this.arriving += 1;
    try {
      const isReturning = 'sessionID' in named || this.left.has(named.streamKey);
      const admission = await this.admit(protocol, named, isReturning);
      const { sessionID } = admission;
      onSession(sessionID);
      this.requirePlaces(admission);
      const renew: EncoderStreamParts['renew'] = media => this.admit(protocol, { ...named, ...media }, true);
      const stream = new EncoderStream({ ffmpeg, clock, logger, renew, onDrain }, container, admission, isReturning);
      const encoder = { protocol, sessionID, stream };
      this.encoders.add(encoder);
      this.counts.admitted += 1;
      logger.info({ sessionID, protocol }, 'an encoder has connected');
      void stream.ended.then(({ problem }) => {
        this.encoders.delete(encoder);
        if ('streamKey' in named) this.remember(named.streamKey);
        logger.info({ sessionID, protocol, problem }, 'an encoder has left');
        onEnd();
      });
      return stream;
    } catch (error) {
      this.counts.refused += 1;
      throw error;
    } finally {
      this.arriving -= 1;
      onEnd();
    }
  }

  /** One place is taken while the gateway is asked. */
  private requirePlaces(admission: IngestAdmission): void {
    if (this.load - 1 + placesOf(admission) <= this.parts.config.maxEncoders) return;
    void this.report(admission.sessionID, 'capacity_reached');
    throw new ServiceError('capacity_reached', 'The node has no place for smaller pictures now. Try again later.');
  }

  /** The SFU notices within these seconds that the encoder has left. Until then its return is no second publisher. */
  private remember(streamKey: string): void {
    this.left.get(streamKey)?.cancel();
    const timer = this.parts.clock.after(noticedWithinMs, () => this.left.delete(streamKey));
    this.left.set(streamKey, timer);
  }

  private admit(protocol: EncoderProtocol, named: Named, isRenewal: boolean): Promise<IngestAdmission> {
    const { bus, config } = this.parts;
    const question = { nodeID: config.nodeID, protocol, isRenewal, ...named };
    return bus.request(ingestQuestions.admit, question, { deadlineMs: questionMs });
  }

  private async report(sessionID: string, problem: IngestProblem): Promise<void> {
    const { bus, config, logger } = this.parts;
    logger.info({ sessionID, problem }, 'an encoder was refused');
    try {
      const report = { nodeID: config.nodeID, sessionID, problem };
      await bus.request(ingestQuestions.report, report, { deadlineMs: questionMs });
    } catch (error) {
      logger.warn({ sessionID, problem }, `the gateway does not know of a refused encoder: ${messageOf(error)}`);
    }
  }
}
