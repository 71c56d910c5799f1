import type { PictureSize } from '@rtms/bitstream';
import type { Requester } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import {
  codecNames,
  ServiceError,
  sfuCommands,
  type CodecName,
  type FeedDestination,
  type FeedTrack,
  type MediaKind,
  type SourceView,
} from '@rtms/contracts';
import { createDepacketizer } from './depacketizer.js';
import type { EncodedFrame } from './frame-assembler.js';
import { RtpReceiver } from './rtp-receiver.js';
import { Timeline } from './timeline.js';

/** A frame with its time on the feed's timeline. */
export interface TimedFrame extends EncodedFrame {
  /** ms since 1970 by this machine's clock. */
  timeMs: number;
}

/** A video keyframe, at which decoding can start. */
export interface Keyframe extends TimedFrame {
  size: PictureSize;
}

export function isKeyframe(frame: TimedFrame): frame is Keyframe {
  return frame.size !== undefined;
}

export interface FeedRequest {
  /** Names the feed on the SFU node. */
  feedID: string;
  /** An external session, a room's member or a broadcast of this node. */
  sourceID: string;
  sfuNodeID: string;
  tracks: readonly MediaKind[];
  /** Of a member. Absent: its most important tracks. */
  view?: SourceView;
}

export interface FeedAddress {
  /** The address at which this node receives RTP. */
  listenIP: string;
  /** The address that SFU nodes send to. It differs from `listenIP` if that is a wildcard. */
  announcedIP: string;
}

/** The demands of a job on the source's media. */
export interface FeedNeeds {
  decodes(codec: CodecName): boolean;
  /** The job cannot work without a picture. */
  needsVideo: boolean;
}

/** A source's media on its way to a job. */
export interface Feed {
  readonly codecs: FeedCodecs;
  /** The sender's own time of an instant, ms since 1970, if its reports tell it. */
  senderTimeOf(timeMs: number): number;
  requestKeyframe(): void;
  close(): Promise<void>;
}

/** Opens a feed; `SourceFeed.opener` returns one, and says when it throws. */
export type OpenFeed = (
  bus: Requester,
  request: FeedRequest,
  needs: FeedNeeds,
  listener: FeedListener,
) => Promise<Feed>;

export interface FeedListener {
  onFrame(frame: TimedFrame): void;
  /** Packets were lost: pictures are wrong until the next keyframe. */
  onDamage(): void;
  /** A packet of the video has come, and `lostBefore` packets before it have not. */
  onVideoPacket?(lostBefore: number): void;
}

type VideoCodec = Exclude<CodecName, 'opus'>;

/** Codecs of the source, from the SFU node's reply. */
export interface FeedCodecs {
  video?: { codec: VideoCodec };
  /** `aacSetup`: the AudioSpecificConfig of AAC. Absent: Opus. */
  audio?: { channels: number; aacSetup?: Buffer };
}

/** Adds an audio track to a broadcast that requests audio but receives none: players cannot add a track later. */
export function withSound(codecs: FeedCodecs, tracks: readonly MediaKind[]): FeedCodecs {
  return tracks.includes('audio') ? { audio: { channels: 2 }, ...codecs } : codecs;
}

