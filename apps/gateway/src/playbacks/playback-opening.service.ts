import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { sfuCommands, type PayloadProfile } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { SessionSources } from '../external-sessions/session-sources.service.js';
import { newID } from '../ids/new-id.js';
import { closePlayback } from '../media-commands/worker-command.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { updateRow } from '../media/locked-rows.js';
import { makeMediaRow, placedOn } from '../media/make-media-row.js';
import type { Owner } from '../media/owned-rows.js';
import { requireKinds } from '../media/require-kinds.js';
import { CLOCK } from '../runtime.module.js';
import type { CreatePlaybackDto } from './dto/create-playback.dto.js';
import { Playback } from './playback.entity.js';
import { ViewerLimitsService } from './viewer-limits.service.js';

/** Opens playbacks on the media node that has their source. */
@Injectable()
export class PlaybackOpening {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sources: SessionSources,
    private readonly commands: WorkerCommands,
    private readonly limits: ViewerLimitsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The row is stored before the node hears of it, so that no fact comes too early; on failure nothing is left. */
  async open(row: Playback, requestID: string): Promise<void> {
    const nodeID = await this.insert(row);
    try {
      const payloadProfile = await this.askToOpen(nodeID, row, requestID);
      await updateRow(this.dataSource.manager, Playback, row, { payloadProfile });
    } catch (error) {
      await this.dataSource.manager.delete(Playback, row.id);
      void this.commands.tell(closePlayback(row), requestID);
      throw error;
    }
  }

  /** Asks a node to open what the row says, also when the node has changed; answers what it sends. */
  async askToOpen(nodeID: string, row: Playback, requestID?: string): Promise<PayloadProfile> {
    const request = {
      meetingID: row.meetingID,
      sessionID: row.sourceSessionID,
      playbackID: row.id,
      tracks: row.tracks,
      payloadMatching: row.payloadMatching,
      account: await this.limits.of(row.accountID),
    };
    return (await this.commands.ask(sfuCommands.openPlayback.forNode(nodeID), request, requestID)).payloadProfile;
  }

  private insert(row: Playback): Promise<string> {
    return this.dataSource.transaction(async manager => {
      const source = await this.sources.requireActive(manager, { ...row, sessionID: row.sourceSessionID });
      requireKinds(row.tracks, source.kinds);
      Object.assign(row, placedOn({ nodeID: source.nodeID, epoch: source.nodeEpoch }, new Date(this.clock.now())));
      await manager.insert(Playback, row);
      return source.nodeID;
    });
  }
}

export function makePlayback(owner: Owner, dto: CreatePlaybackDto, now: Date): Playback {
  return Object.assign(new Playback(), makeMediaRow(newID('play'), owner, now), {
    sourceSessionID: dto.sourceSessionID,
    tracks: dto.tracks,
    state: 'ready' as const,
    payloadMatching: dto.payloadMatching ?? 'fixed',
    payloadProfile: null,
    viewerCount: 0,
    reason: null,
  });
}
