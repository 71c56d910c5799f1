import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import type { DashboardRole } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import type { AccountState } from '../accounts/account.entity.js';
import { newID } from '../ids/new-id.js';
import { CLOCK } from '../runtime.module.js';
import { sameHash } from '../secrets/keyed-hash.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';

const hour = 3_600_000;
/** Without a request; and at the latest. */
export const idleMs = 12 * hour;
export const lifetimeMs = 7 * 24 * hour;
/** How often it is written down that a session is used. */
const noteMs = 60_000;

/** A session with what decides now what its user may do. */
export interface SignedIn {
  sessionID: string;
  userID: string;
  email: string;
  role: DashboardRole;
  totpEnabled: boolean;
  account: { accountID: string; name: string; apiUserName: string; state: AccountState } | null;
  lastSeenAt: Date;
  /** When the user last typed the password. */
  confirmedAt: Date;
  expiresAt: Date;
  csrfToken: string;
}

type Row = Omit<SignedIn, 'account' | 'csrfToken'> & {
  hash: Buffer;
  accountID: string | null;
  name: string;
  apiUserName: string;
  state: AccountState;
};

const findStatement = `
SELECT s.token_hash AS hash, s.id AS "sessionID", s.last_seen_at AS "lastSeenAt", s.confirmed_at AS "confirmedAt", s.expires_at AS "expiresAt",
  u.id AS "userID", u.email, u.role, u.totp_enabled AS "totpEnabled",
  a.id AS "accountID", a.name, a.api_user_name AS "apiUserName", a.state
FROM dashboard_sessions s JOIN dashboard_users u ON u.id = s.user_id LEFT JOIN accounts a ON a.id = u.account_id
WHERE s.token_hash = $1 AND s.expires_at > $2 AND s.last_seen_at > $3`;

const openStatement = `
INSERT INTO dashboard_sessions (id, user_id, token_hash, created_at, last_seen_at, confirmed_at, expires_at)
VALUES ($1, $2, $3, $4, $4, $4, $5)`;

const forgetStatement = `
DELETE FROM dashboard_sessions WHERE id IN (
  SELECT id FROM dashboard_sessions WHERE expires_at < $1 ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)`;

/**
 * Who is signed in. Sessions are read anew for each request, so that one that ended on one replica is refused by all
 * of them at once. Of the token only a keyed hash is kept.
 */
@Injectable()
export class DashboardSessions {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly hasher: KeyedHasher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The token of a new session. */
  async open(userID: string): Promise<string> {
    const now = this.clock.now();
    const token = randomBytes(32).toString('base64url');
    const hash = await this.hashOf(token);
    await this.database.query(forgetStatement, [new Date(now)]);
    await this.database.query(openStatement, [newID('dses'), userID, hash, new Date(now), new Date(now + lifetimeMs)]);
    return token;
  }

  async find(token: string): Promise<SignedIn | undefined> {
    const now = this.clock.now();
    const hash = await this.hashOf(token);
    const rows = await this.database.query<Row[]>(findStatement, [hash, new Date(now), new Date(now - idleMs)]);
    const row = rows.find(each => sameHash(each.hash, hash));
    if (!row) return undefined;
    await this.note(row, now);
    return toSignedIn(row, await this.csrfTokenOf(token));
  }

  /** Whether it has not ended since it was found. */
  async isOpen(sessionID: string): Promise<boolean> {
    const statement = `SELECT 1 FROM dashboard_sessions s JOIN dashboard_users u ON u.id = s.user_id
      LEFT JOIN accounts a ON a.id = u.account_id
      WHERE s.id = $1 AND s.expires_at > $2 AND a.state IS DISTINCT FROM 'disabled'`;
    return (await this.database.query<unknown[]>(statement, [sessionID, new Date(this.clock.now())])).length > 0;
  }

  /** The user has typed the password again. */
  async confirm(sessionID: string): Promise<void> {
    const statement = 'UPDATE dashboard_sessions SET confirmed_at = $2 WHERE id = $1';
    await this.database.query(statement, [sessionID, new Date(this.clock.now())]);
  }

  async close(sessionID: string): Promise<void> {
    await this.database.query('DELETE FROM dashboard_sessions WHERE id = $1', [sessionID]);
  }

  private hashOf(token: string): Promise<Buffer> {
    return this.hasher.hash('dashboard-session-hash', token);
  }

  /** Nobody who does not know the session's token can compute it, and it does not give that away. */
  private async csrfTokenOf(token: string): Promise<string> {
    return (await this.hasher.hash('dashboard-csrf-token', token)).toString('base64url');
  }

  private async note(row: Row, now: number): Promise<void> {
    if (now - row.lastSeenAt.getTime() < noteMs) return;
    row.lastSeenAt = new Date(now);
    const statement = 'UPDATE dashboard_sessions SET last_seen_at = GREATEST(last_seen_at, $2) WHERE id = $1';
    await this.database.query(statement, [row.sessionID, row.lastSeenAt]);
  }
}

function toSignedIn({ accountID, name, apiUserName, state, hash: _, ...row }: Row, csrfToken: string): SignedIn {
  return { ...row, csrfToken, account: accountID === null ? null : { accountID, name, apiUserName, state } };
}
