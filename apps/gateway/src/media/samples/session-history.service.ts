import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { sampledMs, ServiceError, sfuCommands, type SessionSample } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { presentTime } from '../../platform/http/present.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { findOwned, type Owner } from '../resources/owned-rows.js';
import { samplePoints } from './sample-points.js';
import type { GetSessionHistoryDto, PresentedSessionHistory } from './session-history.dto.js';
import { SessionSamplesRepository } from './session-samples.repository.js';

const hourMs = 3_600_000;
/** Samples are kept for two days. */
const longestMs = 48 * hourMs;

/** Reads the history of external sessions. */
@Injectable()
export class SessionHistoryService {
  constructor(
    @InjectRepository(ExternalSession) private readonly sessions: Repository<ExternalSession>,
    private readonly samples: SessionSamplesRepository,
    private readonly commands: WorkerCommandsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async read(owner: Owner, sessionID: string, dto: GetSessionHistoryDto): Promise<PresentedSessionHistory> {
    const row = await findOwned(this.sessions, owner, sessionID, 'external session');
    const to = dto.to === undefined ? (row.endedAt?.getTime() ?? this.clock.now()) : Date.parse(dto.to);
    const from = dto.from === undefined ? to - hourMs : Date.parse(dto.from);
    if (from >= to) throw new ServiceError('invalid_request', 'from must be before to.');
    if (to - from > longestMs) throw new ServiceError('invalid_request', 'from must be at most 48 hours before to.');
    const stored = await this.samples.list(sessionID, from - sampledMs, to);
    const { stepSeconds, samples } = samplePoints(await this.withNewest(row, stored), from, to);
    return {
      sessionID,
      from: presentTime(new Date(from)),
      to: presentTime(new Date(to)),
      stepSeconds,
      samples: samples.map(({ at, ...values }) => ({ at: presentTime(new Date(at)), ...values })),
      events: row.events,
    };
  }

  /** Adds the samples that are not stored yet. They are absent while the node does not answer. */
  private async withNewest(row: ExternalSession, stored: SessionSample[]): Promise<SessionSample[]> {
    if (row.nodeID === null || row.endedAt !== null) return stored;
    const address = sfuCommands.readSamples.forNode(row.nodeID);
    const page = await this.commands.ask(address, { sessionID: row.id }).catch(() => undefined);
    const known = stored.at(-1)?.at ?? 0;
    const newer = page?.minutes.flatMap(({ samples }) => samples).filter(({ at }) => at > known) ?? [];
    return [...stored, ...newer];
  }
}
