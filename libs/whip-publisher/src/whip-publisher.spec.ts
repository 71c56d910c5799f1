import { ManualClock } from '@rtms/testing';
import ndc from 'node-datachannel';
import { WhipPublisher } from './whip-publisher.js';

describe('WhipPublisher', () => {
  afterAll(() => ndc.cleanup());

  it('gives up after 15 seconds, even if the request never settles', async () => {
    const clock = new ManualClock();
    let ask: () => void = () => undefined;
    const asked = new Promise<void>(resolve => (ask = resolve));
    const fetch = () => {
      ask();
      return new Promise<Response>(() => undefined);
    };
    const publisher = new WhipPublisher({ clock, kinds: ['audio'], fetch });
    const end = publisher.connect({ url: 'http://sfu' }).catch((error: unknown) => (error as Error).message);
    await asked;
    await clock.advance(15_000);
    expect(await end).toBe('timeout');
  });
});
