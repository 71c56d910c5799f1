import { z } from 'zod';

/** Where a listener's certificate, with those of the CAs between it and a known one, and its key are; PEM. */
export interface TlsFiles {
  certFile: string;
  keyFile: string;
}

/** The variables of everyone who listens, to be spread into a schema. */
export const tlsVariables = {
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
};

export function tlsFiles(env: z.output<z.ZodObject<typeof tlsVariables>>): TlsFiles | undefined {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = env;
  return certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined;
}
