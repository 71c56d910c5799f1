import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withSecretFiles } from './secret-files.mjs';

describe('secrets in files that the environment names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rtms-secret-files-'));
  const path = join(folder, 'token');
  writeFileSync(path, 'from the file\n');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('replace the file’s name', () => {
    expect(withSecretFiles({ RTMS_ADMIN_TOKEN_FILE: path, HOST: '::' })).toEqual({
      RTMS_ADMIN_TOKEN: 'from the file',
      HOST: '::',
    });
  });

  it('are refused when they are set as well, or cannot be read', () => {
    const both = { RTMS_ADMIN_TOKEN_FILE: path, RTMS_ADMIN_TOKEN: 'set' };
    expect(() => withSecretFiles(both)).toThrow('RTMS_ADMIN_TOKEN_FILE are both set');
    expect(() => withSecretFiles({ DATABASE_URL_FILE: join(folder, 'none') })).toThrow('cannot be read');
  });
});
