import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { entitlements, ServiceError, type Entitlement, type EntitlementStates } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { AccountEntitlement } from './account-entitlement.entity.js';
import { entitlementNames } from './entitlements.js';

/** An account has what was not taken away from it. */
@Injectable()
export class EntitlementsService {
  constructor(@InjectRepository(AccountEntitlement) private readonly rows: Repository<AccountEntitlement>) {}

  /** Throws FORBIDDEN, `not_entitled`, when it was taken away. */
  async require(accountID: string, entitlement: Entitlement): Promise<void> {
    if (!(await this.rows.existsBy({ accountID, entitlement, granted: false }))) return;
    throw new ServiceError('not_entitled', `This account is not entitled to ${entitlementNames[entitlement]}.`);
  }

  async read(accountID: string): Promise<EntitlementStates> {
    const rows = await this.rows.findBy({ accountID, granted: false });
    const isGranted = (entitlement: Entitlement) => !rows.some(row => row.entitlement === entitlement);
    return Object.fromEntries(entitlements.map(each => [each, isGranted(each)])) as EntitlementStates;
  }

  async set(accountID: string, entitlement: Entitlement, granted: boolean): Promise<EntitlementStates> {
    await this.rows.upsert({ accountID, entitlement, granted }, ['accountID', 'entitlement']);
    return this.read(accountID);
  }
}
