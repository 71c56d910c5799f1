import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Entitlement } from './entitlements.js';

@Entity('account_entitlements')
export class AccountEntitlement {
  @PrimaryColumn('text')
  accountID!: string;

  @PrimaryColumn('text')
  entitlement!: Entitlement;

  @Column('boolean')
  granted!: boolean;
}
