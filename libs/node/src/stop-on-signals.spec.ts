import { EventEmitter } from 'node:events';
import { createLogger } from '@rtms/logging';
import { EventLog, ManualClock } from '@rtms/testing';
import { stopOnSignals } from './index.js';

const logger = createLogger({ service: 'spec', level: 'silent' });

class FakeProcess extends EventEmitter {
  readonly exits = new EventLog<number>();
  exit(code: number): void {
    this.exits.add(code);
  }
}

function runService(close: () => Promise<void> = () => Promise.resolve()) {
  const host = new FakeProcess();
  const clock = new ManualClock();
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
  stopOnSignals({ drain, close: closed }, logger, clock, host);
  return { clock, host, happened, finishDrain: (error?: Error) => finishDrain(error) };
}

describe('a service', () => {
  it('drains on SIGTERM, and exits when the drain is done', async () => {
    const { clock, host, happened, finishDrain } = runService();
    host.emit('SIGTERM');
    await clock.advance(3_600_000);
    expect([happened, host.exits.all]).toEqual([['drain'], []]);
    finishDrain();
    await host.exits.atLeast(1);
    expect([happened, host.exits.all]).toEqual([['drain', 'close'], [0]]);
  });

  it.each(['SIGTERM', 'SIGINT'])('stops at once on a second signal, %s', async second => {
    const { host, happened } = runService();
    host.emit('SIGTERM');
    host.emit(second);
    await host.exits.atLeast(1);
    expect(happened).toEqual(['drain', 'close']);
  });

  it('stops at once on SIGINT, and once', async () => {
    const { clock, host, happened } = runService();
    host.emit('SIGINT');
    host.emit('SIGINT');
    host.emit('SIGTERM');
    await clock.advance(9_999);
    expect([happened, host.exits.all]).toEqual([['close'], [0]]);
  });

  it('stops also when it cannot be drained', async () => {
    const { host, finishDrain } = runService();
    host.emit('SIGTERM');
    finishDrain(new Error('no bus'));
    expect(await host.exits.atLeast(1)).toEqual([0]);
  });

  it('exits with code 1 when it could not be closed', async () => {
    const { host } = runService(() => Promise.reject(new Error('stuck')));
    host.emit('SIGINT');
    expect(await host.exits.atLeast(1)).toEqual([1]);
  });

  it('exits with code 1 when it has not closed after 10 s', async () => {
    const { clock, host } = runService(() => new Promise(() => undefined));
    host.emit('SIGINT');
    await clock.advance(9_999);
    expect(host.exits.all).toEqual([]);
    await clock.advance(1);
    expect(host.exits.all).toEqual([1]);
  });
});
