import type { HealthCheck, HealthChecks } from './health-checks.js';

/** By its name, whether a part can do its work now. */
export interface PartState {
  name: string;
  isUp: boolean;
}

/** Whether work may be sent here: while every part works and the node is not about to go. */
export class Readiness {
  private readonly checks: Map<string, HealthCheck>;
  private asksIsDraining = (): boolean => false;

  constructor(checks: HealthChecks = {}) {
    this.checks = new Map(Object.entries(checks));
  }

  /** From now on this part has to work as well. */
  needs(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  /** Not ready for as long as this says that the node takes nothing new; `draining` is missing then. */
  unlessDraining(isDraining: () => boolean): void {
    this.asksIsDraining = isDraining;
    this.needs('draining', () => !isDraining());
  }

  /** Whether the node takes nothing new. */
  isDraining(): boolean {
    return this.asksIsDraining();
  }

  /** Asks all parts at once. */
  parts(): Promise<PartState[]> {
    return Promise.all([...this.checks].map(async ([name, check]) => ({ name, isUp: await holds(check) })));
  }
}

function holds(check: HealthCheck): Promise<boolean> {
  return Promise.resolve()
    .then(check)
    .catch(() => false);
}
