import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { sfuCommands, type PayloadProfile, type PlaybackAccount } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { DataSource } from 'typeorm';
import { atMost } from '../../platform/jobs/in-turns.js';
import { SessionSourcesService, requireKinds } from '../resources/session-sources.service.js';
import { newID } from '../../platform/database/new-id.js';
import { closePlayback } from '../../platform/workers/worker-command.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { updateRow } from '../resources/locked-rows.js';
import { makeMediaRow, placedOn } from '../resources/placement.js';
import type { Owner } from '../resources/owned-rows.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import type { CreatePlaybackDto } from './playback.dto.js';
import { Playback } from '../resources/playback.entity.js';
import { ViewerLimitsService } from './viewer-limits.service.js';

/** Playbacks that one `reopenAll` opens in parallel. */
const commandsAtOnce = 20;

/** Opens playbacks on the media node of their source. */
@Injectable()
export class PlaybackOpeningService {
  private readonly logger = new Logger(PlaybackOpeningService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly sources: SessionSourcesService,
    private readonly commands: WorkerCommandsService,
    private readonly limits: ViewerLimitsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Stores the row before the command, so that no fact arrives before the row. Deletes the row on failure. */
  async open(row: Playback, requestID: string): Promise<void> {
    const nodeID = await this.insert(row);
    try {
      const account = await this.limits.of(row.accountID);
      const payloadProfile = await this.askToOpen(nodeID, row, account, requestID);
      await updateRow(this.dataSource.manager, Playback, row, { payloadProfile });
    } catch (error) {
      await this.dataSource.manager.delete(Playback, row.id);
      void this.commands.tell(closePlayback(row), requestID);
      throw error;
    }
  }

  /** Opens playbacks again on the nodes in their rows. Returns the opened rows with their payload profiles. */
  async reopenAll(rows: readonly Playback[]): Promise<Playback[]> {
    const accounts = await this.limits.ofAll([...new Set(rows.map(({ accountID }) => accountID))]);
    const opened: Playback[] = [];
    await atMost(commandsAtOnce, rows, async row => {
      const { nodeID, accountID } = row;
      const account = accounts.get(accountID);
      if (nodeID === null || !account) return;
      try {
        row.payloadProfile = await this.askToOpen(nodeID, row, account);
        opened.push(row);
      } catch (error) {
        const message = messageOf(error);
        this.logger.warn({ playbackID: row.id, message }, 'a playback could not be opened again yet');
      }
    });
    return opened;
  }

  /** Asks the node to open the playback. Returns the payload profile. */
  private async askToOpen(
    nodeID: string,
    row: Playback,
    account: PlaybackAccount,
    requestID?: string,
  ): Promise<PayloadProfile> {
    const request = {
      meetingID: row.meetingID,
      sessionID: row.sourceSessionID,
      playbackID: row.id,
      tracks: row.tracks,
      payloadMatching: row.payloadMatching,
      account,
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
