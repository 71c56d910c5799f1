import type { StoredCopies } from '@rtms/bus';
import { fail, ok, warn, type Judgement, type Measured } from './finding.js';

/** The oldest major version of PostgreSQL that the queries support. */
const oldestPostgres = 14;
/** Clock differences matter because tokens are valid for minutes only and events are ordered by the clock of their node. */
const skew = { warnMs: 500, failMs: 5_000 };
const shortToken = 32;

/** Judges the answer of the gateway to `rtms-admin`. */
export function judgeGateway(answer: Measured<unknown>): Judgement {
  if ('value' in answer) return ok('answers');
  return fail(
    answer.failure,
    'Read its log. With its environment, rtms-admin doctor --local checks the services that it needs.',
  );
}

export function judgeSettings(settings: Measured<unknown>): Judgement {
  if ('value' in settings) return ok('the environment is complete');
  return fail(settings.failure, 'Run rtms-admin doctor --local with the environment of the gateway.');
}

export function judgeDatabase(version: Measured<string>): Judgement {
  if ('failure' in version)
    return fail(
      `PostgreSQL does not answer: ${version.failure}`,
      'Start PostgreSQL, and check that DATABASE_URL names it.',
    );
  const major = Number.parseInt(version.value, 10);
  if (major >= oldestPostgres) return ok(`PostgreSQL ${version.value}`);
  return fail(`PostgreSQL ${version.value} is too old.`, `Move to PostgreSQL ${oldestPostgres} or newer.`);
}

/** `excess`: rights beyond reading and writing rows. */
export function judgeDatabaseRole(excess: Measured<string[]>): Judgement {
  if ('failure' in excess)
    return fail(`Its rights could not be read: ${excess.failure}`, 'Read the line on the database.');
  if (excess.value.length === 0) return ok('reads and writes rows, and nothing else');
  return warn(
    `The role of DATABASE_URL ${excess.value.join(', ')}.`,
    'Serve with a role of its own and migrate with DATABASE_OWNER_URL: docs/operations/database-role.md.',
  );
}

/** `missing`: names of migrations that were not applied. */
export function judgeMigrations(missing: Measured<string[]>): Judgement {
  const command = 'node apps/gateway/dist/platform/database/migrate.js';
  if ('failure' in missing)
    return fail(`The schema could not be read: ${missing.failure}`, `Run ${command} with the gateway's environment.`);
  if (missing.value.length === 0) return ok('all applied');
  const [first] = missing.value;
  return fail(
    `${missing.value.length} not applied, the first is ${first}`,
    `Run ${command} with the gateway's environment.`,
  );
}

/** `uncertaintyMs`: the time that the answer took. */
export function judgeClock(differenceMs: number, uncertaintyMs: number): Judgement {
  const off = Math.max(0, Math.abs(differenceMs) - uncertaintyMs);
  const said = `${Math.round(differenceMs)} ms from the gateway's clock, within ${Math.round(uncertaintyMs)} ms`;
  const advice = 'Set the clocks of all machines by NTP (timedatectl set-ntp true).';
  if (off >= skew.failMs) return fail(said, advice);
  return off >= skew.warnMs ? warn(said, advice) : ok(said);
}

export function judgeBus(connected: Measured<unknown>): Judgement {
  if ('value' in connected) return ok('connected');
  return fail(
    `NATS cannot be reached: ${connected.failure}`,
    'Start NATS, and check NATS_URL, NATS_USER, NATS_PASSWORD and NATS_CA_FILE.',
  );
}

export function judgeJetStream(opened: Measured<string>): Judgement {
  if ('value' in opened) return ok(opened.value);
  return fail(
    `Streams or buckets cannot be used: ${opened.failure}`,
    'Start nats-server with JetStream (-js, and -sd for its folder) and free disk space. Allow the gateway’s user to use it.',
  );
}

/** `configured`: NATS_REPLICAS, if set. */
export function judgeCopies(copies: readonly StoredCopies[], configured: number | undefined): Judgement | undefined {
  const short = copies.find(({ wanted, current }) => current < (configured ?? wanted));
  if (!short) return undefined;
  const { name, wanted, current } = short;
  const needed = configured ?? wanted;
  const advice =
    wanted < needed
      ? 'Restart the gateway, which changes the streams, and read its log.'
      : `Start all servers of NATS: with fewer than ${needed} copies its next failure may stop the platform.`;
  return fail(`${name} has ${current} of ${needed} copies.`, advice);
}

/** `unreadable`: the number of tried secrets that no key decrypts. */
export function judgeSecrets(found: Measured<{ tried: number; unreadable: number }>): Judgement {
  if ('failure' in found)
    return fail(`Stored secrets could not be read: ${found.failure}`, 'Read the lines on the database.');
  const { tried, unreadable } = found.value;
  if (unreadable === 0) return ok(`${tried} stored secrets can be decrypted`);
  return fail(
    `No key decrypts ${unreadable} of ${tried} stored secrets.`,
    'Give the former key in RTMS_PREVIOUS_SECRET_KEYS, then run rtms-admin secrets rotate.',
  );
}

export function judgeAdminToken(length: number): Judgement {
  if (length >= shortToken) return ok(`${length} characters`);
  return warn(`only ${length} characters`, 'Set RTMS_ADMIN_TOKEN to a longer one: openssl rand -base64 32');
}

/** Judges whether the gateway checks the addresses that media nodes announce. On a single machine only its own nodes write leases. */
export function judgeNodeAddresses(publicUrl: string, areSet: boolean): Judgement {
  if (areSet) return ok('only listed addresses are accepted');
  if (['127.0.0.1', 'localhost', '[::1]'].includes(new URL(publicUrl).hostname)) return ok('any address is accepted');
  return warn(
    'Media nodes may announce any address.',
    'List their addresses in MEDIA_NODE_ADDRESSES: https://*.media.example.com',
  );
}

/** Without ingest nodes the platform works, but refuses SRT and RTMP. */
export function judgeIngestNodes(willing: number, all: number, isEnabled: boolean): Judgement {
  if (willing > 0) return ok(`${willing} of ${all} take work`);
  if (!isEnabled) return ok('none is needed: SRT, RTMP and RTMPS are switched off');
  return warn(
    all > 0 ? `All ${all} are drained.` : 'There is no ingest node, but SRT, RTMP or RTMPS is switched on.',
    'Start the ingest service with the NATS_URL of the gateway, or switch the features off.',
  );
}

export function judgeNodes(role: 'sfu' | 'transcoder', willing: number, all: number): Judgement {
  if (willing > 0) return ok(`${willing} of ${all} take work`);
  const advice =
    all > 0
      ? 'Return one to service: rtms-admin undrain NODE'
      : `Start the ${role} service with the NATS_URL of the gateway.`;
  return fail(all > 0 ? `All ${all} are drained.` : `There is no ${role} node.`, advice);
}
