import { tryLock, waitForLock } from './exclusive-lock.mjs';

/** Locks hold for the whole machine, where this test may run twice at the same time. */
const directory = `/nowhere/${process.pid}`;

describe('an exclusive lock', () => {
  it('is refused while another holds it', async () => {
    const first = await tryLock('spec', directory);
    expect(await tryLock('spec', directory)).toBeUndefined();
    await first?.close();
  });

  it('is free for another directory or purpose', async () => {
    const locks = [
      await tryLock('spec', directory),
      await tryLock('spec', `${directory}/else`),
      await tryLock('other', directory),
    ];
    expect(locks).not.toContain(undefined);
    for (const lock of locks) await lock?.close();
  });

  it('goes to the waiting process as soon as it is free', async () => {
    const first = await tryLock('spec', directory);
    let waited = 0;
    const second = waitForLock('spec', directory, () => {
      waited += 1;
      void first?.close();
    });
    await (await second).close();
    expect(waited).toBe(1);
  });

  it('is refused with advice when its holder keeps it for too long', async () => {
    const first = await tryLock('spec', directory);
    const second = waitForLock('spec', directory, () => undefined, 1);
    await expect(second).rejects.toThrow(`Another process holds the lock "spec" of ${directory}`);
    await first?.close();
  });
});
