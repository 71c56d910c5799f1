import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { LessThan, Repository } from 'typeorm';
import type { AccountState } from '../../platform/auth/caller.js';
import type { SignedIn } from '../../platform/auth/signed-in.decorators.js';
import { newID } from '../../platform/database/new-id.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { sameHash } from '../../platform/secrets/cryptography.js';
import { KeyedHasher } from '../../platform/secrets/keyed-hasher.js';
import { Account } from '../account/account.entity.js';
import { DashboardSession, DashboardUser } from '../users/dashboard-user.entities.js';

const hour = 3_600_000;
/** A session ends after 12 hours without a request, and after 7 days in any case. */
export const idleMs = 12 * hour;
export const lifetimeMs = 7 * 24 * hour;
/** `lastSeenAt` is stored at most once in this time. */
const noteMs = 60_000;
const forgottenAtOnce = 100;

type Row = Omit<SignedIn, 'account' | 'csrfToken'> & {
  hash: Buffer;
  accountID: string | null;
  name: string;
  apiUserName: string;
  state: AccountState;
};

const columns = [
  ...['s.tokenHash AS hash', 's.id AS "sessionID"', 's.lastSeenAt AS "lastSeenAt"', 's.confirmedAt AS "confirmedAt"'],
  ...['s.expiresAt AS "expiresAt"', 'u.id AS "userID"', 'u.email AS email', 'u.role AS role'],
  ...['u.totpEnabled AS "totpEnabled"', 'a.id AS "accountID"', 'a.name AS name', 'a.apiUserName AS "apiUserName"'],
  'a.state AS state',
];

/**
 * The sessions of signed-in users. The gateway reads a session for each request, so that every replica refuses an ended
 * session at once. It stores only a keyed hash of the token.
 */
@Injectable()
export class DashboardSessionsService {
  constructor(
    @InjectRepository(DashboardSession) private readonly sessions: Repository<DashboardSession>,
    private readonly hasher: KeyedHasher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the token of a new session. */
  async open(userID: string): Promise<string> {
    const now = new Date(this.clock.now());
    const token = randomBytes(32).toString('base64url');
    await this.forgetEnded(now);
    await this.sessions.insert({
      id: newID('dses'),
      userID,
      tokenHash: await this.hashOf(token),
      createdAt: now,
      lastSeenAt: now,
      confirmedAt: now,
      expiresAt: new Date(now.getTime() + lifetimeMs),
    });
    return token;
  }

  async find(token: string): Promise<SignedIn | undefined> {
    const now = this.clock.now();
    const hash = await this.hashOf(token);
    const row = await this.sessionsWithUsers()
      .select(columns)
      .where('s.tokenHash = :hash AND s.expiresAt > :now AND s.lastSeenAt > :seen')
      .setParameters({ hash, now: new Date(now), seen: new Date(now - idleMs) })
      .getRawOne<Row>();
    if (!row || !sameHash(row.hash, hash)) return undefined;
    await this.note(row, now);
    return toSignedIn(row, await this.csrfTokenOf(token));
  }

  /** Returns whether a session that was found earlier has not ended. */
  isOpen(sessionID: string): Promise<boolean> {
    return this.sessionsWithUsers()
      .where("s.id = :sessionID AND s.expiresAt > :now AND a.state IS DISTINCT FROM 'disabled'")
      .setParameters({ sessionID, now: new Date(this.clock.now()) })
      .getExists();
  }

  /** Notes that the user has typed the password again. */
  async confirm(sessionID: string): Promise<void> {
    await this.sessions.update(sessionID, { confirmedAt: new Date(this.clock.now()) });
  }

  async close(sessionID: string): Promise<void> {
    await this.sessions.delete(sessionID);
  }

  private sessionsWithUsers() {
    return this.sessions
      .createQueryBuilder('s')
      .innerJoin(DashboardUser, 'u', 'u.id = s.userID')
      .leftJoin(Account, 'a', 'a.id = COALESCE(u.ownedAccountID, u.memberAccountID)');
  }

  /** Skips rows that another sign-in is deleting. */
  private async forgetEnded(now: Date): Promise<void> {
    const ended = this.sessions
      .createQueryBuilder('ended')
      .select('ended.id')
      .where('ended.expiresAt < :now')
      .orderBy('ended.expiresAt')
      .limit(forgottenAtOnce);
    const ids = `id IN (${ended.getQuery()} FOR UPDATE SKIP LOCKED)`;
    await this.sessions.createQueryBuilder().delete().where(ids, { now }).execute();
  }

  private hashOf(token: string): Promise<Buffer> {
    return this.hasher.hash('dashboard-session-hash', token);
  }

  /** Only a client that knows the session's token can compute the CSRF token, which does not reveal the session's. */
  private async csrfTokenOf(token: string): Promise<string> {
    return (await this.hasher.hash('dashboard-csrf-token', token)).toString('base64url');
  }

  private async note(row: Row, now: number): Promise<void> {
    if (now - row.lastSeenAt.getTime() < noteMs) return;
    const lastSeenAt = new Date(now);
    row.lastSeenAt = lastSeenAt;
    await this.sessions.update({ id: row.sessionID, lastSeenAt: LessThan(lastSeenAt) }, { lastSeenAt });
  }
}

function toSignedIn({ accountID, name, apiUserName, state, hash: _, ...row }: Row, csrfToken: string): SignedIn {
  return { ...row, csrfToken, account: accountID === null ? null : { accountID, name, apiUserName, state } };
}
