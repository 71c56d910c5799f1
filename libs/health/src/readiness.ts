/** Returns whether a part works. An exception or a rejection means that it does not. */
export type HealthCheck = () => boolean | Promise<boolean>;

/** Checks by the name in the response, e.g. `database`. */
export type HealthChecks = Readonly<Record<string, HealthCheck>>;

export interface HealthOptions {
  /** Checks that must pass before the service is ready. Add later checks with `Readiness.needs`. */
  checks: HealthChecks;
  /** Whether `/metrics` is served only on the management port. */
  hidesMetrics?: boolean;
  /** Paths without routes, see `HttpMetrics`. */
  mounts?: readonly string[];
}

export const healthOptions = Symbol('healthOptions');

/** Whether a named part works now. */
export interface PartState {
  name: string;
  isUp: boolean;
}

/** Whether the service may receive work: all checks pass and the node does not drain. */
export class Readiness {
  private readonly checks: Map<string, HealthCheck>;
  private asksIsDraining = (): boolean => false;

  constructor(checks: HealthChecks = {}) {
    this.checks = new Map(Object.entries(checks));
  }

  /** Adds a check. */
  needs(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  /** Makes the service not ready while `isDraining` returns true. The response then lists `draining`. */
  unlessDraining(isDraining: () => boolean): void {
    this.asksIsDraining = isDraining;
    this.needs('draining', () => !isDraining());
  }

  /** Whether the node drains. */
  isDraining(): boolean {
    return this.asksIsDraining();
  }

  /** Runs all checks in parallel. */
  parts(): Promise<PartState[]> {
    return Promise.all([...this.checks].map(async ([name, check]) => ({ name, isUp: await holds(check) })));
  }
}

function holds(check: HealthCheck): Promise<boolean> {
  return Promise.resolve()
    .then(check)
    .catch(() => false);
}
