import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ServiceError, type AccountRole } from '@rtms/contracts';
import { Repository, type EntityManager } from 'typeorm';
import type { Listed, Page } from '../../platform/rows/list-rows.js';
import { inLockedAccount } from '../account/accounts.repository.js';
import { DashboardInvitation, DashboardUser, membership } from '../users/dashboard-user.entities.js';
import { PasswordResetsService, type ResetLink } from '../users/password-resets.service.js';

/** An owner who changes a user of the same account. */
interface TeamChange {
  accountID: string;
  /** The owner. */
  actorID: string;
  userID: string;
}

/**
 * The users of one account. Each change locks the account first, so that two owners who remove each other at the same time cannot
 * leave the account without an owner.
 */
@Injectable()
export class TeamService {
  constructor(
    @InjectRepository(DashboardUser) private readonly users: Repository<DashboardUser>,
    private readonly resets: PasswordResetsService,
  ) {}

  /** Newest first. */
  async list(accountID: string, { startIndex, pageSize }: Page): Promise<Listed<DashboardUser>> {
    const [items, total] = await this.users.findAndCount({
      where: inAccount(accountID),
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: startIndex,
      take: pageSize,
    });
    return { items, total };
  }

  /** The new role counts from the user's next request on. A former owner's invitations are revoked. Throws CONFLICT, `last_owner`. */
  changeRole(change: TeamChange, role: AccountRole): Promise<DashboardUser> {
    return this.change(change, async (manager, user) => {
      if (role !== 'owner') {
        await requireOtherOwner(manager, user, change.accountID);
        await manager.delete(DashboardInvitation, { invitedBy: user.id });
      }
      await manager.update(DashboardUser, user.id, membership(role, change.accountID));
      return Object.assign(user, membership(role, change.accountID));
    });
  }

  /** Also deletes the user's sessions, reset link and invitations. Throws CONFLICT, `last_owner`. */
  remove(change: TeamChange): Promise<void> {
    return this.change(change, async (manager, user) => {
      await requireOtherOwner(manager, user, change.accountID);
      await manager.delete(DashboardUser, user.id);
    });
  }

  issueResetLink(change: TeamChange): Promise<{ user: DashboardUser; link: ResetLink }> {
    return this.change(change, async (manager, user) => ({ user, link: await this.resets.issue(user.id, manager) }));
  }

  /** For administrators, who may also delete the only user of an account. */
  async delete({ id, accountID }: DashboardUser): Promise<void> {
    if (accountID === null) {
      await this.users.delete(id);
      return;
    }
    await inLockedAccount(this.users.manager, accountID, async manager => {
      const user = await manager.findOneBy(DashboardUser, { id });
      if (!user) return;
      const others = (await manager.countBy(DashboardUser, inAccount(accountID))) - 1;
      if (others > 0) await requireOtherOwner(manager, user, accountID);
      await manager.delete(DashboardUser, id);
    });
  }

  private change<Result>(
    { accountID, actorID, userID }: TeamChange,
    work: (manager: EntityManager, user: DashboardUser) => Promise<Result>,
  ): Promise<Result> {
    return inLockedAccount(this.users.manager, accountID, async manager => {
      await requireOwner(manager, { accountID, actorID });
      const user = await manager.findOneBy(DashboardUser, { id: userID });
      if (user?.accountID !== accountID) throw new ServiceError('not_found', 'There is no such user in this account.');
      return work(manager, user);
    });
  }
}

/** Call it with the account locked: another owner may have changed the actor's role since the request was authenticated. */
export async function requireOwner(
  manager: EntityManager,
  { accountID, actorID }: Pick<TeamChange, 'accountID' | 'actorID'>,
): Promise<void> {
  if (await manager.existsBy(DashboardUser, { id: actorID, ownedAccountID: accountID })) return;
  throw new ServiceError('not_permitted', 'You are no longer an owner of this account.');
}

/** Developers and viewers have their account in another column than owners. */
export function inAccount(accountID: string) {
  return [{ ownedAccountID: accountID }, { memberAccountID: accountID }];
}

async function requireOtherOwner(manager: EntityManager, user: DashboardUser, accountID: string): Promise<void> {
  if (user.role !== 'owner') return;
  if ((await manager.countBy(DashboardUser, { ownedAccountID: accountID })) < 2) throw new ServiceError('last_owner');
}
