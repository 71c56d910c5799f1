import { opusDurationMs } from '../depacketize/opus.js';

/** 20 ms of silence, full band, stereo: what libopus sends for digital silence. */
export const silentOpusFrame = Buffer.of(0xfc, 0xff, 0xfe);
export const silentFrameMs = 20;

/** How far the sound may stay behind the picture before silence takes its place. */
const patienceMs = 400;
/** A hole shorter than this is left to the decoder's resampler. */
const smallestHoleMs = 30;

export interface AudioPiece {
  /** ms on the run's time. */
  timeMs: number;
  data: Buffer;
}

/** Keeps the sound of a run without holes: what a source leaves out becomes silence. */
export class SilenceFiller {
  /** Where the next sound belongs, ms on the run's time. */
  private end = 0;

  /** The sound itself, behind silence for what is missing before it; nothing when it comes too late. */
  onAudio(piece: AudioPiece): AudioPiece[] {
    const durationMs = opusDurationMs(piece.data);
    if (durationMs === 0 || piece.timeMs < this.end - smallestHoleMs) return [];
    const silence = piece.timeMs - this.end >= smallestHoleMs ? this.fillTo(piece.timeMs) : [];
    const timeMs = Math.max(piece.timeMs, this.end);
    this.end = timeMs + durationMs;
    return [...silence, { ...piece, timeMs }];
  }

  /** Silence that the picture at `timeMs` no longer waits for. */
  onVideo(timeMs: number): AudioPiece[] {
    return timeMs - this.end > patienceMs ? this.fillTo(timeMs - patienceMs / 2) : [];
  }

  private fillTo(timeMs: number): AudioPiece[] {
    const pieces: AudioPiece[] = [];
    for (; this.end + silentFrameMs <= timeMs; this.end += silentFrameMs) {
      pieces.push({ timeMs: this.end, data: silentOpusFrame });
    }
    return pieces;
  }
}