/** A source's media, which an SFU node sends to this node as plain RTP. */
export class SourceFeed implements Feed {
  private readonly timeline = new Timeline();
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly bus: Requester,
    private readonly request: FeedRequest,
    private readonly receivers: ReadonlyMap<MediaKind, RtpReceiver>,
    private readonly destinations: FeedDestination[],
    readonly codecs: FeedCodecs,
  ) {}

  /**
   * Returns a function that opens ports and asks the SFU node to send to them. The function throws ServiceError
   * `source_has_no_video` or `source_codec_unsupported`; after any failure nothing stays open.
   */
  static opener(address: FeedAddress, clock: Clock): OpenFeed {
    return (bus, request, needs, listener) => SourceFeed.open(bus, request, { ...address, ...needs, clock }, listener);
  }

  private static async open(
    bus: Requester,
    request: FeedRequest,
    options: FeedAddress & FeedNeeds & { clock: Clock },
    listener: FeedListener,
  ): Promise<SourceFeed> {
    const receivers = new Map<MediaKind, RtpReceiver>();
    let destinations: FeedDestination[] = [];
    try {
      for (const kind of request.tracks) receivers.set(kind, await RtpReceiver.open(options.listenIP, options.clock));
      destinations = destinationsOf(receivers, options.announcedIP);
      const tracks = await openFeed(bus, request, destinations);
      const feed = new SourceFeed(bus, request, receivers, destinations, codecsOf(tracks, options));
      for (const track of tracks) feed.receive(track, listener);
      return feed;
    } catch (error) {
      await Promise.all([...receivers.values()].map(receiver => receiver.close()));
      await closeFeed(bus, request, destinations);
      throw error;
    }
  }

  senderTimeOf(timeMs: number): number {
    return this.timeline.senderTimeOf(timeMs);
  }

  /** Does not wait and never fails: a lost node cannot send a keyframe. */
  requestKeyframe(): void {
    const { sourceID, sfuNodeID, view } = this.request;
    const request = { sourceID, ...(view && { view }) };
    this.bus.request(sfuCommands.requestKeyframe.forNode(sfuNodeID), request).catch(() => undefined);
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    await closeFeed(this.bus, this.request, this.destinations);
    await Promise.all([...this.receivers.values()].map(receiver => receiver.close()));
  }

  private receive(track: FeedTrack, listener: FeedListener): void {
    const depacketizer = createDepacketizer(codecOf(track), track.parameters);
    this.timeline.addTrack(track.kind, track.clockRate);
    this.receivers.get(track.kind)?.listen(track.ssrc, {
      onSenderReport: report => this.timeline.onSenderReport(track.kind, report),
      onPacket: packet => {
        if (track.kind === 'video') listener.onVideoPacket?.(packet.lostBefore);
        const { frames, damaged } = depacketizer.push(packet);
        for (const frame of frames) listener.onFrame({ ...frame, timeMs: this.timeOf(frame) });
        if (damaged) listener.onDamage();
      },
    });
  }

  private timeOf({ kind, rtpTimestamp, receivedAt }: EncodedFrame): number {
    return this.timeline.timeOf(kind, rtpTimestamp, receivedAt);
  }
}

function destinationsOf(receivers: ReadonlyMap<MediaKind, RtpReceiver>, ip: string): FeedDestination[] {
  return [...receivers].map(([kind, { rtpPort, rtcpPort }]) => ({ kind, ip, rtpPort, rtcpPort }));
}

async function openFeed(
  bus: Requester,
  { feedID, sourceID, sfuNodeID, view }: FeedRequest,
  destinations: FeedDestination[],
): Promise<FeedTrack[]> {
  const request = { feedID, sourceID, destinations, ...(view && { view }) };
  const { tracks } = await bus.request(sfuCommands.openFeed.forNode(sfuNodeID), request);
  return tracks;
}

/** Ignores failures, because the SFU node may be lost. `destinations` protect a feed that another node has renewed. */
async function closeFeed(
  bus: Requester,
  { feedID, sfuNodeID }: FeedRequest,
  destinations: FeedDestination[],
): Promise<void> {
  const command = sfuCommands.closeFeed.forNode(sfuNodeID);
  await bus.request(command, { feedID, destinations }, { deadlineMs: 1000 }).catch(() => undefined);
}

function codecsOf(tracks: readonly FeedTrack[], options: FeedNeeds): FeedCodecs {
  for (const track of tracks) requireDecodable(track, options);
  const video = tracks.find(({ kind }) => kind === 'video');
  const audio = tracks.find(({ kind }) => kind === 'audio');
  if (!video && options.needsVideo)
    throw new ServiceError('source_has_no_video', 'The source has no video. A broadcast needs a video track.');
  return {
    ...(video && { video: { codec: codecOf(video) as VideoCodec } }),
    ...(audio && { audio: { channels: audio.channels ?? 2 } }),
  };
}

function requireDecodable(track: FeedTrack, options: FeedNeeds): void {
  const codec = codecOf(track);
  if ((codec === 'opus') !== (track.kind === 'audio') || !options.decodes(codec)) throw unsupported(track);
}

function codecOf(track: FeedTrack): CodecName {
  const codec = codecNames.find(name => name === track.codec.toLowerCase());
  if (!codec) throw unsupported(track);
  return codec;
}

function unsupported({ codec }: FeedTrack): ServiceError {
  return new ServiceError('source_codec_unsupported', `The codec ${codec} of the source is not supported.`);
}
