import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { Secret, TOTP } from 'otpauth';
import { DataSource } from 'typeorm';
import { CLOCK } from '../runtime.module.js';
import { sealedColumns } from '../secrets/sealed-columns.js';
import { SecretVault } from '../secrets/secret-vault.js';

/** As authenticator apps take it without asking: RFC 6238 with SHA-1, six digits, 30 s. */
const form = { issuer: 'RTMS', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** How many steps a clock may be off. */
const drift = 1;

export interface TotpSetup {
  secret: string;
  uri: string;
}

interface Row {
  sealed: Buffer | null;
  enabled: boolean;
}

/** Only a step later than the last one: of two requests with one code, on whatever replicas, one is taken. */
const takeStatement = `
WITH taken AS (
  UPDATE dashboard_users SET totp_last_step = $2, totp_enabled = true
  WHERE id = $1 AND encrypted_totp_secret = $3 AND (totp_last_step IS NULL OR totp_last_step < $2) RETURNING 1
) SELECT 1 FROM taken`;

const keepStatement = `
WITH kept AS (
  UPDATE dashboard_users SET encrypted_totp_secret = $2, totp_last_step = NULL WHERE id = $1 AND NOT totp_enabled
  RETURNING 1
) SELECT 1 FROM kept`;

/** The second factor: codes that an app makes of a secret and the time. */
@Injectable()
export class TotpService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly vault: SecretVault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** A new secret, which is in force once a code of it was shown. CONFLICT when another one is in force. */
  async setUp(userID: string, email: string): Promise<TotpSetup> {
    const totp = new TOTP({ ...form, label: email, secret: new Secret({ size: 20 }) });
    const sealed = this.vault.seal(sealedColumns.totpSecret, userID, totp.secret.base32);
    const kept = await this.database.query<unknown[]>(keepStatement, [userID, sealed]);
    if (kept.length === 0) throw new ServiceError('already_exists', 'A second factor is in force already.');
    return { secret: totp.secret.base32, uri: totp.toString() };
  }

  /** Takes the first code, or any later one; false: it is wrong, or was taken before. */
  async take(userID: string, code: string): Promise<boolean> {
    const row = await this.read(userID);
    if (!row?.sealed) return false;
    const secret = Secret.fromBase32(this.vault.open(sealedColumns.totpSecret, userID, row.sealed));
    const step = stepOf(secret, code, this.clock.now());
    if (step === undefined) return false;
    return (await this.database.query<unknown[]>(takeStatement, [userID, step, row.sealed])).length > 0;
  }

  private async read(userID: string): Promise<Row | undefined> {
    const statement =
      'SELECT encrypted_totp_secret AS sealed, totp_enabled AS enabled FROM dashboard_users WHERE id = $1';
    const [row] = await this.database.query<Row[]>(statement, [userID]);
    return row;
  }
}

/** Of the 30 s that a code belongs to. */
function stepOf(secret: Secret, code: string, timestamp: number): number | undefined {
  const totp = new TOTP({ ...form, secret });
  const delta = totp.validate({ token: code, timestamp, window: drift });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}
