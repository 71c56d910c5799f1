/** Whether a part can do its work; throwing or rejecting means that it cannot. */
export type HealthCheck = () => boolean | Promise<boolean>;

/** By the name that stands in the answer, e.g. `database`. */
export type HealthChecks = Readonly<Record<string, HealthCheck>>;

export interface HealthOptions {
  /** What must hold before work is sent here; parts that are made later are told to `Readiness`. */
  checks: HealthChecks;
  /** `/metrics` is answered only where a `ManagementPort` passed the request on. */
  hidesMetrics?: boolean;
  /** Paths that have no routes of their own, see `HttpMetrics`. */
  mounts?: readonly string[];
}

export const healthOptions = Symbol('healthOptions');
