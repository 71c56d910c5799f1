import type { Clock } from '@rtms/clock';
import type { PipeEnd, PipedTrack } from '@rtms/contracts';
import { Ending, Listeners } from '../listeners.js';
import { closedError, type RoomPipe, type TrackPipe } from '../media-engine.js';
import { MemoryTrack } from './memory-publisher.js';

/** The pipes of all engines in the process, by port. */
const openPipes = new Map<number, MemoryPipe>();
let lastPort = 0;

class MemoryTrackPipe implements TrackPipe {
  readonly track: PipedTrack;
  paused: boolean;
  private readonly pausing = new Listeners<[]>();
  private readonly ending = new Ending();
  private readonly packetsBefore: number;

  constructor(readonly source: MemoryTrack) {
    this.packetsBefore = source.packets;
    const { trackID, kind, codec, encodingIDs, paused, layers } = source;
    this.paused = paused;
    this.track = { trackID, kind, codec, encodingIDs, paused, rtpParameters: { layers } };
    source.onPaused(changed => {
      this.paused = changed;
      if (!this.ending.isOver) this.pausing.emit();
    });
    this.onEnded(source.onEnded(() => void this.close()));
  }

  get hasSent(): boolean {
    return this.source.packets > this.packetsBefore;
  }

  onPaused(listener: () => void): void {
    this.pausing.add(listener);
  }

  onEnded(listener: () => void): void {
    this.ending.add(listener);
  }

  async close(): Promise<void> {
    this.ending.run();
  }
}

/** A copy of another engine's track. Receives the same packets and passes keyframe requests to it. */
class MemoryTrackCopy extends MemoryTrack {
  constructor(
    clock: Clock,
    private readonly source: MemoryTrack,
    { kind, codec, encodingIDs, trackID, paused }: PipedTrack,
  ) {
    super({ clock, kind, codec, layers: source.layers, encodingIDs, trackID });
    this.paused = paused;
    source.copies.add(this);
    this.onEnded(() => source.copies.delete(this));
  }

  override requestKeyframe(): Promise<void> {
    return this.source.requestKeyframe();
  }
}

export class MemoryPipe implements RoomPipe {
  readonly end: PipeEnd;
  private readonly sent = new Map<string, MemoryTrackPipe>();
  private readonly received = new Set<MemoryTrack>();
  private readonly ending = new Ending();
  private remote: PipeEnd | undefined;

  constructor(private readonly clock: Clock) {
    const port = ++lastPort;
    this.end = { address: '127.0.0.1', port, srtp: { cryptoSuite: 'AEAD_AES_256_GCM', keyBase64: `key ${port}` } };
    openPipes.set(port, this);
  }

  async connect(remote: PipeEnd): Promise<void> {
    if (this.ending.isOver) throw closedError();
    this.remote = remote;
  }

  async send(track: MemoryTrack): Promise<MemoryTrackPipe> {
    if (this.ending.isOver || track.closed) throw closedError();
    const pipe = new MemoryTrackPipe(track);
    this.sent.set(track.trackID, pipe);
    pipe.onEnded(() => this.sent.delete(track.trackID));
    return pipe;
  }

  async receive(track: PipedTrack): Promise<MemoryTrack> {
    const sent = this.remote && openPipes.get(this.remote.port)?.sent.get(track.trackID);
    if (this.ending.isOver || !sent) throw closedError();
    const copy = new MemoryTrackCopy(this.clock, sent.source, track);
    this.received.add(copy);
    copy.onEnded(() => this.received.delete(copy));
    return copy;
  }

  onClosed(listener: () => void): void {
    this.ending.add(listener);
  }

  async close(): Promise<void> {
    this.ending.run(() => {
      openPipes.delete(this.end.port);
      for (const opened of [...this.sent.values(), ...this.received]) void opened.close();
    });
  }
}
