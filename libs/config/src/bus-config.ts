import { z } from 'zod';
import { readSecret, loadConfig, type Environment } from './load-config.js';

/** Address and credentials of the NATS servers. */
export interface BusConfig {
  /** One or more URLs, separated by commas. */
  url: string;
  user?: string;
  /** A function reads the password file again for each connection, so that the password can change at run time. */
  password?: string | (() => string);
  /** PEM file with a private CA of the server's certificate. */
  caFile?: string;
  /** PEM files with the client certificate and its key, if the server requires one. */
  certFile?: string;
  keyFile?: string;
}

/** Environment variables of every bus client, for a zod schema. */
export const busVariables = {
  NATS_URL: z.string().min(1),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
  NATS_PASSWORD_FILE: z.string().optional(),
  NATS_CA_FILE: z.string().optional(),
  NATS_CERT_FILE: z.string().optional(),
  NATS_KEY_FILE: z.string().optional(),
};

/** Default for a media node that is started by hand. `npm start` and the containers set NATS_URL. */
export const localBus = 'nats://127.0.0.1:4222';

const busEnvironment = z.object({ ...busVariables, NATS_URL: busVariables.NATS_URL.default(localBus) });

/** Loads the bus variables alone. Throws ConfigurationError. */
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
      // The file is being replaced; the next connection reads it again.
    }
    return latest;
  };
}
