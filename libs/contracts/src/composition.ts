import type { MediaKind, SourceBounds } from './vocabulary/codecs.js';
import type { SourceView } from './vocabulary/member-media.js';

/** One picture with its sound, e.g. the camera and microphone of a member, or a shared screen. */
export interface ComposedSource {
  /** An external session or a room's member. */
  sourceID: string;
  /** `screen`: the shared screen of a member with its sound. `camera`: the camera with the microphone, and each external session. */
  view: SourceView;
  /** The SFU node of the source. */
  sfuNodeID: string;
  /** The kinds of its tracks. A paused picture is absent, paused audio is not. */
  tracks: MediaKind[];
  /** The tracks that it has now. A member who publishes again has other tracks of the same kinds. */
  trackIDs?: string[];
  /** Shown as the name tag. At most 64 characters of any kind. */
  name: string;
  isHost: boolean;
}

/** The form of a composed picture. Does not change during a recording or broadcast. */
export interface CompositionStyle {
  /**
   * `grid`: equal tiles, with a shared screen in a large one. `speaker`: the main source is large, and the others are small. `single`: the
   * main source alone. The main source is the newest shared screen, else the speaker, else the first source with a picture.
   */
  layout: 'grid' | 'speaker' | 'single';
  /** Of the picture, even numbers. */
  width: number;
  height: number;
  /** `contain`: a tile shows the whole picture. `cover`: the picture fills its tile. */
  fit: 'contain' | 'cover';
  /** Whether sources without a picture have a tile. */
  hasEmptyTiles: boolean;
  /** Audible sources. */
  audio: 'all' | 'onScreen' | 'host';
  /** `#rrggbb` */
  backgroundColor: string;
  /** `#rrggbb`; absent: no names are shown. */
  nameTagsColor?: string;
}

/** The sources of a composition. Each change of the room replaces them. */
export interface ComposedRoom {
  /** In the order in which they joined. At most `mostComposedSources`. */
  sources: ComposedSource[];
  /** The source whose member speaks; absent in silence. */
  speakerID?: string;
}

/** More sources than this are left out, the newest first: each one is decoded. */
export const mostComposedSources = 16;

/** Media that was recorded without a gap. The spans of a file follow each other in the file without a gap. */
export interface RecordedSpan {
  /** RFC 3339, UTC, by the clock of the node. */
  startedAt: string;
  seconds: number;
}

/** A file with more spans, such as one of a source that is lost every few seconds, has none. */
export const mostRecordedSpans = 1_000;

/** A finished recording of one source, as one of several that are composed. */
export interface RecordedSource {
  /** The recording. */
  recordingID: string;
  /** The recorded external session or member. Recordings of the same source have the same tile. */
  sourceID: string;
  name: string;
  isHost: boolean;
  sizeBytes: number;
  /** When the media of the file was recorded. */
  spans: RecordedSpan[];
}

/** A recording that is composed from files. */
export interface RenderRecordingRequest {
  recordingID: string;
  meetingID: string;
  /** Accounts take turns. */
  accountID: string;
  /** The kinds of the output. */
  tracks: MediaKind[];
  composition: CompositionStyle;
  /** At most `mostRecordedSources`, all in a storage that the transcoder reads. */
  sources: RecordedSource[];
  /** The source in the large picture while it has media. */
  mainSourceID?: string;
  /** Decoders refuse larger pictures. */
  maxSource?: SourceBounds;
  /** The recording is also stored as HLS, if there is time and space for it. */
  addHLS?: true;
}

export const mostRecordedSources = 25;
/** Media of all sources together. Each span begins and ends a layout. */
export const mostComposedSpans = 1_000;
/** From the first media of a source to the last one, gaps included. */
export const longestRenderSeconds = 12 * 3_600;
