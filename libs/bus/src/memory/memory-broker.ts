import { systemClock, type Clock } from '@rtms/clock';
import type { HeardMessage, RequestContext } from '../port/bus.js';
import { MemoryBucket } from './memory-key-value.js';
import { MemoryStream } from './memory-stream.js';
import { subjectMatches } from '../port/subjects.js';

export interface MemoryResponder {
  answer: (request: unknown, context: RequestContext) => Promise<unknown>;
  balanced: boolean;
}

export type MemoryListener = (message: HeardMessage<unknown>) => void;

/**
 * State of a server that several `MemoryBus` clients share: responders, listeners, streams and buckets. Like a server it has
 * its own clock, which may be a manual clock.
 */
export class MemoryBroker {
  private readonly responders = new Map<string, MemoryResponder[]>();
  private readonly listeners = new Set<{ pattern: string; hear: MemoryListener }>();
  private readonly streams = new Map<string, MemoryStream>();
  private readonly buckets = new Map<string, MemoryBucket>();

  constructor(readonly clock: Clock = systemClock) {}

  /** Returns a function that removes the responder. */
  addResponder(subject: string, responder: MemoryResponder): () => void {
    this.responders.set(subject, [...(this.responders.get(subject) ?? []), responder]);
    return () => {
      const others = (this.responders.get(subject) ?? []).filter(other => other !== responder);
      if (others.length > 0) this.responders.set(subject, others);
      else this.responders.delete(subject);
    };
  }

  /** The responders that get a request: all, but only one of the balanced ones. */
  respondersAt(subject: string): MemoryResponder[] {
    const all = this.responders.get(subject) ?? [];
    const chosen = all.find(({ balanced }) => balanced);
    return all.filter(each => !each.balanced || each === chosen);
  }

  /** Returns a function that removes the listener. */
  addListener(pattern: string, hear: MemoryListener): () => void {
    const listener = { pattern, hear };
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  listenersTo(subject: string): MemoryListener[] {
    return [...this.listeners].filter(({ pattern }) => subjectMatches(pattern, subject)).map(({ hear }) => hear);
  }

  ensureStream(name: string, subjects: readonly string[]): void {
    if (!this.streams.has(name)) this.streams.set(name, new MemoryStream(subjects, this.clock));
  }

  stream(name: string): MemoryStream {
    const stream = this.streams.get(name);
    if (!stream) throw new Error(`there is no stream ${name}`);
    return stream;
  }

  streamOf(subject: string): MemoryStream | undefined {
    return [...this.streams.values()].find(stream => stream.subjects.some(filter => subjectMatches(filter, subject)));
  }

  storedNames(): string[] {
    return [...this.streams.keys(), ...[...this.buckets.keys()].map(bucket => `KV_${bucket}`)];
  }

  /** Resolves once the open consumers have acknowledged all messages that are stored now. */
  async settled(): Promise<void> {
    await Promise.all([...this.streams.values()].map(stream => stream.settled()));
  }

  bucket(name: string, ttlSeconds: number | undefined): MemoryBucket {
    const existing = this.buckets.get(name);
    if (existing) return existing;
    const bucket = new MemoryBucket(ttlSeconds, this.clock);
    this.buckets.set(name, bucket);
    return bucket;
  }
}
