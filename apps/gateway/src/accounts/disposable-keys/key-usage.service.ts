import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import type { Operation } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { Repository } from 'typeorm';
import type { Caller } from '../../platform/auth/caller.js';
import { RepeatingTask } from '../../platform/jobs/repeating-task.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { DisposableKeyUsage } from './disposable-key.entity.js';
import { DisposableKeysRepository, type KeyUse } from './disposable-keys.repository.js';

/** A crash loses at most the uses of this time. */
const writeEveryMs = 2_000;

export type OperationUsage = Omit<KeyUse, 'keyID'>;

/** Uses that are not stored yet. */
export class UsageTally {
  private readonly byKey = new Map<string, Map<Operation, KeyUse>>();

  add(use: KeyUse): void {
    const uses = this.byKey.get(use.keyID) ?? new Map<Operation, KeyUse>();
    this.byKey.set(use.keyID, uses);
    const before = uses.get(use.operation);
    uses.set(use.operation, before ? together(before, use) : use);
  }

  /** Removes and returns the uses of a key. */
  take(keyID: string): KeyUse[] {
    const uses = [...(this.byKey.get(keyID)?.values() ?? [])];
    this.byKey.delete(keyID);
    return uses;
  }

  takeAll(): KeyUse[] {
    return [...this.byKey.keys()].sort().flatMap(keyID => this.take(keyID));
  }
}

/**
 * Counts the uses of disposable keys by operation. A use is stored at once when the key's last stored use is two seconds old, else within
 * two seconds and at shutdown. A burst of requests thus costs one write.
 */
@Injectable()
export class KeyUsageService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(KeyUsageService.name);
  private readonly tally = new UsageTally();
  private readonly task = new RepeatingTask(this.clock, 'KeyUsage', writeEveryMs, () =>
    this.write(this.tally.takeAll()),
  );

  constructor(
    @InjectRepository(DisposableKeyUsage) private readonly usage: Repository<DisposableKeyUsage>,
    private readonly keys: DisposableKeysRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.task.trigger();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.close();
    await this.writeOrKeep(this.tally.takeAll());
  }

  /** Counts a use of a disposable key. Other keys are not counted. */
  async note({ keyKind, keyID, lastUsedAt }: Caller, operation: Operation): Promise<void> {
    if (keyKind !== 'disposable') return;
    const now = new Date(this.clock.now());
    this.tally.add({ keyID, operation, requestCount: 1, lastUsedAt: now });
    if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < writeEveryMs) return;
    await this.writeOrKeep(this.tally.take(keyID));
  }

  async of(keyID: string): Promise<OperationUsage[]> {
    const rows = await this.usage.find({ where: { keyID }, order: { operation: 'ASC' } });
    return rows.map(({ operation, requestCount, lastUsedAt }) => ({ operation, requestCount, lastUsedAt }));
  }

  /** A request succeeds even if its use cannot be stored. */
  private async writeOrKeep(uses: readonly KeyUse[]): Promise<void> {
    await this.write(uses).catch((error: unknown) => {
      this.logger.warn(`usage could not be written: ${messageOf(error)}`);
    });
  }

  private async write(uses: readonly KeyUse[]): Promise<void> {
    if (uses.length === 0) return;
    try {
      await this.keys.addUses(uses);
    } catch (error) {
      for (const use of uses) this.tally.add(use);
      throw error;
    }
  }
}

function together(one: KeyUse, other: KeyUse): KeyUse {
  const lastUsedAt = one.lastUsedAt > other.lastUsedAt ? one.lastUsedAt : other.lastUsedAt;
  return { ...one, requestCount: one.requestCount + other.requestCount, lastUsedAt };
}
