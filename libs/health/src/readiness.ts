/** Returns whether a part works. An exception or a rejection means that it does not. */
export type HealthCheck = () => boolean | Promise<boolean>;

/** Checks by the name in the response, e.g. `database`. */
export type HealthChecks = Readonly<Record<string, HealthCheck>>;

export interface HealthOptions {
  /** Conditions of readiness. Add later ones with `Readiness.needs`. */
  checks: HealthChecks;
  /** Parts that `/readyz` names but does not need. Add later ones with `Readiness.reports`. */
  reports?: HealthChecks;
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
  /** Whether the service is not ready without the part. */
  isNeeded: boolean;
}

/**
 * Whether the service can serve what it holds: all conditions hold and the node does not drain. A part that all replicas share,
 * such as the bus, is reported only: as a condition it would take all replicas from their load balancer together.
 */
export class Readiness {
  private readonly checks = new Map<string, { check: () => Promise<boolean>; isNeeded: boolean }>();
  private asksIsDraining = (): boolean => false;

  constructor({ checks, reports = {} }: Pick<HealthOptions, 'checks' | 'reports'>) {
    for (const [name, check] of Object.entries(checks)) this.needs(name, check);
    for (const [name, check] of Object.entries(reports)) this.reports(name, check);
  }

  /** Adds a condition. */
  needs(name: string, check: HealthCheck): void {
    this.checks.set(name, { check: shared(check), isNeeded: true });
  }

  /** Adds a part that the response names, whether or not it works. */
  reports(name: string, check: HealthCheck): void {
    this.checks.set(name, { check: shared(check), isNeeded: false });
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
    return Promise.all(
      [...this.checks].map(async ([name, { check, isNeeded }]) => ({ name, isNeeded, isUp: await check() })),
    );
  }
}

/** Lets questions share a running check: anybody may ask, and a check may write to a disk. */
function shared(check: HealthCheck): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  return () => (running ??= holds(check).finally(() => (running = undefined)));
}

function holds(check: HealthCheck): Promise<boolean> {
  return Promise.resolve()
    .then(check)
    .catch(() => false);
}
