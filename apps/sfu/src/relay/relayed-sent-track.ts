import type { MediaKind, PreferredLayers, RelayedTrack } from '@rtms/contracts';
import { Listeners } from '../media/listeners.js';
import type { PublishedTrack, SentTrack } from '../media/media-engine.js';
import type { RtpParameters } from '../media/rtp-parameters.js';

export interface RelayedSentTrackOptions {
  track: PublishedTrack;
  mid: string;
  answer: RelayedTrack;
  /** At most these layers. */
  prefer: (layers: PreferredLayers | undefined) => Promise<void>;
  /** Tells the relay. */
  stop: () => void;
  onClosed: () => void;
}

/** What a viewer on another node is sent for one track. */
export class RelayedSentTrack implements SentTrack {
  private readonly layersChange = new Listeners<[PreferredLayers | undefined]>();
  private isClosed = false;

  constructor(private readonly options: RelayedSentTrackOptions) {}

  get trackID(): string {
    return this.options.track.trackID;
  }

  get kind(): MediaKind {
    return this.options.track.kind;
  }

  get mid(): string {
    return this.options.mid;
  }

  get rtpParameters(): RtpParameters {
    return this.options.answer.rtpParameters;
  }

  get layers(): SentTrack['layers'] {
    return this.options.answer.layers;
  }

  async prefer(layers: PreferredLayers | undefined): Promise<void> {
    if (!this.isClosed) await this.options.prefer(layers);
  }

  onLayersChange(listener: (layers: PreferredLayers | undefined) => void): void {
    this.layersChange.add(listener);
  }

  /** Other layers arrive at the viewer. */
  arrive(layers: PreferredLayers | undefined): void {
    this.layersChange.emit(layers);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.options.stop();
    this.closeNow();
  }

  /** The relay has closed it, or is gone. */
  closeNow(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.options.onClosed();
  }
}
