import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { CLOCK } from '../runtime.module.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';
import { DashboardUser } from './dashboard-user.entity.js';
import { hashPassword } from './passwords.js';

export const resetLifetimeMs = 3_600_000;

/** A user has one link at most: a new one takes the place of the former. */
const issueStatement = `
INSERT INTO dashboard_password_resets (user_id, token_hash, expires_at) VALUES ($1, $2, $3)
ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`;
const takeStatement = `
DELETE FROM dashboard_password_resets WHERE token_hash = $1 AND expires_at > $2 RETURNING user_id AS "userID"`;

export interface ResetLink {
  url: string;
  expiresAt: Date;
}

/** Links by which users choose a new password without the former one. No mail is sent: the administrator hands the link over. */
@Injectable()
export class PasswordResets {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly hasher: KeyedHasher,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'publicUrl'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The token stands in the fragment, which no browser sends and no server logs. */
  async issue(userID: string): Promise<ResetLink> {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(this.clock.now() + resetLifetimeMs);
    await this.database.query(issueStatement, [userID, await this.hashOf(token), expiresAt]);
    return { url: `${this.config.publicUrl}/dashboard/reset-password#${token}`, expiresAt };
  }

  /** Sets the password, once for each link, and ends every session of the user. */
  async take(token: string, newPassword: string): Promise<DashboardUser> {
    const [hash, passwordHash] = await Promise.all([this.hashOf(token), hashPassword(newPassword)]);
    return this.database.transaction(async manager => {
      const now = new Date(this.clock.now());
      const [[taken]] = await manager.query<[{ userID: string }[], number]>(takeStatement, [hash, now]);
      const user = taken && (await manager.findOneBy(DashboardUser, { id: taken.userID }));
      if (!user) {
        throw new ServiceError(
          'invalid_credentials',
          'This link was used before or has expired. Ask an administrator for a new one.',
        );
      }
      await manager.update(DashboardUser, user.id, { passwordHash });
      await manager.query('DELETE FROM dashboard_sessions WHERE user_id = $1', [user.id]);
      return user;
    });
  }

  private hashOf(token: string): Promise<Buffer> {
    return this.hasher.hash('password-reset-hash', token);
  }
}
