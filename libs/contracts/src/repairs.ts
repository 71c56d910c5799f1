import type { CommandAddress } from './vocabulary/bus-address.js';
import type { MediaKind, SourceBounds } from './vocabulary/codecs.js';

/** A need of an SFU node: viewers of a session cannot decode its video, because it has B-frames. */
export interface RepairNeed {
  /** Chosen by the SFU node; a repeated question has the same one. */
  repairID: string;
  sessionID: string;
  /** The SFU node that asks and has the session. */
  sfuNodeID: string;
  /** Measured bits per second of the session's video. */
  videoBitrate: number;
}

/** A transcoder sends the session's video without B-frames, and its audio with the same delay, to the SFU node. */
export interface StartRepairRequest extends RepairNeed {
  accountID: string;
  tracks: MediaKind[];
  /** A source above these bounds is not repaired. */
  maxSource: SourceBounds;
}

/** The address from which a transcoder sends one kind. */
export interface RepairSender {
  kind: MediaKind;
  ip: string;
  port: number;
}

/** The destination of one kind. The SFU node accepts only packets with this SSRC from the named address. */
export interface RepairInput {
  kind: MediaKind;
  ip: string;
  port: number;
  payloadType: number;
  ssrc: number;
}

/** A running repair of a transcoder. */
export interface RepairInventory {
  repairID: string;
  sessionID: string;
  accountID: string;
}

/**
 * Asked by SFU nodes. Any gateway responds: it places the repair on a transcoder. Fails with `capacity_reached` at a limit of the
 * account or of the transcoders.
 */
export const placeRepair: CommandAddress<RepairNeed, { nodeID: string }> = {
  subject: 'rtms.gateway.any.repair.place',
};
