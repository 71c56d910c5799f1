import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { transcoderCommands, type ComposedRoom } from '@rtms/contracts';
import { toServiceError } from '@rtms/http';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { AdvisoryLocksService } from '../../platform/database/advisory-locks.service.js';
import { atMost, portionsOf, repairsAtOnce } from '../../platform/jobs/in-turns.js';
import { RepeatingService } from '../../platform/jobs/repeating-task.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { RecordingLifecycleService } from '../recordings/recording-lifecycle.service.js';
import type { Broadcast } from '../resources/broadcast.entity.js';
import { Recording } from '../resources/recording.entity.js';
import { isSameRoom } from '../sources/compose-room.js';
import { RoomSourcesService } from '../sources/room-sources.service.js';
import { CompositionsRepository } from './compositions.repository.js';

/** Compositions whose rooms one run of queries reads. */
const rowsAtOnce = 100;

type Composition = (Recording | Broadcast) & { composition: NonNullable<Recording['composition']> };

/**
 * Makes compositions follow their rooms, each at most once a second. It compares the room with the room that the transcoder has. So it
 * misses no change that another replica received, and repeats a failed command.
 */
@Injectable()
export class CompositionsService extends RepeatingService {
  private readonly logger = new Logger(CompositionsService.name);
  /** Why a transcoder did not take a room. Each reason is logged once. */
  private readonly declined = new LRUCache<string, string>({ max: 10_000 });

  constructor(
    @Inject(MEDIA_SETTINGS) settings: MediaSettings,
    private readonly dataSource: DataSource,
    private readonly compositions: CompositionsRepository,
    private readonly locks: AdvisoryLocksService,
    private readonly sources: RoomSourcesService,
    private readonly recordings: RecordingLifecycleService,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
    @Inject(CLOCK) clock: Clock,
  ) {
    super(clock, settings.sweepIntervalMs);
  }

  protected async run(): Promise<void> {
    if (!(await this.compositions.hasAny())) return;
    await this.locks.under('compositions', async lost => {
      const rows = (await this.compositions.list()).filter(isComposition);
      for (const portion of portionsOf(rows, rowsAtOnce)) await this.follow(portion, lost);
    });
  }

  private async follow(rows: readonly Composition[], lost: AbortSignal): Promise<void> {
    const present = await this.sources.compose(this.dataSource.manager, rows);
    const changed = present.filter(({ job, room }) => !isSameRoom(job.composed, room));
    await atMost(repairsAtOnce, changed, async ({ job, room }) => {
      // Another replica has the lock then, and may have sent a newer room.
      if (lost.aborted || !(await this.send(job, room))) return;
      await this.compositions.keep(job, room);
      const becameEmpty = room.sources.length === 0 && job.composed !== null && job.composed.sources.length > 0;
      if (becameEmpty && job instanceof Recording) await this.recordings.pauseRoom(job.id);
    });
  }

  /** Whether the transcoder has the room now. The reconciler moves compositions of a lost transcoder. */
  private async send(row: Composition, room: ComposedRoom): Promise<boolean> {
    const node = this.nodes.find('transcoder', row.nodeID ?? '');
    if (node?.epoch !== row.nodeEpoch) return false;
    const { composeRecording, composeBroadcast } = transcoderCommands;
    const sent =
      row instanceof Recording
        ? this.commands.ask(composeRecording.forNode(node.nodeID), { recordingID: row.id, ...room })
        : this.commands.ask(composeBroadcast.forNode(node.nodeID), { broadcastID: row.id, ...room });
    try {
      await sent;
      this.declined.delete(row.id);
      return true;
    } catch (error) {
      const { reason, message } = toServiceError(error);
      if (this.declined.get(row.id) !== reason)
        this.logger.warn({ id: row.id, reason, message }, 'a composition does not follow its room yet');
      this.declined.set(row.id, reason);
      return false;
    }
  }
}

function isComposition(row: Recording | Broadcast): row is Composition {
  return row.composition !== null;
}
