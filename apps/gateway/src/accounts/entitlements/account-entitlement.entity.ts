import type { Entitlement } from '@rtms/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('account_entitlements')
export class AccountEntitlement {
  @PrimaryColumn('text')
  accountID!: string;

  @PrimaryColumn('text')
  entitlement!: Entitlement;

  @Column('boolean')
  granted!: boolean;
}
