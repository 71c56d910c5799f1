import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ServiceError, sfuCommands, type SessionStatistics } from '@rtms/contracts';
import { toServiceError } from '@rtms/http';
import { Repository } from 'typeorm';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { ExternalSession } from '../resources/external-session.entity.js';

/** Reads the receive statistics of a session from its node. */
@Injectable()
export class SessionStatisticsService {
  constructor(
    @InjectRepository(ExternalSession) private readonly sessions: Repository<ExternalSession>,
    private readonly commands: WorkerCommandsService,
  ) {}

  async read(accountID: string, sessionID: string, requestID: string): Promise<SessionStatistics> {
    const row = await this.sessions.findOneBy({ id: sessionID, accountID });
    if (!row) throw new ServiceError('not_found', 'There is no such external session.');
    if (row.state !== 'active') throw new ServiceError('source_not_active', 'Nobody publishes into this session now.');
    if (row.nodeID === null) throw unavailable();
    const address = sfuCommands.sessionStatistics.forNode(row.nodeID);
    return this.commands.ask(address, { sessionID }, requestID).catch((error: unknown) => {
      const isGone = ['not_found', 'session_ended'].includes(toServiceError(error).reason);
      throw isGone ? unavailable() : error;
    });
  }
}

function unavailable(): ServiceError {
  return new ServiceError('controller_unavailable', 'No media node has the session right now.');
}
