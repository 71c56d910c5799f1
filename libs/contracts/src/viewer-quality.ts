/** The parts that can be at fault for a viewer's poor picture. */
export const viewerFaults = ['none', 'publisher', 'uplink', 'node', 'relay', 'viewer_network'] as const;
export type ViewerFault = (typeof viewerFaults)[number];

interface CauseOf {
  fault: ViewerFault;
  /** A sentence for people. `value` is the measurement behind the verdict. */
  reason: (value: number) => string;
}

const percent = (share: number): string => `${Math.round(share * 10) / 10} %`;
const seconds = (value: number): string => `${Math.round(value / 100) / 10} s`;

/** The causes of verdicts. Stored samples have the position of a cause, so add new ones at the end only. */
export const viewerCauses = {
  none: { fault: 'none', reason: () => 'The viewer receives the media well.' },
  publisher_absent: { fault: 'publisher', reason: () => 'No publisher is connected.' },
  publisher_stalled: {
    fault: 'publisher',
    reason: ms => `The publisher sent no media for ${seconds(ms)}, while its connection was in order.`,
  },
  uplink_cut: {
    fault: 'uplink',
    reason: ms => `Nothing arrived from the publisher for ${seconds(ms)}. Its network is cut, or its machine is off.`,
  },
  uplink_loss: { fault: 'uplink', reason: share => `The publisher's network lost ${percent(share)} of its packets.` },
  node_cpu: {
    fault: 'node',
    reason: share => `The media worker of this viewer used ${percent(share)} of its processor core.`,
  },
  node_lag: { fault: 'node', reason: ms => `The media node answered its own timers ${seconds(ms)} late.` },
  node_sending: {
    fault: 'node',
    reason: share => `The media node's system refused to send ${percent(share)} of its packets: its network is full.`,
  },
  node_network: {
    fault: 'node',
    reason: share => `${percent(share)} of the networks that this media node serves had trouble at the same time.`,
  },
  relay_loss: {
    fault: 'relay',
    reason: share => `${percent(share)} of the packets were lost between the room's node and the viewer's node.`,
  },
  relay_cut: {
    fault: 'relay',
    reason: ms => `Nothing arrived at the viewer's node from the room's node for ${seconds(ms)}.`,
  },
  viewer_silent: {
    fault: 'viewer_network',
    reason: ms => `The viewer answered nothing for ${seconds(ms)}. Its network is cut, or its page is suspended.`,
  },
  viewer_loss: {
    fault: 'viewer_network',
    reason: share => `The viewer's network lost ${percent(share)} of the packets.`,
  },
  viewer_delay: {
    fault: 'viewer_network',
    reason: ms => `Packets to the viewer and back took ${Math.round(ms)} ms.`,
  },
  viewer_frozen: {
    fault: 'viewer_network',
    reason: ms =>
      `The viewer saw no new picture for about ${seconds(ms)}. Its network is too slow, or its page is suspended.`,
  },
  hls_source_lost: {
    fault: 'publisher',
    reason: ms => `The source of the broadcast sent no media for ${seconds(ms)}.`,
  },
  hls_media_late: {
    fault: 'node',
    reason: ms => `The media node had a segment ${seconds(ms)} late, and the source was not the reason.`,
  },
  hls_common: {
    fault: 'node',
    reason: share => `${percent(share)} of the players of the broadcast had trouble at the same time.`,
  },
  hls_slow: {
    fault: 'viewer_network',
    reason: kilobits => `The player received ${kilobits} kbit/s, less than the lowest rendition needs.`,
  },
  hls_stalled: {
    fault: 'viewer_network',
    reason: count => `The player stalled ${count === 1 ? 'once' : `${count} times`}, while the broadcast was in order.`,
  },
  hls_source_moved: {
    fault: 'node',
    reason: ms => `The platform opened the source of the broadcast anew, and no media came for ${seconds(ms)}.`,
  },
  hls_uplink_loss: {
    fault: 'uplink',
    reason: share => `The publisher's network lost ${percent(share)} of the source's packets.`,
  },
} as const satisfies Record<string, CauseOf>;
export type ViewerCause = keyof typeof viewerCauses;

const causes = Object.keys(viewerCauses) as ViewerCause[];

/** Their measurement is a share in percent, with one decimal place. Stored samples depend on this: do not change the entry of an existing cause. */
const shares: ReadonlySet<ViewerCause> = new Set<ViewerCause>([
  'uplink_loss',
  'node_cpu',
  'node_sending',
  'node_network',
  'relay_loss',
  'viewer_loss',
  'hls_common',
  'hls_uplink_loss',
]);

export interface Verdict {
  cause: ViewerCause;
  /** The measurement behind the verdict: milliseconds, a share in percent, kbit/s or a count. */
  value: number;
}

export function faultOf({ cause }: Pick<Verdict, 'cause'>): ViewerFault {
  return viewerCauses[cause].fault;
}

export function reasonOf({ cause, value }: Verdict): string {
  return viewerCauses[cause].reason(value);
}

