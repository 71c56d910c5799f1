/** Injects the `Bus` of @rtms/bus: NATS in the service, the in-memory one in tests that need no server. */
export const BUS = Symbol('Bus');
