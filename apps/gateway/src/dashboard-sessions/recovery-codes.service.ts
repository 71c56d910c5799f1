import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { recoveryCodeCount } from '@rtms/contracts';
import { customAlphabet } from 'nanoid';
import { DataSource } from 'typeorm';
import { KeyedHasher } from '../secrets/keyed-hasher.js';

/** Without letters and digits that look alike: ten of 31 are 49 random bits, which nobody guesses at the way in. */
const half = customAlphabet('23456789abcdefghjkmnpqrstuvwxyz', 5);

/** Of two requests with one code, on whatever replicas, one is taken. */
const takeStatement = `
WITH taken AS (DELETE FROM dashboard_recovery_codes WHERE user_id = $1 AND code_hash = $2 RETURNING 1)
SELECT 1 FROM taken`;

const insertStatement = 'INSERT INTO dashboard_recovery_codes (user_id, code_hash) SELECT $1, unnest($2::bytea[])';

/** In the place of the second factor's codes, for who lost the app; each is good once. Of a code only a keyed hash is kept. */
@Injectable()
export class RecoveryCodes {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly hasher: KeyedHasher,
  ) {}

  /** New ones; those from before are void. */
  async renew(userID: string): Promise<string[]> {
    const codes = Array.from({ length: recoveryCodeCount }, () => `${half()}-${half()}`);
    const hashes = await Promise.all(codes.map(code => this.hashOf(userID, code)));
    await this.database.transaction(async manager => {
      // Two renewals at once leave the codes of one of them, not of both.
      await manager.query('SELECT 1 FROM dashboard_users WHERE id = $1 FOR UPDATE', [userID]);
      await manager.query('DELETE FROM dashboard_recovery_codes WHERE user_id = $1', [userID]);
      await manager.query(insertStatement, [userID, hashes]);
    });
    return codes;
  }

  /** false: it is wrong, or was taken before. */
  async take(userID: string, code: string): Promise<boolean> {
    const hash = await this.hashOf(userID, code);
    return (await this.database.query<unknown[]>(takeStatement, [userID, hash])).length > 0;
  }

  async left(userID: string): Promise<number> {
    const statement = 'SELECT count(*)::int AS left FROM dashboard_recovery_codes WHERE user_id = $1';
    const [row] = await this.database.query<{ left: number }[]>(statement, [userID]);
    return row?.left ?? 0;
  }

  /** However it was typed. */
  private hashOf(userID: string, code: string): Promise<Buffer> {
    return this.hasher.hash('recovery-code-hash', `${userID}:${code.toLowerCase().replaceAll(/[\s-]/g, '')}`);
  }
}
