import { resolveAddress } from './resolve-address.js';

describe('the address of a host', () => {
  it.each(['192.0.2.1', '2001:db8::1'])('is %s itself', async address => {
    expect(await resolveAddress(address, '0.0.0.0')).toBe(address);
  });

  it('is of the family that is listened on', async () => {
    expect(await resolveAddress('localhost', '0.0.0.0')).toMatch(/^127\./);
  });

  it('is not waited for longer than that', async () => {
    await expect(resolveAddress('host.invalid', '127.0.0.1', 0)).rejects.toThrow(/host\.invalid/);
  });
});
