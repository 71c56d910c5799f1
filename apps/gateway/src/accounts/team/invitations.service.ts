import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError, type AccountRole } from '@rtms/contracts';
import { LessThanOrEqual, MoreThan, Repository, type EntityManager } from 'typeorm';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { newID } from '../../platform/database/new-id.js';
import type { Listed, Page } from '../../platform/rows/list-rows.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { KeyedHasher } from '../../platform/secrets/keyed-hasher.js';
import { AccountQuotasService } from '../limits/account-quotas.service.js';
import { hashPassword, normaliseEmail } from '../users/credentials.js';
import { DashboardInvitation, DashboardUser } from '../users/dashboard-user.entities.js';
import { DashboardUsersService } from '../users/dashboard-users.service.js';
import { inAccount, requireOwner } from './team.service.js';

const invitationLifetimeMs = 7 * 24 * 3_600_000;

interface NewInvitation {
  accountID: string;
  /** The owner who invites. */
  actorID: string;
  email: string;
  role: AccountRole;
}

/** Links with which people become users of an account. The gateway sends no mail: an owner passes the link on. */
@Injectable()
export class InvitationsService {
  constructor(
    @InjectRepository(DashboardInvitation) private readonly invitations: Repository<DashboardInvitation>,
    private readonly users: DashboardUsersService,
    private readonly quotas: AccountQuotasService,
    private readonly hasher: KeyedHasher,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'publicUrl'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Returns the invitation and the URL of its page. The token is in the fragment, which browsers do not send and servers do not log.
   * Throws CONFLICT, `already_exists`, for a user or an open invitation of the account. Another account's user shows only at the
   * acceptance, so that invitations do not reveal who uses the platform.
   */
  async create({
    accountID,
    actorID,
    email,
    role,
  }: NewInvitation): Promise<{ invitation: DashboardInvitation; url: string }> {
    const now = this.clock.now();
    const token = randomBytes(32).toString('base64url');
    const invitation = this.invitations.create({
      ...{ id: newID('inv'), accountID, email: normaliseEmail(email), role, tokenHash: await this.hashOf(token) },
      ...{ invitedBy: actorID, createdAt: new Date(now), expiresAt: new Date(now + invitationLifetimeMs) },
    });
    const use = { limit: 'users', count: (manager: EntityManager) => this.countUsers(manager, accountID) } as const;
    await this.quotas.add(accountID, [use], async manager => {
      await requireOwner(manager, { accountID, actorID });
      await requireUnknown(manager, invitation);
      await manager.insert(DashboardInvitation, invitation);
    });
    return { invitation, url: `${this.config.publicUrl}/dashboard/invitation#${token}` };
  }

  /** Newest first. */
  async list(accountID: string, { startIndex, pageSize }: Page): Promise<Listed<DashboardInvitation>> {
    const [items, total] = await this.invitations.findAndCount({
      where: { accountID, expiresAt: MoreThan(new Date(this.clock.now())) },
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: startIndex,
      take: pageSize,
    });
    return { items, total };
  }

  async revoke(accountID: string, id: string): Promise<void> {
    const { affected } = await this.invitations.delete({ accountID, id });
    if (!affected) throw new ServiceError('not_found', 'There is no such open invitation in this account.');
  }

  /** Creates the user. A link works once; it goes on working if another user has the email address. */
  async accept(token: string, password: string): Promise<DashboardUser> {
    const [tokenHash, passwordHash] = await Promise.all([this.hashOf(token), hashPassword(password)]);
    return this.invitations.manager.transaction(async manager => {
      const found = await manager.findOne(DashboardInvitation, {
        where: { tokenHash, expiresAt: MoreThan(new Date(this.clock.now())) },
        lock: { mode: 'pessimistic_write' },
      });
      if (!found) {
        throw new ServiceError(
          'invalid_credentials',
          'This invitation was used or revoked before, or has expired. Ask an owner of the account for a new one.',
        );
      }
      await manager.delete(DashboardInvitation, found.id);
      const { email, role, accountID } = found;
      return this.users.insert({ email, role, accountID, passwordHash }, manager);
    });
  }

  /** Open invitations count too, so that their acceptance never goes beyond the limit. */
  private async countUsers(manager: EntityManager, accountID: string): Promise<number> {
    const now = new Date(this.clock.now());
    await manager.delete(DashboardInvitation, { accountID, expiresAt: LessThanOrEqual(now) });
    const users = await manager.countBy(DashboardUser, inAccount(accountID));
    return users + (await manager.countBy(DashboardInvitation, { accountID }));
  }

  private hashOf(token: string): Promise<Buffer> {
    return this.hasher.hash('invitation-hash', token);
  }
}

async function requireUnknown(manager: EntityManager, { accountID, email }: DashboardInvitation): Promise<void> {
  if (await manager.existsBy(DashboardInvitation, { accountID, email })) {
    throw new ServiceError('already_exists', 'This email address has an open invitation. Revoke it to make another.');
  }
  if (
    await manager.existsBy(
      DashboardUser,
      inAccount(accountID).map(each => ({ ...each, email })),
    )
  ) {
    throw new ServiceError('already_exists', 'This email address belongs to a user of the account.');
  }
}
