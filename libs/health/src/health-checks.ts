/** Whether a part can do its work; throwing or rejecting means that it cannot. */
export type HealthCheck = () => boolean | Promise<boolean>;

/** By the name that stands in the answer, e.g. `database`. */
export type HealthChecks = Readonly<Record<string, HealthCheck>>;

export const healthChecks = Symbol('healthChecks');
