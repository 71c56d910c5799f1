import type { HeardMessage, RequestContext } from './bus.js';
import { MemoryBucket } from './memory-key-value.js';
import { MemoryStream } from './memory-stream.js';
import { subjectMatches } from './subject-matches.js';

export type MemoryResponder = (request: unknown, context: RequestContext) => Promise<unknown>;

export type MemoryListener = (message: HeardMessage<unknown>) => void;

/** What a server would hold: responders, listeners, streams and buckets. Clients share it. */
export class MemoryBroker {
  private readonly responders = new Map<string, MemoryResponder[]>();
  private readonly listeners = new Set<{ pattern: string; hear: MemoryListener }>();
  private readonly streams = new Map<string, MemoryStream>();
  private readonly buckets = new Map<string, MemoryBucket>();

  /** Answers how to leave. */
  addResponder(subject: string, responder: MemoryResponder): () => void {
    this.responders.set(subject, [...(this.responders.get(subject) ?? []), responder]);
    return () => {
      const others = (this.responders.get(subject) ?? []).filter(other => other !== responder);
      if (others.length > 0) this.responders.set(subject, others);
      else this.responders.delete(subject);
    };
  }

  responderAt(subject: string): MemoryResponder | undefined {
    return this.responders.get(subject)?.[0];
  }

  /** Answers how to leave. */
  addListener(pattern: string, hear: MemoryListener): () => void {
    const listener = { pattern, hear };
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  listenersTo(subject: string): MemoryListener[] {
    return [...this.listeners].filter(({ pattern }) => subjectMatches(pattern, subject)).map(({ hear }) => hear);
  }

  ensureStream(name: string, subjects: readonly string[]): void {
    if (!this.streams.has(name)) this.streams.set(name, new MemoryStream(subjects));
  }

  stream(name: string): MemoryStream {
    const stream = this.streams.get(name);
    if (!stream) throw new Error(`there is no stream ${name}`);
    return stream;
  }

  streamOf(subject: string): MemoryStream | undefined {
    return [...this.streams.values()].find(stream => stream.subjects.some(filter => subjectMatches(filter, subject)));
  }

  bucket(name: string, ttlSeconds: number | undefined): MemoryBucket {
    const existing = this.buckets.get(name);
    if (existing) return existing;
    const bucket = new MemoryBucket(ttlSeconds);
    this.buckets.set(name, bucket);
    return bucket;
  }
}
