import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { busConfig, busVariables, checkPairs, ConfigurationError, loadConfig, z } from './index.js';

const schema = z
  .object({ PORT: z.coerce.number().int().min(1).max(65_535).default(4000), SECRET: z.string().min(8) })
  .transform(env => ({ port: env.PORT, secret: env.SECRET }));

function mistakesOf(env: Record<string, string>, of: z.ZodType = schema): readonly string[] {
  try {
    loadConfig(of, env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.mistakes;
  }
  return [];
}

describe('loadConfig', () => {
  it('returns a typed object with defaults', () => {
    expect(loadConfig(schema, { SECRET: 'long enough' })).toEqual({ port: 4000, secret: 'long enough' });
  });

  it('treats an empty variable as unset', () => {
    expect(loadConfig(schema, { PORT: '', SECRET: 'long enough' }).port).toBe(4000);
  });

  it('reports all mistakes together', () => {
    const mistakes = mistakesOf({ PORT: 'abc' });
    expect(mistakes).toHaveLength(2);
    expect(mistakes).toContain('SECRET is not set');
    expect(mistakes.some(mistake => mistake.startsWith('PORT: '))).toBe(true);
  });

  it('never repeats a value', () => {
    expect(mistakesOf({ SECRET: 'hunter2' }).join()).not.toContain('hunter2');
  });
});

const bus = z.object(busVariables).superRefine(checkPairs).transform(busConfig);

describe('a secret in a file', () => {
  const admin = z.object({ RTMS_ADMIN_TOKEN: z.string().min(8) });
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rtms-config-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function fileOf(content: string): string {
    const path = join(folder, 'secret');
    writeFileSync(path, content);
    return path;
  }

  it.each([
    ['as it is', 'long enough'],
    ['with a line break at its end', 'long enough\n'],
    ['with that of another system', 'long enough\r\n'],
  ])('is read %s', (_case, content) => {
    const env = { RTMS_ADMIN_TOKEN_FILE: fileOf(content) };
    expect(loadConfig(admin, env)).toEqual({ RTMS_ADMIN_TOKEN: 'long enough' });
  });

  it('keeps blanks and line breaks inside', () => {
    const env = { RTMS_ADMIN_TOKEN_FILE: fileOf(' two\nlines \n') };
    expect(loadConfig(admin, env)).toEqual({ RTMS_ADMIN_TOKEN: ' two\nlines ' });
  });

  it('must not be set as a variable too', () => {
    const env = { RTMS_ADMIN_TOKEN_FILE: fileOf('from the file'), RTMS_ADMIN_TOKEN: 'from the variable' };
    const mistakes = mistakesOf(env, admin);
    expect(mistakes).toEqual([expect.stringContaining('RTMS_ADMIN_TOKEN_FILE are both set')]);
    expect(mistakes.join()).not.toMatch(/from the/);
  });

  it('must be readable and not empty', () => {
    const path = join(folder, 'nothing-there');
    expect(mistakesOf({ RTMS_ADMIN_TOKEN_FILE: path }, admin)[0]).toBe(
      `RTMS_ADMIN_TOKEN_FILE: ${path} cannot be read (ENOENT)`,
    );
    expect(mistakesOf({ RTMS_ADMIN_TOKEN_FILE: fileOf('\n') }, admin)[0]).toMatch(/is empty$/);
  });

  it('is validated like the variable', () => {
    expect(mistakesOf({ RTMS_ADMIN_TOKEN_FILE: fileOf('short') }, admin)[0]).toMatch(/^RTMS_ADMIN_TOKEN: /);
  });

  it('of the bus is read again for each connection', () => {
    const path = fileOf('p1\n');
    const env = { NATS_URL: 'nats://bus', NATS_USER: 'sfu', NATS_PASSWORD_FILE: path };
    const { password } = loadConfig(bus, env);
    const current = (): unknown => (typeof password === 'function' ? password() : password);
    expect(current()).toBe('p1');
    writeFileSync(path, 'p2\n');
    expect(current()).toBe('p2');
    rmSync(path);
    expect(current()).toBe('p2');
  });
});

describe('the settings of the bus', () => {
  it('contain the set variables', () => {
    expect(loadConfig(bus, { NATS_URL: 'nats://bus' })).toEqual({ url: 'nats://bus' });
    const names = { NATS_USER: 'sfu', NATS_PASSWORD: 'p1', NATS_CA_FILE: '/ca' };
    const expected = { url: 'tls://bus', user: 'sfu', password: 'p1', caFile: '/ca' };
    expect(loadConfig(bus, { NATS_URL: 'tls://bus', ...names })).toEqual(expected);
  });

  it('are required in pairs', () => {
    const mistakes = mistakesOf({ NATS_URL: 'nats://bus', NATS_USER: 'sfu', NATS_KEY_FILE: '/key' }, bus);
    expect(mistakes).toEqual([
      'NATS_USER: set NATS_PASSWORD too, or unset both',
      'NATS_KEY_FILE: set NATS_CERT_FILE too, or unset both',
    ]);
  });
});
