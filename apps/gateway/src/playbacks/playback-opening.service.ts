import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { sfuCommands, type PayloadProfile, type PlaybackAccount } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { DataSource } from 'typeorm';
import { atMost } from '../background/in-turns.js';
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

/** So many playbacks of one `reopenAll` are opened at the same time. */
const commandsAtOnce = 20;

/** Opens playbacks on the media node that has their source. */
@Injectable()
export class PlaybackOpening {
  private readonly logger = new Logger(PlaybackOpening.name);

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
      const account = await this.limits.of(row.accountID);
      const payloadProfile = await this.askToOpen(nodeID, row, account, requestID);
      await updateRow(this.dataSource.manager, Playback, row, { payloadProfile });
    } catch (error) {
      await this.dataSource.manager.delete(Playback, row.id);
      void this.commands.tell(closePlayback(row), requestID);
      throw error;
    }
  }

  /**
   * Opens again what rows say, on the nodes that the rows name now. Answers those that are open, with what they send. The limits of
   * their accounts are read by one statement.
   */
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

  /** Asks a node to open what the row says; answers what it sends. */
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
