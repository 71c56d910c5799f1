import { createLogger, loggedCommand } from './index.js';

describe('a logged command', () => {
  let lines: string[];
  const context = { requestID: 'req-1' };
  const logger = () =>
    createLogger({ service: 'spec', level: 'trace', destination: { write: line => void lines.push(line) } });

  beforeEach(() => {
    lines = [];
  });

  const line = () => JSON.parse(lines[0] ?? '{}') as Record<string, unknown>;

  it.each([
    ['session.open', 'info'],
    ['node.inventory', 'debug'],
    ['member.open', 'debug'],
    ['track.publish', 'debug'],
  ])('%s is a line at level %s with the id of its request', async (command, level) => {
    const handler = loggedCommand(logger(), command, (count: number) => Promise.resolve(count + 1));
    expect(await handler(1, context)).toBe(2);
    expect(line()).toMatchObject({ level, command, requestID: 'req-1' });
  });

  it('logs the reason of a refusal', async () => {
    const refusal = Object.assign(new Error('no'), { reason: 'capacity_reached' });
    const handler = loggedCommand(logger(), 'session.open', () => Promise.reject(refusal));
    await expect(handler({}, context)).rejects.toBe(refusal);
    expect(line()).toMatchObject({ level: 'info', reason: 'capacity_reached', requestID: 'req-1' });
  });

  it('logs an unexpected error', async () => {
    const handler = loggedCommand(logger(), 'session.open', () => Promise.reject(new TypeError('undefined is none')));
    await expect(handler({}, context)).rejects.toThrow();
    expect(line()).toMatchObject({ level: 'error', err: { type: 'TypeError' }, requestID: 'req-1' });
  });
});
