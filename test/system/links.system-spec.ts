/** @weight 0.5 for 20 s */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EncoderPublisher, makeCertificates, waitFor, type TestCertificates } from '@rtms/testing';
import pg from 'pg';
import type { ExternalSession, Recording } from './harness/api-client.js';
import { HlsPlayer } from './harness/hls-player.js';
import { ObjectStorage } from './harness/object-storage.js';
import { runFromPage } from './harness/page-commands.js';
import { recordSome } from './harness/recorded.js';
import { startStack, type Stack } from './harness/stack.js';
import { trustingFetch, type Fetch } from './harness/trusting-fetch.js';
import { WhepViewer } from './harness/whep-viewer.js';

const formerKeys = { id: 'former', secret: 'former-secret' };
const newKeys = { id: 'new', secret: 'new/secret+with=signs' };

describe('with TLS on every link', () => {
  let certificates: TestCertificates;
  let folder: string;
  let storage: ObjectStorage;
  let stack: Stack;
  let https: Fetch;
  let encoder: EncoderPublisher;
  let viewer: WhepViewer;
  let session: ExternalSession;
  let meetingID: string;
  let files: { certFile: string; keyFile: string };

  beforeAll(async () => {
    certificates = makeCertificates();
    https = trustingFetch(certificates.ca);
    folder = await mkdtemp(join(tmpdir(), 'rtms-objects-'));
    storage = await ObjectStorage.start(folder, certificates);
    storage.accept(formerKeys);
    stack = await startStack({ certificates, env: storage.environment(formerKeys) });
    files = { certFile: join(stack.folder, 'server.pem'), keyFile: join(stack.folder, 'server.key') };
    meetingID = await stack.api.createRoom();
    session = await stack.api.openSession(meetingID);
    encoder = await EncoderPublisher.publish({ ...session.ingest, caFile: certificates.ca });
    await stack.api.sessionBecomes(meetingID, session.sessionID, 'active');
    const playback = await stack.api.openPlayback(meetingID, session.sessionID);
    viewer = await WhepViewer.watch(playback, { events: true, caFile: certificates.ca });
  });

  afterAll(async () => {
    viewer?.close();
    await encoder?.vanish();
    await stack?.close();
    await storage?.close();
    certificates.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const follow = (heading: string, env: Record<string, string> = {}): Promise<string> =>
    runFromPage('operations/rotation.md', heading, { cwd: stack.folder, env });

  /** On the first connections. */
  const nobodyWasDropped = async (): Promise<void> => {
    await viewer.hearsOn();
    expect((await stack.api.session(meetingID, session.sessionID)).state).toBe('active');
  };

  const record = (): Promise<Recording> => recordSome(stack.api, meetingID, session.sessionID);
  const download = async ({ downloadUrl }: Recording): Promise<number> => (await https(downloadUrl)).status;

  it('publishers, viewers, players and applications do their work by https addresses', async () => {
    const { broadcastID } = await stack.api.openBroadcast(meetingID, session.sessionID);
    const { playbackUrl } = await stack.api.broadcastBecomes(meetingID, broadcastID, 'active');
    const { endpoint } = await stack.api.openPlayback(meetingID, session.sessionID);
    for (const url of [session.ingest.url, endpoint, playbackUrl, stack.gateway.url]) expect(url).toMatch(/^https:/);
    const player = await HlsPlayer.open(playbackUrl, https);
    expect(await player.newestBytes()).toBeGreaterThan(1000);
    await stack.api.call('DELETE', `/v1/meetings/${meetingID}/broadcasts/${broadcastID}`);
    const plainly = stack.gateway.url.replace('https:', 'http:');
    await expect(fetch(`${plainly}/healthz`)).rejects.toThrow();
    const client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    const links = `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`;
    expect((await client.query(links)).rows).toEqual([{ ssl: true }]);
    await client.end();
  });

  it('renewed certificates of the services are taken over while they run', async () => {
    const pids = [stack.gateway.pid, stack.sfu.pid, stack.transcoder.pid];
    const renewed = certificates.renew();
    for (const [name, path] of [['renewed.pem', renewed.cert] as const, ['renewed.key', renewed.key] as const])
      await writeFile(join(stack.folder, name), await readFile(path));
    await follow('A renewed certificate', { CERT_FILE: files.certFile, KEY_FILE: files.keyFile });
    for (const { url } of [stack.gateway, stack.sfu, stack.transcoder])
      await follow('The one that is in use', { CERT_FILE: files.certFile, ADDRESS: new URL(url).host });
    expect([stack.gateway.pid, stack.sfu.pid, stack.transcoder.pid]).toEqual(pids);
    await nobodyWasDropped();
  });

  it('PostgreSQL takes over a renewed certificate on request', async () => {
    const admin = new pg.Client({ connectionString: stack.postgres.serverUrl });
    await admin.connect();
    const { rows } = await admin.query<{ data_directory: string }>('SHOW data_directory');
    await admin.end();
    const own = (name: string): string => join(rows[0]?.data_directory ?? '', name);
    const pair = { CERT_FILE: own('server.crt'), KEY_FILE: own('server.key') };
    await follow('A renewed certificate', pair);
    await follow('Telling PostgreSQL', { ADMIN_URL: stack.postgres.serverUrl });
    expect((await stack.api.session(meetingID, session.sessionID)).state).toBe('active');
  });

  it('NATS gets new passwords, and the services follow it without a restart', async () => {
    const names = ['gateway', 'sfu', 'transcoder', 'ingest'] as const;
    const variable = (name: string): string => `NATS_${name.toUpperCase()}_PASSWORD`;
    const settings = join(stack.folder, 'nats.env');
    await writeFile(settings, names.map(name => `${variable(name)}=${stack.nats.as(name).password}\n`).join(''));
    const former = await readFile(settings, 'utf8');
    await follow('New passwords of NATS');
    const lines = (await readFile(settings, 'utf8')).trim().split('\n');
    const passwordOf = (name: string): string => {
      const line = lines.find(each => each.startsWith(`${variable(name)}=`)) ?? '';
      expect(former).not.toContain(line);
      return line.split('=')[1] ?? '';
    };
    const [gateway, sfu, transcoder, ingest] = names.map(passwordOf) as [string, string, string, string];
    const pids = [stack.gateway.pid, stack.sfu.pid, stack.transcoder.pid];
    await stack.nats.restart({ passwords: { gateway, sfu, transcoder, ingest } });
    for (const service of [stack.gateway, stack.sfu, stack.transcoder]) await service.waitUntilReady();
    expect([stack.gateway.pid, stack.sfu.pid, stack.transcoder.pid]).toEqual(pids);
    // A service is ready a moment before the bus has its subscriptions.
    await waitFor(() => stack.api.openPlayback(meetingID, session.sessionID), { what: 'the work to go on' });
    await nobodyWasDropped();
  });

  it('recordings are kept under new credentials of the bucket once the former are gone', async () => {
    const earlier = await record();
    expect(await download(earlier)).toBe(200);
    const settings = join(stack.folder, 'transcoder.env');
    const lines = Object.entries(storage.environment(formerKeys)).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(settings, lines.join(''));
    storage.accept(newKeys);
    await follow('New credentials of the bucket', { ACCESS_KEY_ID: newKeys.id, SECRET_ACCESS_KEY: newKeys.secret });
    await stack.transcoder.stop();
    const changed = (await readFile(settings, 'utf8')).trim().split('\n');
    stack.transcoder.configure(
      Object.fromEntries(changed.map(line => [line.split('=')[0], line.slice(line.indexOf('=') + 1)])),
    );
    await stack.transcoder.start();
    storage.revoke(formerKeys);
    expect(await download(earlier)).toBe(200);
    expect(await download(await record())).toBe(200);
    await nobodyWasDropped();
  });
});
