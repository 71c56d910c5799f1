import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { busPasswords, installationSecrets } from './secrets.mjs';

describe('the secrets of an installation', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'rtms-secrets-'));
  });
  afterEach(() => rmSync(home, { recursive: true }));

  it('are made once, in a file that only its owner reads', () => {
    const made = installationSecrets(home);
    expect(installationSecrets(home)).toEqual(made);
    expect(statSync(join(home, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(new Set(Object.values(made.bus)).size).toBe(4);
  });

  it('of before are kept, and those that came later are added for good', () => {
    const former = { secretKey: 'key', adminToken: 'token', databasePassword: 'password' };
    writeFileSync(join(home, 'secrets.json'), JSON.stringify(former));
    const complete = installationSecrets(home);
    expect(complete).toMatchObject(former);
    expect(JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8'))).toEqual(complete);
  });

  it('get the password of a service that came later', () => {
    const { bus, ...others } = installationSecrets(home);
    const { ingest, ...former } = bus;
    writeFileSync(join(home, 'secrets.json'), JSON.stringify({ ...others, bus: former }));
    const complete = installationSecrets(home);
    expect(complete.bus).toEqual({ ...former, ingest: expect.stringMatching(/^p/) });
    expect(complete.bus.ingest).not.toBe(ingest);
    expect(installationSecrets(home)).toEqual(complete);
  });
});

describe('the passwords on the bus', () => {
  const own = { gateway: 'p1', sfu: 'p2', transcoder: 'p3', ingest: 'p4' };

  it('are ours on our server, and the user’s on his', () => {
    expect(busPasswords({}, own)).toEqual(own);
    const theirs = {
      NATS_GATEWAY_PASSWORD: 'a',
      NATS_SFU_PASSWORD: 'b',
      NATS_TRANSCODER_PASSWORD: 'c',
      NATS_INGEST_PASSWORD: 'd',
    };
    const expected = { gateway: 'a', sfu: 'b', transcoder: 'c', ingest: 'd' };
    expect(busPasswords({ NATS_URL: 'nats://bus', ...theirs }, own)).toEqual(expected);
    expect(busPasswords({ NATS_URL: 'nats://bus' }, own)).toBeUndefined();
  });
});
