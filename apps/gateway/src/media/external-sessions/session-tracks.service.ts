import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ServiceError, sfuCommands, type SessionStatistics, type SessionTrack } from '@rtms/contracts';
import { toServiceError } from '@rtms/http';
import { Repository, type EntityManager } from 'typeorm';
import type { WorkerCommand } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { lockRow, updateRow } from '../resources/locked-rows.js';
import { findOwned, type Owner } from '../resources/owned-rows.js';
import { decideTrackAction, trackEnded, tracksAfter, type TrackAction } from './decide-track-action.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { SessionLifecycleService } from './session-lifecycle.service.js';

interface TrackRequest {
  sessionID: string;
  trackID: string;
  action: TrackAction;
}

const commandOf = {
  pause: sfuCommands.pauseTrack,
  resume: sfuCommands.resumeTrack,
  close: sfuCommands.closeTrack,
  requestKeyframe: sfuCommands.requestTrackKeyframe,
} as const;

/**
 * Pauses, resumes and closes the tracks of a session, and requests keyframes. The node reports every change as a fact, which
 * no crash loses. This service also stores the change at once, so that the answer shows it.
 */
@Injectable()
export class SessionTracksService {
  constructor(
    @InjectRepository(ExternalSession) private readonly sessions: Repository<ExternalSession>,
    private readonly lifecycle: SessionLifecycleService,
    private readonly commands: WorkerCommandsService,
  ) {}

  /** Idempotent. */
  async change(owner: Owner, { sessionID, trackID, action }: TrackRequest, requestID: string): Promise<void> {
    const row = await findOwned(this.sessions, owner, sessionID, 'external session');
    const track = decideTrackAction(row, trackID, action);
    if (track === 'done') return;
    await this.ask(row, trackID, action, requestID);
    const commands = await this.sessions.manager.transaction(manager => this.store(manager, row.id, track, action));
    await this.commands.tell(commands, requestID);
  }

  /** The receive statistics of the session, from its node. */
  async readStatistics(accountID: string, sessionID: string, requestID: string): Promise<SessionStatistics> {
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

  private async ask(
    { nodeID }: ExternalSession,
    trackID: string,
    action: TrackAction,
    requestID: string,
  ): Promise<void> {
    if (nodeID === null) throw unavailable();
    try {
      await this.commands.ask(commandOf[action].forNode(nodeID), { trackID }, requestID);
    } catch (error) {
      const isGone = toServiceError(error).reason === 'not_found';
      if (isGone && action === 'close') return;
      throw isGone ? trackEnded() : error;
    }
  }

  private async store(
    manager: EntityManager,
    sessionID: string,
    track: SessionTrack,
    action: TrackAction,
  ): Promise<WorkerCommand[]> {
    const row = await lockRow(manager, ExternalSession, sessionID);
    const tracks = row && tracksAfter(row, track, action);
    if (!tracks) return [];
    await updateRow(manager, ExternalSession, row, { tracks });
    return this.lifecycle.endWithoutVideo(manager, [row]);
  }
}

function unavailable(): ServiceError {
  return new ServiceError('controller_unavailable', 'No media node has the session right now.');
}
