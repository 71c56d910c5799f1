import { Column, Entity } from 'typeorm';
import { OwnRow } from '../../platform/rows/own-row.js';

/** A host from which browsers may use an account's production key. */
@Entity('domains')
export class Domain extends OwnRow {
  /** Lower case, A-labels; the first label may be `*`. */
  @Column('text')
  domain!: string;

  @Column('boolean')
  enabled!: boolean;
}
