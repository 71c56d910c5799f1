import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Feature } from './features.js';

@Entity('platform_features')
export class PlatformFeature {
  @PrimaryColumn('text')
  feature!: Feature;

  @Column('boolean')
  enabled!: boolean;
}

@Entity('account_features')
export class AccountFeature {
  @PrimaryColumn('text')
  accountID!: string;

  @PrimaryColumn('text')
  feature!: Feature;

  @Column('boolean')
  enabled!: boolean;
}
