import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { entitlements, ServiceError, type Entitlement, type EntitlementStates } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { z } from 'zod';
import { SharedReads } from '../../platform/jobs/shared-reads.js';
import { selectRows } from '../../platform/rows/plain-rows.js';
import { AccountEntitlement } from './account-entitlement.entity.js';

const entitlementNames: Record<Entitlement, string> = {
  whip: 'WHIP ingest',
  whep: 'WHEP playback',
  hls: 'HLS broadcasts',
  recording: 'recording',
};

export const entitlementsSchema = z
  .object(
    Object.fromEntries(
      entitlements.map(name => [name, z.boolean().describe('Whether the account has the entitlement.')]),
    ) as Record<Entitlement, z.ZodBoolean>,
  )
  .meta({ id: 'Entitlements', description: 'Entitlements of an account.' });

/** An account has every entitlement that no administrator has taken away. */
@Injectable()
export class EntitlementsService {
  private readonly reads = new SharedReads<EntitlementStates>();

  constructor(@InjectRepository(AccountEntitlement) private readonly rows: Repository<AccountEntitlement>) {}

  /** Throws FORBIDDEN, `not_entitled`, when the account does not have the entitlement. */
  async require(accountID: string, entitlement: Entitlement): Promise<void> {
    if ((await this.read(accountID))[entitlement]) return;
    throw new ServiceError('not_entitled', `This account is not entitled to ${entitlementNames[entitlement]}.`);
  }

  read(accountID: string): Promise<Readonly<EntitlementStates>> {
    return this.reads.read(accountID, () => this.readStates(accountID));
  }

  private async readStates(accountID: string): Promise<EntitlementStates> {
    const rows = await selectRows(this.rows, 'WHERE account_id = $1 AND NOT granted', [accountID]);
    const isGranted = (entitlement: Entitlement) => !rows.some(row => row.entitlement === entitlement);
    return Object.fromEntries(entitlements.map(each => [each, isGranted(each)])) as EntitlementStates;
  }

  async set(accountID: string, entitlement: Entitlement, granted: boolean): Promise<EntitlementStates> {
    await this.rows.upsert({ accountID, entitlement, granted }, ['accountID', 'entitlement']);
    return this.read(accountID);
  }
}
