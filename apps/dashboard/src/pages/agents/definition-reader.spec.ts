import { importAgent } from '@rtms/agent-import';
import { ManualClock } from '@rtms/testing';
import { FakeWorker } from '../../testing/fake-worker.js';
import { DefinitionReader } from './definition-reader.js';

describe('reading definitions in a worker', () => {
  const definition = JSON.stringify({ name: 'Harbour Desk', firstMessage: 'Good day.' });

  function start() {
    FakeWorker.install();
    const clock = new ManualClock();
    const controller = new AbortController();
    const reader = new DefinitionReader(clock);
    const worker = FakeWorker.started[0]!;
    return { clock, controller, reader, worker, read: () => reader.read(definition, controller.signal) };
  }

  it('starts the worker before anything is read', () => {
    const { worker } = start();
    expect(worker.url.pathname).toMatch(/\/import-worker\.ts$/);
    expect(worker.received).toEqual([]);
  });

  it('keeps the worker from one definition to the next', async () => {
    const { worker, read, clock } = start();
    for (let time = 0; time < 2; time += 1) {
      const result = read();
      worker.reply(importAgent(definition));
      expect(await result).toMatchObject({ ok: true, agent: { name: 'Harbour Desk' } });
    }
    expect(worker.received).toEqual([definition, definition]);
    expect([FakeWorker.started.length, worker.isTerminated, clock.pending]).toEqual([1, false, 0]);
  });

  it('ends the worker after ten seconds, and not before', async () => {
    const { worker, read, clock } = start();
    const result = read();
    await clock.advance(9_999);
    expect(worker.isTerminated).toBe(false);
    await clock.advance(1);
    expect(await result).toEqual({ ok: false, code: 'too_slow' });
    expect(worker.isTerminated).toBe(true);
  });

  it('ends the worker when the user stops it', async () => {
    const { worker, read, clock, controller } = start();
    const result = read();
    controller.abort();
    expect(await result).toBeUndefined();
    expect([worker.isTerminated, clock.pending]).toEqual([true, 0]);
  });

  it.each(['error', 'messageerror'])('reports the worker’s failure after its event %s', async event => {
    const { worker, read } = start();
    const result = read();
    worker.dispatchEvent(new Event(event));
    expect(await result).toEqual({ ok: false, code: 'reader_failed' });
    expect(worker.isTerminated).toBe(true);
  });

  it('starts another worker after one that ended', async () => {
    const { worker, reader, read, controller } = start();
    const stopped = read();
    controller.abort();
    await stopped;
    const next = reader.read(definition, new AbortController().signal);
    expect([FakeWorker.started.length, worker.received]).toEqual([2, [definition]]);
    FakeWorker.started[1]!.reply(importAgent(definition));
    expect(await next).toMatchObject({ ok: true });
  });

  it('starts another worker after one that failed before any reading', () => {
    const { worker, read } = start();
    worker.fail();
    void read();
    expect(FakeWorker.started.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
  });

  it('can be closed twice', () => {
    const { worker, reader } = start();
    reader.close();
    reader.close();
    expect(worker.isTerminated).toBe(true);
  });
});
