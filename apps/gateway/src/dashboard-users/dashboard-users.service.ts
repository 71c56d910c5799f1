import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError, type DashboardRole } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { isUniqueViolation } from '../database/database-errors.js';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import { newID } from '../ids/new-id.js';
import { CLOCK } from '../runtime.module.js';
import { DashboardUser } from './dashboard-user.entity.js';
import { normaliseEmail } from './email.js';
import { hashPassword, randomPassword } from './passwords.js';

export interface NewDashboardUser {
  email: string;
  role: DashboardRole;
  /** Of an owner. */
  accountID: string | null;
  /** Default: a random one. */
  password?: string | undefined;
}

/** A user whose password is known for this once. */
export interface IssuedUser {
  user: DashboardUser;
  password: string;
}

@Injectable()
export class DashboardUsersService {
  constructor(
    @InjectRepository(DashboardUser) private readonly users: Repository<DashboardUser>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** CONFLICT when somebody has the e-mail address. */
  async create({ email, role, accountID, password = randomPassword() }: NewDashboardUser): Promise<IssuedUser> {
    const user = this.users.create({
      id: newID('user'),
      email: normaliseEmail(email),
      passwordHash: await hashPassword(password),
      role,
      accountID,
      encryptedTotpSecret: null,
      totpEnabled: false,
      createdAt: new Date(this.clock.now()),
    });
    await this.users.insert(user).catch((error: unknown) => {
      if (!isUniqueViolation(error, 'dashboard_users_email_key')) throw error;
      throw new ServiceError('name_taken', 'There is a dashboard user with this e-mail address.');
    });
    return { user, password };
  }

  async find(userID: string): Promise<DashboardUser> {
    const user = await this.users.findOneBy({ id: userID });
    if (!user) throw new ServiceError('not_found', 'There is no such dashboard user.');
    return user;
  }

  async findByEmail(email: string): Promise<DashboardUser | undefined> {
    return (await this.users.findOneBy({ email: normaliseEmail(email) })) ?? undefined;
  }

  /** Newest first. */
  async list({ startIndex, pageSize }: Page): Promise<Listed<DashboardUser>> {
    const order = { createdAt: 'DESC', id: 'DESC' } as const;
    const [items, total] = await this.users.findAndCount({ order, skip: startIndex, take: pageSize });
    return { items, total };
  }

  /** Ends the user's sessions, but for the one that is to stay, and voids a reset link. */
  async setPassword(userID: string, password: string, keptSessionID?: string): Promise<void> {
    const passwordHash = await hashPassword(password);
    await this.users.manager.transaction(async manager => {
      // First, as in `PasswordResets.take`: two transactions that lock in one order cannot deadlock.
      await manager.query('DELETE FROM dashboard_password_resets WHERE user_id = $1', [userID]);
      await manager.update(DashboardUser, userID, { passwordHash });
      const statement = 'DELETE FROM dashboard_sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2';
      await manager.query(statement, [userID, keptSessionID ?? null]);
    });
  }

  async resetPassword(userID: string): Promise<IssuedUser> {
    const user = await this.find(userID);
    const password = randomPassword();
    await this.setPassword(userID, password);
    return { user, password };
  }

  async resetTotp(userID: string): Promise<DashboardUser> {
    await this.users.manager.transaction(async manager => {
      await manager.update(DashboardUser, userID, { totpEnabled: false, encryptedTotpSecret: null });
      await manager.query('DELETE FROM dashboard_recovery_codes WHERE user_id = $1', [userID]);
    });
    return this.find(userID);
  }

  /** With its sessions. */
  async delete(userID: string): Promise<void> {
    await this.find(userID);
    await this.users.delete(userID);
  }
}
