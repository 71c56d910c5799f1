import { EventLog } from '@rtms/testing';
import { DatachannelDriver } from '../../testing/datachannel-driver.js';
import type { EngineUnderTest } from '../../testing/media-scene.js';
import type { MediaEngine } from '../../media-engine.js';
import type { EngineLogger } from '../media-worker.js';
import { MediasoupEngine, type MediasoupEngineOptions } from '../mediasoup-engine.js';

/** The messages of an engine, to await what its port does not tell: the start and the death of media workers. */
export class EngineMessages implements EngineLogger {
  readonly all = new EventLog<string>();
  readonly info = (_fields: object, message: string): void => this.all.add(message);
  readonly warn = this.info;
  readonly error = this.info;

  /** Resolves with the next start of a media worker. */
  async nextWorker(): Promise<void> {
    await this.all.next(message => message === 'Media worker started');
  }
}

const messagesOf = new WeakMap<MediaEngine, EngineMessages>();

/** An engine whose media workers' starts can be awaited. */
export async function startMediasoup(options: MediasoupEngineOptions): Promise<MediasoupEngine> {
  const messages = new EngineMessages();
  const engine = await MediasoupEngine.start({ ...options, logger: messages });
  messagesOf.set(engine, messages);
  return engine;
}

/** Sends a signal to a media worker that ends it. Resolves once another one runs in its place. */
export async function killMediasoupWorker(engine: MediaEngine, pid: number): Promise<void> {
  const replaced = messagesOf.get(engine)?.nextWorker();
  if (!replaced) throw new Error('The engine was not started by startMediasoup.');
  process.kill(pid, 'SIGKILL');
  await replaced;
}

/** Resolves once the media workers have done what they were told until now: they answer in order. */
export async function settleMediasoup(engine: MediaEngine): Promise<void> {
  if (!(engine instanceof MediasoupEngine)) throw new TypeError('The engine is another one.');
  for (const worker of engine.workers) {
    await worker.sweep();
    await worker.dump();
  }
}

export const mediasoupUnderTest: EngineUnderTest = {
  start: startMediasoup,
  driver: () => new DatachannelDriver(),
  killWorker: killMediasoupWorker,
  settle: settleMediasoup,
};
