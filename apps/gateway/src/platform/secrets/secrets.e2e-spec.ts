import { startPostgres, type TestPostgres } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { SigningKeysService } from '../../accounts/signing-keys/signing-keys.service.js';
import {
  migratedSchema,
  startTestGateway,
  testAdminToken,
  type TestAccount,
  type TestGateway,
} from '../../testing/start-test-gateway.js';
import { sealedColumns, type SealedColumn } from './sealed-columns.js';
import { SecretVault } from './secret-vault.js';

const [older, old, current] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)];

describe('secrets at rest', () => {
  let postgres: TestPostgres;
  let databaseUrl: string;
  let gateway: TestGateway;
  let owner: TestAccount;

  beforeAll(async () => {
    postgres = await startPostgres({ template: migratedSchema });
  });
  afterAll(() => postgres.stop());

  beforeEach(async () => {
    databaseUrl = await postgres.createDatabase();
    await startWith(older);
    owner = await gateway.makeAccount();
  });
  afterEach(() => gateway?.close());

  const startWith = async (secretKey: Buffer, ...previousSecretKeys: Buffer[]): Promise<void> => {
    gateway = await startTestGateway({ databaseUrl, config: { secretKey, previousSecretKeys } });
  };
  const restartWith = async (secretKey: Buffer, ...previousSecretKeys: Buffer[]): Promise<void> => {
    await gateway.close();
    await startWith(secretKey, ...previousSecretKeys);
  };
  const create = async (path: string, fields: object) => {
    const request = gateway.http.post(path).set('Authorization', owner.authorization);
    const { body } = await request.send({ action: 'create', ...fields }).expect(201);
    return body;
  };
  const rotate = async () => {
    const request = gateway.http.post('/admin/v1/secrets/rotate').set('Authorization', `Bearer ${testAdminToken}`);
    return (await request.expect(200)).body.rotation;
  };
  const storeSecrets = async () => {
    const { aiCredential } = await create('/v1/aicredentials', {
      nickName: 'ears',
      kind: 'stt',
      provider: 'deepgram',
      apiKey: 'the key of the ears',
    });
    const { sipConfig } = await create('/v1/sipconfigs', {
      contactNumber: '+14155550100',
      peer: { host: 'sip.example', password: 'of the peer' },
      backupPeer: { host: 'backup.example', password: 'of the backup' },
    });
    await gateway.app.get(SigningKeysService, { strict: false }).signer();
    return { credentialID: aiCredential.aiCredentialID as string, sipConfigID: sipConfig.sipConfigID as string };
  };
  const sealedOf = async ({ table, idColumn, column }: SealedColumn, id: string): Promise<Buffer> => {
    const database = gateway.app.get(DataSource);
    const rows = await database.query<{ sealed: Buffer }[]>(
      `SELECT ${column} AS sealed FROM ${table} WHERE ${idColumn} = $1`,
      [id],
    );
    return rows[0]!.sealed;
  };
  const opened = async (column: SealedColumn, id: string, secretKey: Buffer): Promise<string> =>
    new SecretVault({ secretKey }).open(column, id, await sealedOf(column, id));

  it('are encrypted and bound to their row and column', async () => {
    const { credentialID } = await storeSecrets();
    const sealed = await sealedOf(sealedColumns.aiApiKey, credentialID);
    expect(sealed.includes('the key of the ears')).toBe(false);
    expect(await opened(sealedColumns.aiApiKey, credentialID, older)).toBe('the key of the ears');
    expect(() =>
      gateway.app.get(SecretVault, { strict: false }).open(sealedColumns.aiApiKey, 'cred_x', sealed),
    ).toThrow();
  });

  it('are all found by the rotation', async () => {
    const columns = await gateway.app.get(DataSource).query<{ table: string; column: string }[]>(
      `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name ~ '^(encrypted|sealed)'`,
    );
    const known = Object.values(sealedColumns).map(({ table, column }) => `${table}.${column}`);
    expect(columns.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(known.sort());
  });

  it('are all under the current key after a rotation', async () => {
    const { credentialID, sipConfigID } = await storeSecrets();
    await restartWith(current, old, older);
    expect(await rotate()).toEqual({ reencrypted: 5, unreadable: 0, done: true });
    await expect(opened(sealedColumns.aiApiKey, credentialID, current)).resolves.toBe('the key of the ears');
    await expect(opened(sealedColumns.sipPeerPassword, sipConfigID, current)).resolves.toBe('of the peer');
    await expect(opened(sealedColumns.sipBackupPassword, sipConfigID, current)).resolves.toBe('of the backup');
    expect(await rotate()).toEqual({ reencrypted: 0, unreadable: 0, done: true });
  });

  it('stay usable with the new key alone', async () => {
    await storeSecrets();
    await restartWith(current, older);
    await rotate();
    await restartWith(current);
    await create('/v1/rooms', { userName: 'Ada', secureCode: 'open sesame' });
    await gateway.http.get('/v1/aicredentials').set('Authorization', owner.authorization).expect(200);
  });

  it('continue an interrupted rotation', async () => {
    const { credentialID } = await storeSecrets();
    await restartWith(current, older);
    const sealed = new SecretVault({ secretKey: current }).seal(sealedColumns.aiApiKey, credentialID, 'done before');
    const statement = 'UPDATE ai_credentials SET encrypted_api_key = $1 WHERE id = $2';
    await gateway.app.get(DataSource).query(statement, [sealed, credentialID]);
    expect(await rotate()).toMatchObject({ reencrypted: 4 });
    expect(await sealedOf(sealedColumns.aiApiKey, credentialID)).toEqual(sealed);
  });

  it('can be rotated by several replicas at once', async () => {
    await storeSecrets();
    await restartWith(current, older);
    const progress: { reencrypted: number }[] = await Promise.all([rotate(), rotate(), rotate()]);
    expect(progress.reduce((sum, { reencrypted }) => sum + reencrypted, 0)).toBe(5);
  });

  it('are rotated in more than one batch', async () => {
    await gateway.app.get(DataSource).query(
      `INSERT INTO ai_credentials (id, account_id, nick_name, kind, provider, encrypted_api_key, masked_api_key)
       SELECT 'cred_' || n, $1, n::text, 'llm', 'x', $2, '' FROM generate_series(1, 1200) AS n`,
      [owner.accountID, Buffer.from('nobody can open this')],
    );
    await storeSecrets();
    await restartWith(current, older);
    expect(await rotate()).toEqual({ reencrypted: 5, unreadable: 1200, done: true });
  });

  it('stop the start if the key changed before the hash root was stored', async () => {
    await gateway.app.get(DataSource).query('DELETE FROM service_secrets');
    await restartWith(current, older);
    await gateway.http.get('/v1/rooms').set('Authorization', owner.authorization).expect(500);
    await restartWith(older);
    await gateway.http.get('/v1/rooms').set('Authorization', owner.authorization).expect(200);
  });
});
