import { accessSync, constants } from 'node:fs';
import { z } from 'zod';

const readableFile = z.string().superRefine((path, context) => {
  try {
    accessSync(path, constants.R_OK);
  } catch {
    context.addIssue(`${path} cannot be read`);
  }
});

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' });

/** The variables of everyone who works on the database, to be spread into a schema. */
export const databaseVariables = {
  DATABASE_URL: postgresUrl,
  DATABASE_CA_FILE: readableFile.optional(),
};

/** The database's address; with a CA of its own it counts only with a certificate that this CA signed for its name. */
export function databaseUrl(env: z.output<z.ZodObject<typeof databaseVariables>>): string {
  if (env.DATABASE_CA_FILE === undefined) return env.DATABASE_URL;
  const url = new URL(env.DATABASE_URL);
  url.searchParams.set('sslrootcert', env.DATABASE_CA_FILE);
  if (!url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'verify-full');
  return url.href;
}

/** Of the migrations: the role that owns the tables, when gateways serve with another one. */
export const ownerVariables = { DATABASE_OWNER_URL: postgresUrl.optional() };

type OwnerEnv = z.output<z.ZodObject<typeof databaseVariables & typeof ownerVariables>>;

/** `url` is the owner's. */
export function databaseUrls(env: OwnerEnv): { url: string; servingUrl: string } {
  const servingUrl = databaseUrl(env);
  const { DATABASE_OWNER_URL: owner } = env;
  return { servingUrl, url: owner === undefined ? servingUrl : databaseUrl({ ...env, DATABASE_URL: owner }) };
}
