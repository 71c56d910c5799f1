import { z } from 'zod';

/** How a service reaches the bus, and as whom. */
export interface BusConfig {
  /** Several with commas between. */
  url: string;
  user?: string;
  password?: string;
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
  NATS_CA_FILE: z.string().optional(),
  NATS_CERT_FILE: z.string().optional(),
  NATS_KEY_FILE: z.string().optional(),
};

type BusEnvironment = z.output<z.ZodObject<typeof busVariables>>;

export function busConfig(env: BusEnvironment): BusConfig {
  return {
    url: env.NATS_URL,
    ...(env.NATS_USER !== undefined && { user: env.NATS_USER }),
    ...(env.NATS_PASSWORD !== undefined && { password: env.NATS_PASSWORD }),
    ...(env.NATS_CA_FILE !== undefined && { caFile: env.NATS_CA_FILE }),
    ...(env.NATS_CERT_FILE !== undefined && { certFile: env.NATS_CERT_FILE }),
    ...(env.NATS_KEY_FILE !== undefined && { keyFile: env.NATS_KEY_FILE }),
  };
}
