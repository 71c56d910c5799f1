import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError, type DashboardRole } from '@rtms/contracts';
import { Not, Repository } from 'typeorm';
import { explainViolation } from '../../platform/database/database-errors.js';
import { listRows, type Listed, type Page } from '../../platform/rows/list-rows.js';
import { newID } from '../../platform/database/new-id.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { hashPassword, normaliseEmail, randomPassword } from './credentials.js';
import {
  DashboardPasswordReset,
  DashboardRecoveryCode,
  DashboardSession,
  DashboardUser,
  membership,
} from './dashboard-user.entities.js';

export interface NewDashboardUser {
  email: string;
  role: DashboardRole;
  /** null for an administrator. */
  accountID: string | null;
  /** Default: a random password. */
  password?: string | undefined;
}

/** Only the answer that creates a password shows it. */
export interface IssuedUser {
  user: DashboardUser;
  password: string;
}

const explain = explainViolation({
  dashboard_users_email_key: ['name_taken', 'Another dashboard user has this email address.'],
});

@Injectable()
export class DashboardUsersService {
  constructor(
    @InjectRepository(DashboardUser) private readonly users: Repository<DashboardUser>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws CONFLICT, `name_taken`, when another user has the email address. */
  async create({ email, role, accountID, password = randomPassword() }: NewDashboardUser): Promise<IssuedUser> {
    const passwordHash = await hashPassword(password);
    return { user: await this.insert({ email, role, accountID, passwordHash }), password };
  }

  /** Throws CONFLICT, `name_taken`, when another user has the email address. */
  async insert(
    { email, role, accountID, passwordHash }: Omit<NewDashboardUser, 'password'> & { passwordHash: string },
    manager = this.users.manager,
  ): Promise<DashboardUser> {
    const user = this.users.create({
      id: newID('user'),
      email: normaliseEmail(email),
      passwordHash,
      ...membership(role, accountID),
      encryptedTotpSecret: null,
      totpEnabled: false,
      createdAt: new Date(this.clock.now()),
    });
    await manager.insert(DashboardUser, user).catch(explain);
    return user;
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
  list(page: Page): Promise<Listed<DashboardUser>> {
    return listRows(this.users, {}, page);
  }

  /** Ends the user's sessions except `keptSessionID`, and voids a reset link. */
  async setPassword(userID: string, password: string, keptSessionID?: string): Promise<void> {
    const passwordHash = await hashPassword(password);
    await this.users.manager.transaction(async manager => {
      // `PasswordResetsService.take` locks in the same order, so that the two transactions cannot deadlock.
      await manager.delete(DashboardPasswordReset, { userID });
      await manager.update(DashboardUser, userID, { passwordHash });
      const kept = keptSessionID === undefined ? {} : { id: Not(keptSessionID) };
      await manager.delete(DashboardSession, { userID, ...kept });
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
      await manager.delete(DashboardRecoveryCode, { userID });
    });
    return this.find(userID);
  }
}
