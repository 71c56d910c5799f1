import { Injectable } from '@nestjs/common';

/** Says that an external session has changed, to whoever shows it in the roster. */
@Injectable()
export class SessionNews {
  private readonly listeners = new Set<(sessionID: string) => void>();

  tell(sessionID: string): void {
    for (const listener of this.listeners) listener(sessionID);
  }

  onNews(listener: (sessionID: string) => void): void {
    this.listeners.add(listener);
  }
}
