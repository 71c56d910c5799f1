import { nodeCommand } from './bus-address.js';
import type { MediaKind } from './codecs.js';
import type { PreferredLayers, RtpDescription } from './member-media.js';
import type { DtlsRole, Fingerprint, LocalIce, TransportState } from './peer-connection.js';
import type { PayloadNumbers, ReceiverCapabilities, RtpCodec, RtpParameters } from './rtp-parameters.js';

/** Where one end of a pipe between two media nodes listens, and the keys that it sends with (SDES, RFC 4568). */
export interface PipeEnd {
  /** IP address or host name. */
  address: string;
  port: number;
  srtp: { cryptoSuite: string; keyBase64: string };
}

/** A track as it comes out of a pipe. */
export interface PipedTrack {
  trackID: string;
  kind: MediaKind;
  codec: RtpCodec;
  /** RIDs of its simulcast layers, the lowest first. */
  encodingIDs: readonly string[];
  paused: boolean;
  /** Of the pipe itself. */
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

/** What a viewer is sent for one track. */
export interface RelayedTrack {
  rtpParameters: RtpParameters;
  layers: { spatial: number; temporal: number };
}

type Done = Record<string, never>;

/**
 * What the node that holds a room (its owner) has another one (the relay) do for some of the room's viewers. All ids are
 * the owner's, so that each command can be repeated. A relay that its owner has not kept for `leaseTtlSeconds` is closed.
 */
export const relayCommands = {
  open: nodeCommand<OfRelay & { ownerID: string; meetingID: string; pipe: PipeEnd }, { pipe: PipeEnd }>(
    'sfu',
    'relay.open',
  ),
  /**
   * What the relay shall have, in full; what is not listed goes. The answer tells how its viewers are, and which tracks
   * nothing has ever come of, though they are not paused.
   */
  keep: nodeCommand<
    OfRelay & { viewerIDs: string[]; tracks: { trackID: string; paused: boolean }[] },
    { viewers: { viewerID: string; state: TransportState }[]; silent: string[] }
  >('sfu', 'relay.keep'),
  close: nodeCommand<OfRelay, Done>('sfu', 'relay.close'),
  /** A track that comes by another `pipeID` takes the place of the former. */
  openTrack: nodeCommand<OfRelay & { pipeID: string; track: PipedTrack }, Done>('sfu', 'relay.track.open'),
  closeTrack: nodeCommand<OfRelay & { pipeID: string; trackID: string }, Done>('sfu', 'relay.track.close'),
  /** Throws `capacity_reached` where there is no place left. */
  openViewer: nodeCommand<OfViewer & { numbers?: PayloadNumbers }, { ice: LocalIce; fingerprints: Fingerprint[] }>(
    'sfu',
    'relay.viewer.open',
  ),
  connectViewer: nodeCommand<OfViewer & { role: DtlsRole; fingerprints: Fingerprint[] }, Done>(
    'sfu',
    'relay.viewer.connect',
  ),
  restartIce: nodeCommand<OfViewer, { ice: LocalIce }>('sfu', 'relay.viewer.restart-ice'),
  startViewer: nodeCommand<OfViewer, Done>('sfu', 'relay.viewer.start'),
  closeViewer: nodeCommand<OfViewer, Done>('sfu', 'relay.viewer.close'),
  /** Without `sent` in the answer, nothing that the viewer can receive fits the track. */
  send: nodeCommand<OfSentTrack & { trackID: string; capabilities: ReceiverCapabilities }, { sent?: RelayedTrack }>(
    'sfu',
    'relay.viewer.send',
  ),
  prefer: nodeCommand<OfSentTrack & { layers?: PreferredLayers }, Done>('sfu', 'relay.viewer.prefer'),
  stopSending: nodeCommand<OfSentTrack, Done>('sfu', 'relay.viewer.stop-sending'),
} as const;

/** What a relay tells the owner of a room as it happens; what is missed, the next answer to `keep` makes good. */
export type RelayEvent =
  | { type: 'viewer.state'; relayID: string; viewerID: string; state: TransportState }
  | { type: 'viewer.layers'; relayID: string; viewerID: string; sentID: string; layers?: PreferredLayers }
  /** The relay is drained: its viewers do well to connect anew. */
  | { type: 'dismissed'; relayID: string }
  | { type: 'ended'; relayID: string };

/** News between SFU nodes, for whoever listens at that moment: `rtms.relay.<nodeID>.events`, `rtms.relay.<nodeID>.load`. */
const relayNews = 'rtms.relay';

/** Events for an owner. */
export function relayEventSubject(ownerID: string): string {
  return `${relayNews}.${ownerID}.events`;
}

/** Viewers of playbacks on a node, by account; only of accounts with many. */
export type AudienceCounts = Record<string, number>;

/** How full a node is; every `leaseRenewSeconds`, and at once when it begins to be drained. */
export interface NodeLoad {
  nodeID: string;
  load: number;
  capacity: number;
  draining: boolean;
  /** A node of a former version leaves it out. */
  audiences?: AudienceCounts;
}

export function nodeLoadSubject(nodeID: string): string {
  return `${relayNews}.${nodeID}.load`;
}
