import { setImmediate as immediate } from 'node:timers/promises';
import { EventLog } from '@rtms/testing';
import type { MediaEngine } from '../media-engine.js';
import { MediasoupEngine, type MediasoupEngineOptions } from '../mediasoup/mediasoup-engine.js';
import { DatachannelDriver } from './datachannel-driver.js';
import type { EngineUnderTest } from './media-scene.js';

/** The log messages of engines: only they show the start of a media worker. */
const messagesOf = new WeakMap<MediaEngine, EventLog<string>>();

/** An engine whose media workers' starts can be awaited. */
export async function startMediasoup(options: MediasoupEngineOptions): Promise<MediasoupEngine> {
  const messages = new EventLog<string>();
  const log = (_fields: object, message: string): void => messages.add(message);
  const engine = await MediasoupEngine.start({ ...options, logger: { info: log, warn: log, error: log } });
  messagesOf.set(engine, messages);
  return engine;
}

/** Sends a signal to a media worker that ends it. Resolves once another one runs in its place. */
export async function killMediasoupWorker(engine: MediaEngine, pid: number): Promise<void> {
  const replaced = awaitWorker(engine);
  process.kill(pid, 'SIGKILL');
  await replaced;
}

/** Resolves with the next start of a media worker. */
export async function awaitWorker(engine: MediaEngine): Promise<void> {
  const messages = messagesOf.get(engine);
  if (!messages) throw new Error('The engine was not started by startMediasoup.');
  await messages.next(message => message === 'Media worker started');
}

/**
 * Resolves once the media workers have done all earlier requests and mediasoup has emitted their events. Workers answer in
 * order, but mediasoup emits each notification one turn of the event loop after its arrival.
 */
export async function settleMediasoup(engine: MediaEngine): Promise<void> {
  if (!(engine instanceof MediasoupEngine)) throw new TypeError('The engine is another one.');
  for (const worker of engine.workers) {
    await worker.sweep();
    await worker.dump();
  }
  await immediate();
}

export const mediasoupUnderTest: EngineUnderTest = {
  start: startMediasoup,
  driver: () => new DatachannelDriver(),
  killWorker: killMediasoupWorker,
  settle: settleMediasoup,
};
