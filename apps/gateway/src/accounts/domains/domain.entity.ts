import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A host from which browsers may use an account's production key. */
@Entity('domains')
export class Domain {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  accountID!: string;

  /** Lower case, A-labels; the first label may be `*`. */
  @Column('text')
  domain!: string;

  @Column('boolean')
  enabled!: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
