import { Injectable } from '@nestjs/common';
import type { RoomSignal } from '@rtms/contracts';

/** What a replica tells the others once it is committed; whoever misses it finds out by looking. */
export type RoomNews =
  | { kind: 'events'; meetingID: string }
  /** From now on this connection alone speaks for the participant. */
  | { kind: 'connected'; participantID: string; connectionID: string };

/** Everybody in a room, or one of them. */
export interface Addressee {
  meetingID: string;
  participantID?: string | undefined;
}

type SignalListener = (to: Addressee, signal: RoomSignal) => void;

/** Carries news from whoever changes rooms to whoever tells their members. */
@Injectable()
export class RoomNewsBoard {
  private readonly listeners = new Set<(news: RoomNews) => void>();
  private readonly signalListeners = new Set<SignalListener>();

  tell(news: RoomNews): void {
    for (const listener of this.listeners) listener(news);
  }

  /** For the sockets of this replica alone: every replica hears of what signals are made from. */
  signal(to: Addressee, signal: RoomSignal): void {
    for (const listener of this.signalListeners) listener(to, signal);
  }

  onSignal(listener: SignalListener): void {
    this.signalListeners.add(listener);
  }

  onNews(listener: (news: RoomNews) => void): void {
    this.listeners.add(listener);
  }
}
