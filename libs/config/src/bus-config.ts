import { z } from 'zod';
import { readSecret } from './file-variables.js';
import { loadConfig, type Environment } from './load-config.js';

/** How a service reaches the bus, and as whom. */
export interface BusConfig {
  /** Several with commas between. */
  url: string;
  user?: string;
  /** Asked anew for each connection when it stands in a file, so that it can change while the service runs. */
  password?: string | (() => string);
  /** PEM: who signed the server's certificate, where that is nobody whom every machine trusts. */
  caFile?: string;
  /** PEM: our own certificate and its key, where the server asks for one. */
  certFile?: string;
  keyFile?: string;
}

/** The variables of everyone on the bus, to be spread into a schema. */
export const busVariables = {
  NATS_URL: z.string().min(1),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
  NATS_PASSWORD_FILE: z.string().optional(),
  NATS_CA_FILE: z.string().optional(),
  NATS_CERT_FILE: z.string().optional(),
  NATS_KEY_FILE: z.string().optional(),
};

/** `npm start` and the containers say where the bus is; a media node that is started by hand finds it here. */
export const localBus = 'nats://127.0.0.1:4222';

const busEnvironment = z.object({ ...busVariables, NATS_URL: busVariables.NATS_URL.default(localBus) });

/** For a part of a media node that needs nothing but the bus. */
export function loadBusConfig(env?: Environment): BusConfig {
  return loadConfig(busEnvironment.transform(busConfig), env);
}

type BusEnvironment = z.output<z.ZodObject<typeof busVariables>>;

export function busConfig(env: BusEnvironment): BusConfig {
  return {
    url: env.NATS_URL,
    ...(env.NATS_USER !== undefined && { user: env.NATS_USER }),
    ...(env.NATS_PASSWORD !== undefined && { password: passwordOf(env.NATS_PASSWORD, env.NATS_PASSWORD_FILE) }),
    ...(env.NATS_CA_FILE !== undefined && { caFile: env.NATS_CA_FILE }),
    ...(env.NATS_CERT_FILE !== undefined && { certFile: env.NATS_CERT_FILE }),
    ...(env.NATS_KEY_FILE !== undefined && { keyFile: env.NATS_KEY_FILE }),
  };
}

function passwordOf(known: string, file: string | undefined): string | (() => string) {
  if (file === undefined) return known;
  let latest = known;
  return () => {
    try {
      latest = readSecret(file) || latest;
    } catch {
      // It is being replaced; the next connection may find it.
    }
    return latest;
  };
}
