import type { Closeable } from '@rtms/bus';
import { ServiceError } from '@rtms/contracts';
import { nanoid } from 'nanoid';

/** Event types of the WHEP server-sent events extension. */
export const viewerEventTypes = ['active', 'inactive', 'layers', 'reconnect', 'viewercount'] as const;
export type ViewerEventType = (typeof viewerEventTypes)[number];

/** An open event stream. */
export interface EventSink {
  write(type: ViewerEventType, data: object): void;
  end(): void;
}

interface EventStream {
  types: ReadonlySet<ViewerEventType>;
  sink: EventSink | undefined;
}

/** A player needs one event stream. */
const maxStreams = 4;

/** The event streams of one viewer. A new stream starts with the latest event of each type. */
export class ViewerEvents implements Closeable {
  private readonly streams = new Map<string, EventStream>();
  private readonly latest = new Map<ViewerEventType, object>();

  /** Returns the id of the stream, which is not guessable. */
  subscribe(types: readonly ViewerEventType[]): string {
    if (this.streams.size >= maxStreams)
      throw new ServiceError('capacity_reached', `A viewer has at most ${maxStreams} event streams. DELETE one first.`);
    const id = nanoid(32);
    this.streams.set(id, { types: new Set(types), sink: undefined });
    return id;
  }

  has(id: string): boolean {
    return this.streams.has(id);
  }

  /** Connects a stream and ends its earlier connection. Returns a function that detaches this connection. */
  attach(id: string, sink: EventSink): () => void {
    const stream = this.streams.get(id);
    if (!stream) throw new ServiceError('not_found', 'No such event stream. POST to /events to open one.');
    stream.sink?.end();
    stream.sink = sink;
    for (const [type, data] of this.latest) if (stream.types.has(type)) sink.write(type, data);
    return () => {
      if (stream.sink === sink) stream.sink = undefined;
    };
  }

  emit(type: ViewerEventType, data: object = {}): void {
    if (type === 'active') this.latest.delete('inactive');
    if (type === 'inactive') this.latest.delete('active');
    this.latest.set(type, data);
    for (const { types, sink } of this.streams.values()) if (types.has(type)) sink?.write(type, data);
  }

  unsubscribe(id: string): void {
    this.streams.get(id)?.sink?.end();
    this.streams.delete(id);
  }

  async close(): Promise<void> {
    for (const id of [...this.streams.keys()]) this.unsubscribe(id);
  }
}
