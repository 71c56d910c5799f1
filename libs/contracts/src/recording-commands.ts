import type { MediaKind, SourceBounds } from './codecs.js';

export interface StartRecordingRequest {
  recordingID: string;
  meetingID: string;
  /** The external session or participant that is recorded. */
  sourceID: string;
  /** Which SFU node has the source. */
  sfuNodeID: string;
  tracks: MediaKind[];
  /** Of media: then the recording ends by itself. */
  maxDurationSeconds: number;
  /** Of pictures that are encoded anew; above them the recording ends, `source_too_large`. A former gateway leaves them out. */
  maxSource?: SourceBounds;
}

/** `recording`: media is written. `processing`: nothing is added any more, the file is being made. */
export type RecordingJobState = 'starting' | 'recording' | 'interrupted' | 'processing';

export interface RecordingInventory {
  recordingID: string;
  state: RecordingJobState;
}

/** `node`: only the node that made the file has it. `shared`: every transcoder can read and delete it. */
export type RecordingStorage = 'node' | 'shared';
