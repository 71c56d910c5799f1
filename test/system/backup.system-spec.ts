/** @weight 0.8 for 20 s */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EncoderPublisher, waitFor } from '@rtms/testing';
import { type ApiClient } from './harness/api-client.js';
import { startDebianPostgres, type DebianPostgres } from './harness/debian-postgres.js';
import { runFromPage } from './harness/page-commands.js';
import { downloadedChecksum, recordSome } from './harness/recorded.js';
import { startStack, type Stack } from './harness/stack.js';

const page = 'operations/backup.md';

/** A room with a publisher who stays, and a recording of it. */
async function publishAndRecord(api: ApiClient) {
  const meetingID = await api.createRoom();
  const { sessionID, ingest } = await api.openSession(meetingID);
  const encoder = await EncoderPublisher.publish(ingest);
  await api.sessionBecomes(meetingID, sessionID, 'active');
  const { recordingID, checksumSha256 } = await recordSome(api, meetingID, sessionID);
  return { meetingID, sessionID, encoder, recordingID, checksumSha256 };
}

describe('the backup of a PostgreSQL server', () => {
  let server: DebianPostgres;
  let stack: Stack;
  let folder: string;
  let ownerUrl: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rtms-backup-'));
    server = await startDebianPostgres();
    await server.query(`CREATE ROLE rtms LOGIN PASSWORD 'owner'`);
    await server.query(`CREATE ROLE gateways LOGIN PASSWORD 'former'`);
    await server.query('CREATE DATABASE rtms OWNER rtms');
    ownerUrl = server.urlOf('rtms', 'owner', 'rtms');
    const urls = { DATABASE_URL: server.urlOf('gateways', 'former', 'rtms'), DATABASE_OWNER_URL: ownerUrl };
    stack = await startStack({ env: { ...urls, RECONCILE_SECONDS: '1', GRACE_SECONDS: '120' } });
  });
  afterAll(async () => {
    await stack?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('restores the state of its moment, and the publisher continues', async () => {
    const { api } = stack;
    const recorded = await publishAndRecord(api);
    const backup = join(folder, 'backup');
    mkdirSync(backup);
    const recordings = join(stack.mediaDir, 'recordings');
    const env = {
      ...{ BACKUP: backup, RTMS_NODE_ID: 'transcoder-1', RECORDINGS_DIR: recordings },
      ...{ DATABASE_URL: server.urlOf('gateways', 'former', 'rtms'), DATABASE_OWNER_URL: ownerUrl },
    };
    await runFromPage(page, 'Saving the database', { env });
    await runFromPage(page, 'Saving recordings', { env });
    const later = await api.createRoom();
    const { sessionID: unknown } = await api.openSession(later);

    await stack.gateway.stop();
    await stack.transcoder.stop();
    rmSync(recordings, { recursive: true });
    await server.query('DROP DATABASE rtms WITH (FORCE)');
    await server.query('CREATE DATABASE rtms OWNER rtms');
    await runFromPage(page, 'Restoring the database', { env });
    await runFromPage(page, 'Restoring recordings', { env });
    await Promise.all([stack.gateway.start(), stack.transcoder.start()]);

    await api.sessionBecomes(recorded.meetingID, recorded.sessionID, 'active');
    expect((await api.call('GET', `/v1/meetings/${later}/external-sessions/${unknown}`)).status).toBe(404);
    expect(await downloadedChecksum(api, recorded.recordingID)).toBe(recorded.checksumSha256);
    const playback = await api.openPlayback(recorded.meetingID, recorded.sessionID);
    expect(playback.state).toBe('ready');
    await recorded.encoder.leave();
    await api.sessionBecomes(recorded.meetingID, recorded.sessionID, 'ended');
  });

  it('accepts the new password while gateways run', async () => {
    const env = { ADMIN_URL: server.adminUrl, ROLE: 'gateways', PASSWORD: `it's "new"` };
    await runFromPage('operations/rotation.md', 'A new password of PostgreSQL', { env });
    const DATABASE_URL = server.urlOf('gateways', encodeURIComponent(env.PASSWORD), 'rtms');
    await stack.gateway.stop();
    stack.gateway.configure({ DATABASE_URL });
    await stack.gateway.start();
    await stack.api.createRoom();
    const former = server.urlOf('gateways', 'former', 'rtms');
    const due = { DATABASE_URL: former };
    const refused = runFromPage('operations/retention.md', 'Seeing what is due', { env: due });
    await expect(refused).rejects.toThrow(/password authentication failed/);
    const months = await runFromPage('operations/retention.md', 'Seeing what is due', { env: { DATABASE_URL } });
    expect(months).toMatch(/month/);
    await waitFor(() => stack.gateway.isReady(), { what: 'the gateway' });
  });

  it('is migrated by the command of the page on upgrades', async () => {
    const DATABASE_URL = server.urlOf('gateways', encodeURIComponent(`it's "new"`), 'rtms');
    const env = { DATABASE_URL, DATABASE_OWNER_URL: ownerUrl };
    const said = await runFromPage('operations/upgrade.md', 'Running the migrations', { env });
    expect(said).toContain('the schema is up to date');
  });

  it('moves to other roles by the commands of the page on roles', async () => {
    const rolesPage = 'operations/database-role.md';
    for (const role of ['second', 'third']) await server.query(`CREATE ROLE ${role} LOGIN PASSWORD 'new'`);
    const DATABASE_URL = server.urlOf('second', 'new', 'rtms');
    const env = { FORMER_URL: ownerUrl, DATABASE_URL };
    await runFromPage(rolesPage, 'Giving the new role its rights', { env });
    await stack.gateway.stop();
    stack.gateway.configure({ DATABASE_URL });
    await stack.gateway.start();
    await stack.api.createRoom();

    await stack.gateway.stop();
    const ADMIN_URL = Object.assign(new URL(server.adminUrl), { pathname: '/rtms' }).href;
    const owners = { DATABASE_OWNER_URL: server.urlOf('third', 'new', 'rtms'), DATABASE_URL: ownerUrl };
    const roles = { ADMIN_URL, ROLE: 'rtms', OWNER: 'third' };
    await runFromPage(rolesPage, 'Keeping the name of the serving role', { env: { ...owners, ...roles } });
    stack.gateway.configure({ DATABASE_URL: ownerUrl });
    await stack.gateway.start();
    await stack.api.createRoom();
    const { findings } = await stack.admin.expect(200, 'GET', '/admin/v1/doctor');
    expect(findings.find(({ check }) => check === 'database-role')).toMatchObject({ level: 'ok' });
  });

  it('moves into an empty database by the commands of the page on upgrades', async () => {
    const meetingID = await stack.api.createRoom();
    await stack.gateway.stop();
    await server.query('CREATE DATABASE moved OWNER third');
    const asAdmin = (name: string) => Object.assign(new URL(server.adminUrl), { pathname: `/${name}` }).href;
    const DATABASE_URL = server.urlOf('rtms', 'owner', 'moved');
    const env = {
      ...{ BACKUP: folder, FORMER_URL: asAdmin('rtms'), ADMIN_URL: asAdmin('moved') },
      ...{ DATABASE_URL, DATABASE_OWNER_URL: server.urlOf('third', 'new', 'moved') },
    };
    await runFromPage('operations/upgrade.md', 'From before the first release', { env });
    stack.gateway.configure({ DATABASE_URL });
    await stack.gateway.start();
    const { status, body } = await stack.api.call('GET', `/v1/rooms?meetingID=${meetingID}`);
    expect([status, body.room?.meetingID]).toEqual([200, meetingID]);
  });
});
