import { nodeCommand, resourceCommand } from './bus-address.js';
import type { MediaKind } from './codecs.js';

export interface Rendition {
  /** Its lines, e.g. `720p`. */
  name: string;
  width: number;
  height: number;
  /** Frames a second. */
  frameRate: number;
  /** Bits a second. */
  videoBitrate: number;
  /** Bits a second; 0 without audio. */
  audioBitrate: number;
  /** RFC 6381, e.g. `avc1.64001f,mp4a.40.2`. */
  codecs: string;
}

export interface StartBroadcastRequest {
  broadcastID: string;
  meetingID: string;
  sessionID: string;
  /** Which SFU node has the source. */
  sfuNodeID: string;
  tracks: MediaKind[];
  /** Lines; the ladder has nothing above it. */
  maxHeight?: number;
  /** RFC 3339; the signed path dies with the room. */
  roomExpiresAt: string;
}

export interface TranscoderInventory {
  epoch: number;
  broadcasts: { broadcastID: string; state: 'starting' | 'active' | 'interrupted' }[];
}

/** Every command is idempotent by resource id; stopping what is not there is done already. */
export const transcoderCommands = {
  startBroadcast: nodeCommand<StartBroadcastRequest, Record<string, never>>('transcoder', 'broadcast.start'),
  /** The source is lost; what was published stays, nothing is added. */
  interruptBroadcast: nodeCommand<{ broadcastID: string }, Record<string, never>>('transcoder', 'broadcast.interrupt'),
  /** The source is back, perhaps on another node. */
  resumeBroadcast: nodeCommand<{ broadcastID: string; sfuNodeID: string }, Record<string, never>>(
    'transcoder',
    'broadcast.resume',
  ),
  stopBroadcast: nodeCommand<{ broadcastID: string }, Record<string, never>>('transcoder', 'broadcast.stop'),
  drain: nodeCommand<{ draining: boolean }, Record<string, never>>('transcoder', 'node.drain'),
  inventory: nodeCommand<Record<string, never>, TranscoderInventory>('transcoder', 'node.inventory'),
} as const;

/** Answered by the transcoder that has the broadcast's files: where other replicas fetch them. */
export const broadcastOrigin = resourceCommand<Record<string, never>, { internalUrl: string }>(
  'rtms.broadcast',
  'origin',
);
