import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { recoveryCodeCount, ServiceError } from '@rtms/contracts';
import { customAlphabet } from 'nanoid';
import { Secret, TOTP } from 'otpauth';
import { Repository } from 'typeorm';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { KeyedHasher } from '../../platform/secrets/keyed-hasher.js';
import { sealedColumns } from '../../platform/secrets/sealed-columns.js';
import { SecretVault } from '../../platform/secrets/secret-vault.js';
import { DashboardRecoveryCode, DashboardUser } from '../users/dashboard-user.entities.js';

/** The defaults of authenticator apps: RFC 6238 with SHA-1, six digits, 30 s. */
const form = { issuer: 'RTMS', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** A user's clock may be wrong by this number of steps of 30 s. */
const drift = 1;

/** Ten of 31 characters are 49 random bits. Letters and digits that look alike are left out. */
const half = customAlphabet('23456789abcdefghjkmnpqrstuvwxyz', 5);

export interface TotpSetup {
  secret: string;
  uri: string;
}

/** The proof of identity besides the password: a code of an authenticator app, or a recovery code. Each code works once. */
@Injectable()
export class SecondFactorService {
  constructor(
    @InjectRepository(DashboardUser) private readonly users: Repository<DashboardUser>,
    @InjectRepository(DashboardRecoveryCode) private readonly recoveryCodes: Repository<DashboardRecoveryCode>,
    private readonly vault: SecretVault,
    private readonly hasher: KeyedHasher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Stores a new secret, which the first accepted code puts in force. Throws CONFLICT when a second factor is in force. */
  async setUp(userID: string, email: string): Promise<TotpSetup> {
    const totp = new TOTP({ ...form, label: email, secret: new Secret({ size: 20 }) });
    const encryptedTotpSecret = this.vault.seal(sealedColumns.totpSecret, userID, totp.secret.base32);
    const changes = { encryptedTotpSecret, totpLastStep: null };
    const { affected } = await this.users.update({ id: userID, totpEnabled: false }, changes);
    if (!affected) throw new ServiceError('already_exists', 'A second factor is in force already.');
    return { secret: totp.secret.base32, uri: totp.toString() };
  }

  /** Returns false for a wrong code and for a code that was used before. */
  take(userID: string, code: string): Promise<boolean> {
    return /^\d{6}$/.test(code) ? this.takeTotp(userID, code) : this.takeRecoveryCode(userID, code);
  }

  /** Returns new recovery codes. The old ones stop working. */
  async renewRecoveryCodes(userID: string): Promise<string[]> {
    const codes = Array.from({ length: recoveryCodeCount }, () => `${half()}-${half()}`);
    const rows = await Promise.all(codes.map(async code => ({ userID, codeHash: await this.hashOf(userID, code) })));
    await this.recoveryCodes.manager.transaction(async manager => {
      // The lock keeps two concurrent renewals from storing the codes of both.
      const lock = { mode: 'pessimistic_write' } as const;
      await manager.findOne(DashboardUser, { where: { id: userID }, select: { id: true }, lock });
      await manager.delete(DashboardRecoveryCode, { userID });
      await manager.insert(DashboardRecoveryCode, rows);
    });
    return codes;
  }

  countRecoveryCodes(userID: string): Promise<number> {
    return this.recoveryCodes.countBy({ userID });
  }

  private async takeTotp(userID: string, code: string): Promise<boolean> {
    const user = await this.users.findOneBy({ id: userID });
    if (!user?.encryptedTotpSecret) return false;
    const { encryptedTotpSecret } = user;
    const secret = Secret.fromBase32(this.vault.open(sealedColumns.totpSecret, userID, encryptedTotpSecret));
    const step = stepOf(secret, code, this.clock.now());
    if (step === undefined) return false;
    // Of two requests with one code, on any replicas, only one meets the condition.
    const { affected } = await this.users
      .createQueryBuilder()
      .update()
      .set({ totpLastStep: step, totpEnabled: true })
      .where({ id: userID, encryptedTotpSecret })
      .andWhere('(totp_last_step IS NULL OR totp_last_step < :step)', { step })
      .execute();
    return affected === 1;
  }

  private async takeRecoveryCode(userID: string, code: string): Promise<boolean> {
    const { affected } = await this.recoveryCodes.delete({ userID, codeHash: await this.hashOf(userID, code) });
    return affected === 1;
  }

  /** Letter case, spaces and hyphens of the typed code do not matter. */
  private hashOf(userID: string, code: string): Promise<Buffer> {
    return this.hasher.hash('recovery-code-hash', `${userID}:${code.toLowerCase().replaceAll(/[\s-]/g, '')}`);
  }
}

/** Returns the step of 30 s that a code belongs to; undefined for a wrong code. */
function stepOf(secret: Secret, code: string, timestamp: number): number | undefined {
  const totp = new TOTP({ ...form, secret });
  const delta = totp.validate({ token: code, timestamp, window: drift });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}
