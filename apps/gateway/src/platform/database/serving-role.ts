import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';

interface Queryable {
  query<Rows>(statement: string, parameters?: unknown[]): Promise<Rows>;
}

/** The role in `DATABASE_URL`, which gateways use. */
export interface ServingRole {
  name: string;
  password: string;
}

export function servingRoleOf(url: string): ServingRole {
  const { username, password } = new URL(url);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** The role does not exist, and the owner may not create it. */
export class NoServingRoleError extends Error {}

/**
 * Lets the serving role read and write the rows of all tables, also of later migrations, and nothing else. Creates the role if the
 * owner may. Runs before the migrations, because a new trigger may write to a new table while older gateways run.
 */
export async function admitServingRole(owner: Queryable, role: ServingRole): Promise<void> {
  await ensureRole(owner, role);
  const name = pg.escapeIdentifier(role.name);
  const schema = await schemaOf(owner);
  // Until PostgreSQL 14 every role may create tables in `public`.
  await owner.query(`REVOKE CREATE ON SCHEMA ${schema} FROM PUBLIC`);
  await owner.query(`GRANT USAGE ON SCHEMA ${schema} TO ${name}`);
  await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${name}`);
  await owner.query(
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${name}`,
  );
}

/** Gateways only read the applied migrations. */
export async function protectMigrations(owner: Queryable, { name }: ServingRole): Promise<void> {
  await owner.query(
    `REVOKE INSERT, UPDATE, DELETE ON migrations, schema_requirements FROM ${pg.escapeIdentifier(name)}`,
  );
}

/** Returns the rights of the connection's role beyond reading and writing rows. An empty list is best. */
export async function readExcessRights(database: Queryable): Promise<string[]> {
  const [row] = await database.query<[Record<string, boolean>]>(excessStatement);
  return Object.entries(row)
    .filter(([, has]) => has)
    .map(([right]) => right);
}

const excessStatement = `
SELECT r.rolsuper AS "is a superuser", r.rolcreaterole AS "may create roles", r.rolcreatedb AS "may create databases",
  has_schema_privilege(current_schema(), 'CREATE') AS "may create tables",
  EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relkind IN ('r', 'p')
    AND pg_has_role(c.relowner, 'MEMBER')) AS "owns tables"
FROM pg_roles r WHERE r.rolname = current_user`;

async function schemaOf(owner: Queryable): Promise<string> {
  const [{ schema }] = await owner.query<[{ schema: string }]>('SELECT current_schema() AS schema');
  return pg.escapeIdentifier(schema);
}

async function ensureRole(owner: Queryable, { name, password }: ServingRole): Promise<void> {
  if ((await owner.query<unknown[]>('SELECT FROM pg_roles WHERE rolname = $1', [name])).length > 0) return;
  const identifier = pg.escapeIdentifier(name);
  // PostgreSQL logs statements and shows them in errors, so they must not contain the password.
  const secret = password === '' ? 'NULL' : pg.escapeLiteral(scramVerifier(password));
  try {
    await owner.query(`CREATE ROLE ${identifier} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${secret}`);
  } catch (error) {
    const code = (error as { driverError?: { code?: unknown } }).driverError?.code;
    // Another migration on the same server has created the role meanwhile.
    if (code === '42710' || code === '23505') return;
    if (code !== '42501') throw error;
    throw new NoServingRoleError(
      `The role ${identifier} of DATABASE_URL does not exist, and the role of DATABASE_OWNER_URL may not create roles. ` +
        `As an administrator of the database run: CREATE ROLE ${identifier} LOGIN PASSWORD '…';`,
    );
  }
}

/** The form in which PostgreSQL stores a password (RFC 5803, SCRAM-SHA-256). */
function scramVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const keyOf = (use: string): Buffer => createHmac('sha256', salted).update(use).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const serverKey = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
