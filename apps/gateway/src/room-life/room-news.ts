import { Injectable } from '@nestjs/common';

/** What a replica tells the others once it is committed; whoever misses it finds out by looking. */
export type RoomNews =
  | { kind: 'events'; meetingID: string }
  /** From now on this connection alone speaks for the participant. */
  | { kind: 'connected'; participantID: string; connectionID: string };

/** Carries news from whoever changes rooms to whoever tells their members. */
@Injectable()
export class RoomNewsBoard {
  private readonly listeners = new Set<(news: RoomNews) => void>();

  tell(news: RoomNews): void {
    for (const listener of this.listeners) listener(news);
  }

  onNews(listener: (news: RoomNews) => void): void {
    this.listeners.add(listener);
  }
}
