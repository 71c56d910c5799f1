import type { RtmsError } from '../rtms-error.js';
import type { OpenMedia } from './open-media.js';

/** What a member publishes or subscribes to, for as long as it wants it, whatever becomes of the transports. */
export interface MediaItem {
  readonly isEnded: boolean;
  /** Begins on this media, where it has not begun yet. */
  establish(media: OpenMedia): Promise<void>;
  /** Over without its owner's doing. */
  end(error?: RtmsError): void;
}
