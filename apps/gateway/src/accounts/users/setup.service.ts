import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { Repository, type EntityManager } from 'typeorm';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { sameHash } from '../../platform/secrets/cryptography.js';
import { KeyedHasher } from '../../platform/secrets/keyed-hasher.js';
import { hashPassword } from './credentials.js';
import { DashboardUser } from './dashboard-user.entities.js';
import { lockAllUsers } from './dashboard-users.repository.js';
import { DashboardUsersService } from './dashboard-users.service.js';

const setupLifetimeMs = 3_600_000;
/** 128 bits of the keyed hash, in base64url. */
const hashBytes = 16;

/** The time in ms at which the code stops working, in base 36, and the hash of this time. */
export const setupCodeForm = /^[a-z\d]{8,9}-[\w-]{22}$/;

/**
 * The first administrator, created in the browser. The set-up code proves that its holder may administer the platform: only the
 * administrator's token gets one. Nothing is stored for a code, because no code works once the platform has an administrator.
 */
@Injectable()
export class SetupService {
  constructor(
    @InjectRepository(DashboardUser) private readonly users: Repository<DashboardUser>,
    private readonly dashboardUsers: DashboardUsersService,
    private readonly hasher: KeyedHasher,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'publicUrl'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns whether nobody can sign in yet. */
  async isEmpty(): Promise<boolean> {
    return !(await this.users.exists());
  }

  /** Throws CONFLICT, `already_exists`, when the platform has an administrator. */
  async issueLink(): Promise<{ url: string; expiresAt: Date }> {
    await requireNoAdministrator(this.users.manager);
    const expiresAt = this.clock.now() + setupLifetimeMs;
    const code = `${expiresAt.toString(36)}-${(await this.hashOf(expiresAt)).toString('base64url')}`;
    return { url: `${this.config.publicUrl}/dashboard/setup#${code}`, expiresAt: new Date(expiresAt) };
  }

  /** Creates the administrator. Of concurrent requests, on any replica, one succeeds. */
  async createAdministrator(code: string, email: string, password: string): Promise<DashboardUser> {
    await this.requireCode(code);
    const passwordHash = await hashPassword(password);
    return this.users.manager.transaction(async manager => {
      await lockAllUsers(manager);
      await requireNoAdministrator(manager);
      return this.dashboardUsers.insert({ email, role: 'administrator', accountID: null, passwordHash }, manager);
    });
  }

  private async requireCode(code: string): Promise<void> {
    const [, time = '', hash = ''] = /^([a-z\d]+)-(.+)$/.exec(code) ?? [];
    const expiresAt = Number.parseInt(time, 36);
    const isIssued = sameHash(Buffer.from(hash, 'base64url'), await this.hashOf(expiresAt));
    if (isIssued && expiresAt > this.clock.now()) return;
    throw new ServiceError(
      'invalid_credentials',
      'This set-up code is wrong or has expired. Run `rtms-admin setup-link` for a new one.',
    );
  }

  private async hashOf(expiresAt: number): Promise<Buffer> {
    return (await this.hasher.hash('setup-code-hash', String(expiresAt))).subarray(0, hashBytes);
  }
}

async function requireNoAdministrator(manager: EntityManager): Promise<void> {
  if (await manager.existsBy(DashboardUser, { role: 'administrator' })) {
    throw new ServiceError('already_exists', 'The platform has an administrator. Sign in, or ask the administrator.');
  }
}