/** The media that one viewer received in ten seconds. null: not measured. */
export interface ViewerSample extends Verdict {
  /** ms since 1970. */
  at: number;
  /** By RTCP. */
  roundTripMs: number | null;
  /** Share of lost packets by the viewer's RTCP reports, before anything is sent again. 0 to 1. */
  fractionLost: number;
  /** Share of packets that were sent again. 0 to 1. */
  retransmitted: number;
  /** Sent bits per second of the measured track: the video, else the audio. */
  bitrate: number;
  /** Spatial layer that is sent, from 0; null without a choice. */
  layer: number | null;
  /** Estimate of the time without new pictures. */
  frozenMs: number;
  /** Half the round-trip times of publisher and viewer: the network's part of the delay. */
  delayMs: number | null;
}

/** The samples of a viewer in one minute. */
export interface ViewerMinute {
  playbackID: string;
  viewerID: string;
  /** Start of the minute, ms since 1970. */
  minute: number;
  /** Packed samples one behind the other, see `packSample`. At most `longestPackedMinute` numbers. */
  samples: number[];
}

/**
 * With `playbackID`: the minutes of its viewers behind `afterViewer`, of at most `viewers` viewers. Without: complete minutes of all
 * viewers, so that each is read once.
 */
export interface ViewerSamplesQuery {
  playbackID?: string;
  afterViewer?: string;
  viewers?: number;
  /** `next` of the page before. */
  after?: string;
}

export interface ViewerSamplesPage {
  minutes: ViewerMinute[];
  /** The place of the last minute, or `after` of an empty page. */
  next?: string;
  isLast: boolean;
}

/** Numbers of a packed sample. */
const width = 10;
/** A row with more was not sent by a node of ours. */
export const longestPackedMinute = 12 * width;
const largestPacked = 32_767;

/** A verdict as two numbers of a packed sample. */
export function packVerdict({ cause, value }: Verdict): [cause: number, value: number] {
  return [causes.indexOf(cause), value * scaleOf(cause)];
}

/** Takes an unknown cause, which a newer node may send, for `none`. */
export function unpackVerdict(place: number, value: number): Verdict {
  const cause = causes[place] ?? 'none';
  return { cause, value: value / scaleOf(cause) };
}

/** Returns numbers that fit 16 bits: a row of a minute has 120 bytes of them. */
export function packSample(sample: ViewerSample, minute: number): number[] {
  const { at, roundTripMs, fractionLost, retransmitted, bitrate, layer, frozenMs, delayMs, cause, value } = sample;
  const numbers = [at - minute, roundTripMs ?? -1, fractionLost * 10_000, retransmitted * 10_000, bitrate / 1_000];
  const others = [layer ?? -1, frozenMs, delayMs ?? -1, ...packVerdict({ cause, value })];
  // A time within its minute is stored in units of 10 ms.
  return [...numbers, ...others].map((each, index) => toSmallint(index === 0 ? each / 10 : each));
}

type PackedSample = [number, number, number, number, number, number, number, number, number, number];

/** Reads packed samples. */
export function unpackSamples({ minute, samples }: Pick<ViewerMinute, 'minute' | 'samples'>): ViewerSample[] {
  return Array.from({ length: Math.floor(samples.length / width) }, (_, index) => {
    const values = samples.slice(index * width, (index + 1) * width) as PackedSample;
    const [at, roundTrip, lost, again, kilobits, layer, frozenMs, delay, place, value] = values;
    return {
      at: minute + at * 10,
      roundTripMs: measuredOrNull(roundTrip),
      fractionLost: lost / 10_000,
      retransmitted: again / 10_000,
      bitrate: kilobits * 1_000,
      layer: measuredOrNull(layer),
      frozenMs,
      delayMs: measuredOrNull(delay),
      ...unpackVerdict(place, value),
    };
  });
}

/** Shares keep one decimal place. A time of ten seconds must fit. */
function scaleOf(cause: ViewerCause): number {
  return shares.has(cause) ? 10 : 1;
}

/** Rounds a value to 16 bits; -1: not measured. */
export function toSmallint(value: number): number {
  return Number.isFinite(value) ? Math.round(Math.min(largestPacked, Math.max(-1, value))) : 0;
}

export function measuredOrNull(value: number): number | null {
  return value < 0 ? null : value;
}

/** Totals of the packets of a track, since it opened. */
export interface TrackArrival {
  packets: number;
  /** Packets that never arrived. */
  lost: number;
  /** Lost packets that arrived when they were sent again. */
  repaired: number;
  /** To the sender, by RTCP. */
  roundTripMs: number | null;
}

/** The state of a node, since the measurement before. */
export interface NodeMeasurement {
  /** The largest delay of a timer. */
  lagMs: number;
  /** Share of UDP packets that the system refused to send, 0 to 1; null: the system does not tell. */
  refusedShare: number | null;
}

/** Totals of what one viewer receives of its video, else of its audio, since the track opened. */
export interface ViewerMeasurement {
  trackID: string;
  packets: number;
  /** As the viewer reports, before anything is sent again. */
  lost: number;
  retransmitted: number;
  bytes: number;
  /** PLI and FIR from the viewer. */
  keyframeRequests: number;
  roundTripMs: number | null;
  layer: number | null;
  /** Bytes of any kind that the viewer has sent, connection checks included. */
  heardBytes: number;
  /** Used share of the core of the viewer's media worker, 0 to 1. */
  workerUsage: number;
  /** The viewer's IP address. It only counts networks with trouble. Nodes exchange it over NATS; no service stores it. */
  network: string;
}
