import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RoomTrack, SessionTrack, TrackSource } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import type { Repository } from 'typeorm';
import { inBackground } from '../../platform/database/connection-pools.js';
import { selectRows } from '../../platform/rows/plain-rows.js';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { PresenceService } from '../../rooms/life/presence.service.js';
import type { RoomChange } from '../../rooms/life/room-change.js';
import { RoomChangesService } from '../../rooms/life/room-changes.service.js';
import { newLife, type Participant } from '../../rooms/records/participants.service.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { ExternalSessionsRepository } from './external-sessions.repository.js';

/** Leaves connections to the database for requests when thousands of sessions change at once. */
const shownAtOnce = 4;

type ShownState = Pick<Participant, 'isConnected' | 'tracks' | 'health'>;

/**
 * Shows external sessions among the participants. It compares the session with its participant, so it may run at any time.
 * The event `resources.changed` only makes it run sooner, on the replica that changed the session.
 */
@Injectable()
export class SessionRosterService implements OnApplicationBootstrap {
  private readonly logger = new Logger(SessionRosterService.name);
  private readonly changed = new Set<string>();
  private isSorting = false;
  /** The rooms of sessions that changed since they were shown. */
  private readonly due = new Map<string, string>();
  private showing = 0;

  constructor(
    @InjectRepository(ExternalSession) private readonly sessions: Repository<ExternalSession>,
    private readonly differing: ExternalSessionsRepository,
    private readonly changes: RoomChangesService,
    private readonly presence: PresenceService,
    private readonly domainEvents: DomainEvents,
  ) {}

  onApplicationBootstrap(): void {
    this.domainEvents.on('resources.changed', (changes, origin) => {
      if (origin === 'elsewhere') return;
      for (const { kind, id } of changes) if (kind === 'externalSession' && id !== null) this.changed.add(id);
      this.sortMore();
    });
  }

  /** Shows every session that differs from its participant. */
  async sweep(): Promise<void> {
    for (const { id, meetingID } of await this.differing.listDifferingFromRoster()) await this.show(id, meetingID);
  }

  /** A new session has never been active and is not shown: one statement sorts out all that have changed. */
  private sortMore(): void {
    if (this.isSorting || this.changed.size === 0) return;
    const sessionIDs = [...this.changed];
    this.changed.clear();
    this.isSorting = true;
    void inBackground(() => selectRows(this.sessions, 'WHERE id = ANY($1) AND activated_at IS NOT NULL', [sessionIDs]))
      .then(rows => {
        for (const { id, meetingID } of rows) this.due.set(id, meetingID);
        this.showMore();
      })
      .catch((error: unknown) => this.warn(error))
      .finally(() => {
        this.isSorting = false;
        this.sortMore();
      });
  }

  private showMore(): void {
    for (const [sessionID, meetingID] of this.due) {
      if (this.showing >= shownAtOnce) return;
      this.due.delete(sessionID);
      this.showing += 1;
      void inBackground(() => this.show(sessionID, meetingID))
        .catch((error: unknown) => this.warn(error))
        .finally(() => {
          this.showing -= 1;
          this.showMore();
        });
    }
  }

  private warn(error: unknown): void {
    this.logger.warn(`the roster does not show a session yet: ${messageOf(error)}`);
  }

  private async show(sessionID: string, meetingID: string): Promise<void> {
    await this.changes.runUnlessEnded(meetingID, async change => {
      const session = await change.manager.findOneBy(ExternalSession, { id: sessionID });
      const row = await change.findOfSession(sessionID);
      if (session) await this.adopt(change, session, row);
    });
  }

  private async adopt(change: RoomChange, session: ExternalSession, row: Participant | null): Promise<void> {
    const shown = shownStateOf(session);
    if (!row) return shown && change.add(participantOf(session, shown, change.now));
    if (row.state === 'left') return;
    if (!shown) return this.presence.leave(change, row, session.endReason ?? 'source_ended');
    if (!isShownAlready(row, shown)) await change.update(row, shown);
  }
}

/** The roster shows nothing of a session before it was active, and nothing after its end. */
export function shownStateOf({
  state,
  activatedAt,
  tracks,
  health,
}: Pick<ExternalSession, 'state' | 'activatedAt' | 'tracks' | 'health'>): ShownState | undefined {
  if (activatedAt === null || state === 'ended' || state === 'failed') return undefined;
  const shown = tracks.filter(track => track.state !== 'ended');
  return { isConnected: state === 'active', tracks: shown.map(toRoomTrack), health };
}

/** An encoder tells only the kind of a track, not its source. */
export function sourceOfSessionTrack({ kind }: Pick<SessionTrack, 'kind'>): TrackSource {
  return kind === 'audio' ? 'microphone' : 'camera';
}

function toRoomTrack(track: SessionTrack): RoomTrack {
  const { trackID, kind, codec, state } = track;
  return { trackID, kind, source: sourceOfSessionTrack(track), codec, state };
}

function isShownAlready(row: ShownState, { isConnected, tracks, health }: ShownState): boolean {
  const before = { isConnected: row.isConnected, tracks: row.tracks.map(sameOrder), health: row.health };
  return JSON.stringify(before) === JSON.stringify({ isConnected, tracks: tracks.map(sameOrder), health });
}

/** PostgreSQL stores the fields of a jsonb object in an order of its own. */
function sameOrder({ trackID, kind, source, codec, state }: RoomTrack): RoomTrack {
  return { trackID, kind, source, codec, state };
}

function participantOf(session: ExternalSession, shown: ShownState, now: Date): Participant {
  const { id: sessionID, participantID: id, accountID, meetingID, displayName: userName } = session;
  return {
    ...newLife(),
    ...shown,
    ...{ id, accountID, meetingID, userName, sessionID },
    kind: 'externalSession',
    role: 'participant',
    state: 'joined',
    joinedAt: now,
    connectedAt: now,
    leftAt: null,
    leaveReason: null,
  };
}
