import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EndReason } from '@rtms/contracts';
import { toServiceError } from '@rtms/http';
import { DataSource, type EntityManager } from 'typeorm';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { graceEnd } from '../resources/placement.js';

/** Broadcasts or restreams. */
interface Jobs {
  postpone(manager: EntityManager, id: string, graceUntil: Date): Promise<void>;
  endAll(manager: EntityManager, where: { id: string }, reason: EndReason, state: 'failed'): Promise<unknown>;
}

/** Decides what follows when no transcoder continues a broadcast or a restream. */
@Injectable()
export class FailedRestartsService {
  private readonly logger = new Logger(FailedRestartsService.name);

  constructor(
    private readonly dataSource: DataSource,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The reconciler tries again until the end of the grace time, which the first failure begins. An unsupported codec ends the job. */
  async handle(jobs: Jobs, id: string, formerGrace: Date | null, error: unknown): Promise<void> {
    const { reason, message } = toServiceError(error);
    this.logger.warn({ id, reason, message }, 'a job could not be started again yet');
    const graceUntil = formerGrace ?? graceEnd({ now: new Date(this.clock.now()), graceMs: this.settings.graceMs });
    await this.dataSource.transaction(async manager => {
      if (reason !== 'source_codec_unsupported') return jobs.postpone(manager, id, graceUntil);
      await jobs.endAll(manager, { id }, 'source_codec_unsupported', 'failed');
    });
  }
}
