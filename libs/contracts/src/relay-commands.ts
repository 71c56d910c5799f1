import { sfuCommand } from './vocabulary/bus-address.js';
import type { MediaKind } from './vocabulary/codecs.js';
import type { PreferredLayers, RtpDescription } from './vocabulary/member-media.js';
import type {
  DtlsRole,
  Fingerprint,
  LocalIce,
  TransportState,
  PayloadNumbers,
  ReceiverCapabilities,
  RtpCodec,
  RtpParameters,
} from './vocabulary/webrtc.js';
import type { NodeMeasurement, TrackArrival, ViewerMeasurement } from './viewer-quality.js';

/** One end of a pipe between two media nodes: its address and its SRTP keys (SDES, RFC 4568). */
export interface PipeEnd {
  /** IP address or host name. */
  address: string;
  port: number;
  srtp: { cryptoSuite: string; keyBase64: string };
}

/** A track that arrives through a pipe. */
export interface PipedTrack {
  trackID: string;
  kind: MediaKind;
  codec: RtpCodec;
  /** RIDs of the simulcast layers, lowest first. */
  encodingIDs: readonly string[];
  paused: boolean;
  /** RTP parameters of the pipe. */
  rtpParameters: RtpDescription;
}

interface OfRelay {
  relayID: string;
}
interface OfViewer extends OfRelay {
  viewerID: string;
}
interface OfSentTrack extends OfViewer {
  sentID: string;
}

/** A track that a relay sends to a viewer. */
export interface RelayedTrack {
  rtpParameters: RtpParameters;
  layers: { spatial: number; temporal: number };
}

/** The measurements of a relay, by viewerID and trackID. */
export interface RelayMeasurement {
  node: NodeMeasurement;
  viewers: Record<string, ViewerMeasurement>;
  tracks: Record<string, TrackArrival>;
}

/**
 * Commands from a room's owner node to a relay node that serves some of its viewers. The owner chooses all IDs, so every command can be
 * retried. A relay closes if its owner sends no `keep` for `leaseTtlSeconds`.
 */
export const relayCommands = {
  open: sfuCommand<OfRelay & { ownerID: string; meetingID: string; pipe: PipeEnd }, { pipe: PipeEnd }>('relay.open'),
  /**
   * Sends the complete list of viewers and tracks; the relay closes all others. The reply has the viewers' states and the tracks
   * without media that are not paused.
   */
  keep: sfuCommand<
    OfRelay & { viewerIDs: string[]; tracks: { trackID: string; paused: boolean }[] },
    { viewers: { viewerID: string; state: TransportState }[]; silent: string[] }
  >('relay.keep'),
  close: sfuCommand<OfRelay>('relay.close'),
  /** Measures the viewers and what arrives of the tracks. */
  measure: sfuCommand<OfRelay, RelayMeasurement>('relay.measure'),
  /** Opens a track. A track of another `pipeID` replaces the former one. */
  openTrack: sfuCommand<OfRelay & { pipeID: string; track: PipedTrack }>('relay.track.open'),
  closeTrack: sfuCommand<OfRelay & { pipeID: string; trackID: string }>('relay.track.close'),
  /** Fails with `capacity_reached` on a full node. */
  openViewer: sfuCommand<OfViewer & { numbers?: PayloadNumbers }, { ice: LocalIce; fingerprints: Fingerprint[] }>(
    'relay.viewer.open',
  ),
  connectViewer: sfuCommand<OfViewer & { role: DtlsRole; fingerprints: Fingerprint[] }>('relay.viewer.connect'),
  restartIce: sfuCommand<OfViewer, { ice: LocalIce }>('relay.viewer.restart-ice'),
  startViewer: sfuCommand<OfViewer>('relay.viewer.start'),
  closeViewer: sfuCommand<OfViewer>('relay.viewer.close'),
  /** A reply without `sent` means that the viewer cannot receive the track. */
  send: sfuCommand<OfSentTrack & { trackID: string; capabilities: ReceiverCapabilities }, { sent?: RelayedTrack }>(
    'relay.viewer.send',
  ),
  prefer: sfuCommand<OfSentTrack & { layers?: PreferredLayers }>('relay.viewer.prefer'),
  stopSending: sfuCommand<OfSentTrack>('relay.viewer.stop-sending'),
} as const;

/** Events from a relay to the owner. The next reply to `keep` repairs a lost event. */
export type RelayEvent =
  | { type: 'viewer.state'; relayID: string; viewerID: string; state: TransportState }
  | { type: 'viewer.layers'; relayID: string; viewerID: string; sentID: string; layers?: PreferredLayers }
  /** The relay is draining, so its viewers should reconnect. */
  | { type: 'dismissed'; relayID: string }
  | { type: 'ended'; relayID: string };

/** Announcements between SFU nodes: `rtms.relay.<nodeID>.events` and `rtms.relay.<nodeID>.load`. */
const relaySubject = 'rtms.relay';

/** Returns the subject of events for an owner. */
export function relayEventSubject(ownerID: string): string {
  return `${relaySubject}.${ownerID}.events`;
}

/** Viewers of a node by account, for accounts with many viewers. */
export type AudienceCounts = Record<string, number>;

/** Load of a node, announced every `leaseRenewSeconds` and at the start of a drain. */
export interface NodeLoad {
  nodeID: string;
  load: number;
  capacity: number;
  draining: boolean;
  /** Absent from nodes of earlier versions. */
  audiences?: AudienceCounts;
}

export function nodeLoadSubject(nodeID: string): string {
  return `${relaySubject}.${nodeID}.load`;
}
