import { writeSecretOptions } from './secret-options.js';

describe('writeSecretOptions', () => {
  it.each([
    ['a long value', 'a'.repeat(999 - 'rtmp_app='.length)],
    ['a line break', 'live\nsrt_passphrase=x'],
    ['a character that is not ASCII', 'livé'],
  ])('refuses %s', async (_case, value) => {
    await expect(writeSecretOptions({ rtmp_app: value })).rejects.toMatchObject({ problem: 'target_refused' });
  });

  it('writes one line for each option', async () => {
    const file = await writeSecretOptions({ rtmp_app: 'live', passphrase: undefined, rtmp_playpath: 'a b' });
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0);
      expect(buffer.toString('utf8', 0, bytesRead)).toBe('rtmp_app=live\nrtmp_playpath=a b\n');
    } finally {
      await file.close();
    }
  });
});
