import { ManualClock } from '@rtms/testing';
import { resolveAddress } from './resolve-address.js';

describe('the address of a host', () => {
  let clock: ManualClock;
  beforeEach(() => {
    clock = new ManualClock();
  });
  afterEach(() => expect(clock.pending).toBe(0));

  it.each(['192.0.2.1', '2001:db8::1'])('is %s itself', async address => {
    expect(await resolveAddress(address, '0.0.0.0', clock)).toBe(address);
  });

  it('is of the family that is listened on', async () => {
    expect(await resolveAddress('localhost', '0.0.0.0', clock)).toMatch(/^127\./);
  });

  // The clock moves before the resolver's answer can arrive.
  it('is given up when it was not found within 2 s', async () => {
    const resolving = resolveAddress('localhost', '127.0.0.1', clock);
    void clock.advance(2_000);
    await expect(resolving).rejects.toThrow('The address of localhost was not found in time.');
  });

  it('is waited for until then', async () => {
    const resolving = resolveAddress('localhost', '127.0.0.1', clock);
    void clock.advance(1_999);
    expect(await resolving).toMatch(/^127\./);
  });
});
