import { EventEmitter } from 'node:events';
import { createLogger } from '@rtms/logging';
import { waitFor } from '@rtms/testing';
import { stopOnSignals } from './index.js';

const logger = createLogger({ service: 'spec', level: 'silent' });

class FakeProcess extends EventEmitter {
  readonly exits: number[] = [];
  exit(code: number): void {
    this.exits.push(code);
  }
}

function runService(close: () => Promise<void> = () => Promise.resolve()) {
  const host = new FakeProcess();
  const happened: string[] = [];
  let finishDrain: (error?: Error) => void = () => undefined;
  const drain = () => {
    happened.push('drain');
    return new Promise<void>((resolve, reject) => (finishDrain = error => (error ? reject(error) : resolve())));
  };
  const closed = () => {
    happened.push('close');
    return close();
  };
  stopOnSignals({ drain, close: closed }, logger, host);
  return { host, happened, finishDrain: (error?: Error) => finishDrain(error) };
}

describe('a service', () => {
  it('drains on SIGTERM, and ends when that is done', async () => {
    const { host, happened, finishDrain } = runService();
    host.emit('SIGTERM');
    expect(happened).toEqual(['drain']);
    expect(host.exits).toEqual([]);
    finishDrain();
    await waitFor(() => host.exits.length > 0);
    expect(happened).toEqual(['drain', 'close']);
    expect(host.exits).toEqual([0]);
  });

  it.each(['SIGTERM', 'SIGINT'])('stops at once on a second signal, %s', async second => {
    const { host, happened } = runService();
    host.emit('SIGTERM');
    host.emit(second);
    await waitFor(() => host.exits.length > 0);
    expect(happened).toEqual(['drain', 'close']);
  });

  it('stops at once on SIGINT, and once', async () => {
    const { host, happened } = runService();
    host.emit('SIGINT');
    host.emit('SIGINT');
    host.emit('SIGTERM');
    await waitFor(() => host.exits.length > 0);
    expect(happened).toEqual(['close']);
  });

  it('stops also when it cannot be drained', async () => {
    const { host, finishDrain } = runService();
    host.emit('SIGTERM');
    finishDrain(new Error('no bus'));
    await waitFor(() => host.exits.length > 0);
    expect(host.exits).toEqual([0]);
  });

  it('says by its exit code that it could not be closed', async () => {
    const { host } = runService(() => Promise.reject(new Error('stuck')));
    host.emit('SIGINT');
    await waitFor(() => host.exits.length > 0);
    expect(host.exits).toEqual([1]);
  });
});
