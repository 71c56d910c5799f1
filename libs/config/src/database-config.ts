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

/** Environment variables of every database client, for a zod schema. */
export const databaseVariables = {
  DATABASE_URL: postgresUrl,
  DATABASE_CA_FILE: readableFile.optional(),
};

/** Returns the database URL. With DATABASE_CA_FILE it adds `sslmode=verify-full`, unless the URL sets `sslmode`. */
export function databaseUrl(env: z.output<z.ZodObject<typeof databaseVariables>>): string {
  if (env.DATABASE_CA_FILE === undefined) return env.DATABASE_URL;
  const url = new URL(env.DATABASE_URL);
  url.searchParams.set('sslrootcert', env.DATABASE_CA_FILE);
  if (!url.searchParams.has('sslmode')) url.searchParams.set('sslmode', 'verify-full');
  return url.href;
}

/** URL of the role that owns the tables, for migrations. Gateways may use a role with fewer rights. */
export const ownerVariables = { DATABASE_OWNER_URL: postgresUrl.optional() };

type OwnerEnv = z.output<z.ZodObject<typeof databaseVariables & typeof ownerVariables>>;

/** Returns the owner's URL as `url`, and the gateway's as `servingUrl`. */
export function databaseUrls(env: OwnerEnv): { url: string; servingUrl: string } {
  const servingUrl = databaseUrl(env);
  const { DATABASE_OWNER_URL: owner } = env;
  return { servingUrl, url: owner === undefined ? servingUrl : databaseUrl({ ...env, DATABASE_URL: owner }) };
}
