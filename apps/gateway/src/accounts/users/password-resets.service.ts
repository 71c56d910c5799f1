import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { KeyedHasher } from '../../platform/secrets/keyed-hasher.js';
import { hashPassword } from './credentials.js';
import { DashboardPasswordReset, DashboardSession, DashboardUser } from './dashboard-user.entities.js';

const resetLifetimeMs = 3_600_000;

export interface ResetLink {
  url: string;
  expiresAt: Date;
}

/** Links with which users set a new password without the old password. The gateway sends no mail: whoever made the link passes it on. */
@Injectable()
export class PasswordResetsService {
  constructor(
    @InjectRepository(DashboardPasswordReset) private readonly resets: Repository<DashboardPasswordReset>,
    private readonly hasher: KeyedHasher,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'publicUrl'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Replaces the user's earlier link. The URL has the token in its fragment, which browsers do not send and servers do not log. */
  async issue(userID: string, manager = this.resets.manager): Promise<ResetLink> {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(this.clock.now() + resetLifetimeMs);
    const reset = { userID, tokenHash: await this.hashOf(token), expiresAt };
    await manager.upsert(DashboardPasswordReset, reset, ['userID']);
    return { url: `${this.config.publicUrl}/dashboard/reset-password#${token}`, expiresAt };
  }

  /** Sets the password and ends every session of the user. A link works once. */
  async take(token: string, newPassword: string): Promise<DashboardUser> {
    const [tokenHash, passwordHash] = await Promise.all([this.hashOf(token), hashPassword(newPassword)]);
    return this.resets.manager.transaction(async manager => {
      const deleted = await manager
        .createQueryBuilder()
        .delete()
        .from(DashboardPasswordReset)
        .where('token_hash = :tokenHash AND expires_at > :now', { tokenHash, now: new Date(this.clock.now()) })
        .returning('user_id')
        .execute();
      const [taken] = deleted.raw as { user_id: string }[];
      const user = taken && (await manager.findOneBy(DashboardUser, { id: taken.user_id }));
      if (!user) {
        throw new ServiceError(
          'invalid_credentials',
          'This link was used before or has expired. Ask an owner of your account or an administrator for a new one.',
        );
      }
      await manager.update(DashboardUser, user.id, { passwordHash });
      await manager.delete(DashboardSession, { userID: user.id });
      return user;
    });
  }

  private hashOf(token: string): Promise<Buffer> {
    return this.hasher.hash('password-reset-hash', token);
  }
}
