import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { messageOf } from '@rtms/logging';
import { DataSource } from 'typeorm';
import { whereLive } from '../media/live-states.js';
import { inBackground } from '../database/connection-pools.js';
import { ExternalSession } from '../external-sessions/external-session.entity.js';
import { newLife, Participant } from '../participants/participant.entity.js';
import { Presence } from './presence.service.js';
import { presentRosterEntry } from './present-roster.js';
import type { RoomChange } from './room-change.js';
import { RoomChanges } from './room-changes.service.js';
import { SessionNews } from './session-news.js';
import { isShownAlready, shownStateOf, type ShownState } from './session-roster-entry.js';

/** Tracks by id and state, in their order: enough to see that two lists differ. */
const namesOf = (column: string, condition: string) => `COALESCE((
  SELECT jsonb_agg(jsonb_build_array(track->>'trackID', track->>'state') ORDER BY place)
  FROM jsonb_array_elements(${column}) WITH ORDINALITY AS listed (track, place) WHERE ${condition}), '[]')`;

const differingStatement = `
SELECT s.id FROM external_sessions s JOIN rooms r ON r.id = s.meeting_id AND r.state = 'active'
LEFT JOIN participants p ON p.session_id = s.id
WHERE ${whereLive('s')} AND s.activated_at IS NOT NULL AND (
  p.id IS NULL OR p.is_connected <> (s.state = 'active') OR p.health <> s.health
  OR ${namesOf('p.tracks', 'true')} <> ${namesOf('s.tracks', `track->>'state' <> 'ended'`)})
UNION ALL
SELECT s.id FROM participants p JOIN external_sessions s ON s.id = p.session_id
WHERE p.kind = 'externalSession' AND p.state = 'joined' AND s.state IN ('ended', 'failed')`;

/** When thousands of sessions change at once, requests find connections to the database free. */
const shownAtOnce = 4;

/**
 * Shows external sessions among the participants. It compares what is with what is shown, so it may run at any time;
 * news of a session only makes it run sooner.
 */
@Injectable()
export class SessionRoster implements OnApplicationBootstrap {
  private readonly logger = new Logger(SessionRoster.name);
  /** Sessions that have changed since they were shown. */
  private readonly due = new Set<string>();
  private showing = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: RoomChanges,
    private readonly presence: Presence,
    private readonly news: SessionNews,
  ) {}

  onApplicationBootstrap(): void {
    this.news.onNews(sessionID => {
      this.due.add(sessionID);
      this.showMore();
    });
  }

  /** All that differ from what is shown. */
  async sweep(): Promise<void> {
    const differing = await this.dataSource.query<{ id: string }[]>(differingStatement);
    for (const { id } of differing) await this.show(id);
  }

  private showMore(): void {
    for (const sessionID of this.due) {
      if (this.showing >= shownAtOnce) return;
      this.due.delete(sessionID);
      this.showing += 1;
      void inBackground(() => this.show(sessionID))
        .catch((error: unknown) => this.logger.warn(`a session is not shown yet: ${messageOf(error)}`))
        .finally(() => {
          this.showing -= 1;
          this.showMore();
        });
    }
  }

  private async show(sessionID: string): Promise<void> {
    const seen = await this.dataSource.manager.findOneBy(ExternalSession, { id: sessionID });
    if (!seen?.activatedAt) return;
    await this.changes.runUnlessEnded(seen.meetingID, async change => {
      const session = await change.manager.findOneBy(ExternalSession, { id: sessionID });
      const row = await change.manager.findOneBy(Participant, { sessionID });
      if (session) await this.adopt(change, session, row);
    });
  }

  private async adopt(change: RoomChange, session: ExternalSession, row: Participant | null): Promise<void> {
    const shown = shownStateOf(session);
    if (!row) return shown && insert(change, session, shown);
    if (row.state === 'left') return;
    if (!shown) return this.presence.leave(change, row, session.endReason ?? 'source_ended');
    if (!isShownAlready(row, shown)) await change.update(row, shown);
  }
}

async function insert(change: RoomChange, session: ExternalSession, shown: ShownState): Promise<void> {
  const { id: sessionID, participantID: id, accountID, meetingID, displayName: userName } = session;
  const row: Participant = {
    ...newLife(),
    ...shown,
    ...{ id, accountID, meetingID, userName, sessionID },
    kind: 'externalSession',
    role: 'participant',
    state: 'joined',
    joinedAt: change.now,
    connectedAt: change.now,
    leftAt: null,
    leaveReason: null,
  };
  await change.manager.insert(Participant, row);
  change.emit('participant.joined', { participant: presentRosterEntry(row, change.room) });
}
