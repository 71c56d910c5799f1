import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { Between, LessThan, MoreThanOrEqual, Not, Repository, type FindOptionsWhere } from 'typeorm';
import type { Listed, Page } from '../../platform/rows/list-rows.js';
import { newID } from '../../platform/database/new-id.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { AuditEntry, type ActorKind, type AuditOutcome } from './audit-entry.entity.js';

export type NewAuditEntry = Omit<AuditEntry, 'id' | 'at' | 'number'>;
export type AuditResult = Pick<AuditEntry, 'outcome' | 'reason' | 'accountID' | 'details'>;

export interface AuditFilter {
  accountID?: string | undefined;
  outcome?: AuditOutcome | undefined;
  /** The whole email address of a user, or the whole API username. */
  actor?: string | undefined;
  /** Never answers an administrator for `actor`: accounts must not learn who the administrators are. */
  hidesAdministrators?: boolean;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** The log of administrative actions. Nobody changes or deletes an entry, except for retention. */
@Injectable()
export class AuditLogService {
  constructor(
    @InjectRepository(AuditEntry) private readonly entries: Repository<AuditEntry>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the id of the entry. */
  async add(entry: NewAuditEntry): Promise<string> {
    const id = newID('audit');
    await this.entries.insert({ ...entry, id, at: new Date(this.clock.now()) });
    return id;
  }

  /** An action that the platform did by itself, such as the end of a failing webhook. */
  async addByPlatform(done: Pick<AuditEntry, 'action' | 'accountID' | 'details'>): Promise<void> {
    const platform = { actorKind: 'platform' as const, actorID: null, actorName: null, address: '', requestID: '' };
    await this.add({ ...done, ...platform, outcome: 'succeeded', reason: null });
  }

  async finish(id: string, result: AuditResult): Promise<void> {
    await this.entries.update(id, result);
  }

  /** Deletes the entry of an invalid request, which changed nothing. */
  async withdraw(id: string): Promise<void> {
    await this.entries.delete(id);
  }

  /** Newest first. Lists only the entries that match every given filter. */
  async list(filter: AuditFilter, { startIndex, pageSize }: Page): Promise<Listed<AuditEntry>> {
    const [items, total] = await this.entries.findAndCount({
      where: conditionOf(filter),
      order: { number: 'DESC' },
      skip: startIndex,
      take: pageSize,
    });
    return { items, total };
  }
}

function conditionOf({
  accountID,
  outcome,
  actor,
  hidesAdministrators,
  from,
  to,
}: AuditFilter): FindOptionsWhere<AuditEntry> {
  return {
    ...(accountID !== undefined && { accountID }),
    ...(outcome !== undefined && { outcome }),
    ...(actor !== undefined && { actorName: actor }),
    ...(actor !== undefined && hidesAdministrators && { actorKind: Not<ActorKind>('administrator') }),
    ...periodOf(from, to),
  };
}

function periodOf(from: Date | undefined, to: Date | undefined): FindOptionsWhere<AuditEntry> {
  // Between includes its end, and times have whole milliseconds.
  if (from && to) return { at: Between(from, new Date(to.getTime() - 1)) };
  if (from) return { at: MoreThanOrEqual(from) };
  return to ? { at: LessThan(to) } : {};
}
