import { Injectable } from '@nestjs/common';

/** How any part asks the reconciler to look now instead of at its next turn, without knowing it. */
@Injectable()
export class RepairRequests {
  private readonly listeners = new Set<() => void>();

  request(): void {
    for (const listener of this.listeners) listener();
  }

  onRequest(listener: () => void): void {
    this.listeners.add(listener);
  }
}
