import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { databaseUrl, databaseVariables, loadConfig, z } from '@rtms/config';
import { makeCertificates, startPostgres, waitFor, type TestCertificates, type TestPostgres } from '@rtms/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { databaseOptions } from './data-source.js';

describe('PostgreSQL over TLS', () => {
  let postgres: TestPostgres;
  let ours: TestCertificates;
  let others: TestCertificates;
  beforeAll(async () => {
    [ours, others] = [makeCertificates(), makeCertificates()];
    postgres = await startPostgres({ dedicated: true });
    await postgres.speakTls(ours.server);
    await waitFor(async () => (await isEncrypted(urlWith(ours.ca))) === true, { what: 'PostgreSQL to speak TLS' });
  });
  afterAll(async () => {
    await postgres.stop();
    ours.remove();
    others.remove();
  });

  function urlWith(ca: string, query = ''): string {
    const url = Object.assign(new URL(postgres.url), { hostname: 'localhost', search: query });
    const env = { DATABASE_URL: url.href, DATABASE_CA_FILE: ca };
    return loadConfig(z.object(databaseVariables).transform(databaseUrl), env);
  }

  const encrypted = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

  /** Returns the code of the failure, if any. */
  async function isEncrypted(url: string): Promise<boolean | string> {
    const source = new DataSource(databaseOptions(url, { warn: () => undefined }));
    try {
      await source.initialize();
      const [row] = await source.query<{ ssl: boolean }[]>(encrypted);
      return row?.ssl ?? false;
    } catch (error) {
      return String((error as { code?: unknown }).code ?? error);
    } finally {
      if (source.isInitialized) await source.destroy();
    }
  }

  it('carries all connections of the gateway with DATABASE_CA_FILE', async () => {
    expect(await isEncrypted(urlWith(ours.ca))).toBe(true);
    const client = new pg.Client({ connectionString: urlWith(ours.ca) });
    await client.connect();
    const { rows } = await client.query<{ ssl: boolean }>(encrypted);
    await client.end();
    expect(rows).toEqual([{ ssl: true }]);
  });

  it.each(['', '?sslmode=verify-full', '?sslmode=verify-ca', '?sslmode=require'])(
    'refuses a server that another CA vouches for, with %j',
    async query => {
      expect(await isEncrypted(urlWith(others.ca, query))).toMatch(/UNABLE_TO|SELF_SIGNED/);
    },
  );

  it('reads the CA file for each connection, so that a renewed CA needs no restart', async () => {
    const file = join(dirname(ours.ca), 'trusted.pem');
    await copyFile(ours.ca, file);
    const source = await new DataSource(databaseOptions(urlWith(file), { warn: () => undefined })).initialize();
    const held = source.createQueryRunner();
    const connect = (): Promise<unknown> =>
      source.query(encrypted).catch((error: unknown) => (error as { code?: unknown }).code);
    try {
      await held.connect();
      await copyFile(others.ca, file);
      expect(await connect()).toMatch(/UNABLE_TO|SELF_SIGNED/);
      await copyFile(ours.ca, file);
      expect(await connect()).toEqual([{ ssl: true }]);
    } finally {
      await held.release();
      await source.destroy();
    }
  });

  it('refuses a missing CA file before it connects', () => {
    expect(() => urlWith('/nothing/there.pem')).toThrow('DATABASE_CA_FILE: /nothing/there.pem cannot be read');
  });
});
