import { isIPv4, isIPv6 } from 'node:net';
import { hostOf } from '@rtms/http';
import {
  isOlderVersion,
  type DirectorySpace,
  type EndpointTrial,
  type IngestDiagnosis,
  type RecordingsKeeping,
  type Trial,
  type TurnTrial,
} from '@rtms/contracts';
import { fail, ok, warn, type Judgement, type Measured } from './finding.js';

const gigabyte = 1e9;
const room = { warnBytes: 5 * gigabyte, failBytes: 0.5 * gigabyte };

export function judgeAnswer(answer: Measured<unknown>): Judgement {
  if ('value' in answer) return ok('answers');
  return fail(
    `does not answer: ${answer.failure}`,
    'Read its log, and check that it has the same version as the gateway.',
  );
}

export function judgeVersion(version: string | undefined, gateway: string): Judgement {
  if (!isOlderVersion(version, gateway)) return ok(version ?? '');
  return warn(
    `${version ?? 'An unknown version'} is older than the gateway's ${gateway}.`,
    'Finish the upgrade: drain the node and start it with the version of the gateway.',
  );
}

export function judgeHandshake({ ok: isOk, detail }: Trial): Judgement {
  if (isOk) return ok(`succeeds: ${detail}`);
  return fail(
    `fails: ${detail}`,
    'Look for mediasoup-worker in the log; check MEDIASOUP_WORKER_BIN and that RTC_LISTEN_IP is an address of the machine.',
  );
}

export interface AnnouncedAddress {
  address: string;
  publicUrl: string;
  machineAddresses: readonly string[];
}

/** Judges a port on which an ingest node waits for encoders. */
export function judgePort({ protocol, port, ok: isOpen, detail }: IngestDiagnosis['ports'][number]): Judgement {
  if (isOpen) return ok(`${protocol} at ${port}: ${detail}`);
  return fail(`${protocol} at ${port}: ${detail}`, 'Read the log of the node, and free the port or configure another.');
}

/** Judges the address that the node announces to peers. */
export function judgeAnnounced({ address, publicUrl, machineAddresses }: AnnouncedAddress): Judgement {
  const isLocal = isLoopback(address);
  if (isLocal && !isLoopback(hostIn(publicUrl)))
    return fail(
      `${address} is announced though PUBLIC_URL is ${publicUrl}.`,
      'Set RTC_ANNOUNCED_ADDRESS to the address that publishers and viewers reach.',
    );
  if (isLocal) return ok(`${address}: only this machine reaches it, like PUBLIC_URL`);
  if (!isIPv4(address) && !isIPv6(address)) return ok(`${address}, a name`);
  if (machineAddresses.includes(address)) return ok(`${address}, an address of the machine`);
  return warn(
    `${address} is not an address of the machine.`,
    'Behind NAT this is correct. Check that the media ports are forwarded to the machine.',
  );
}

/** The connections from another node to the media ports; `from` undefined: there is no other node. */
export interface Reach {
  trials: Measured<readonly EndpointTrial[]>;
  from: string | undefined;
}

export function judgeReach(protocol: 'udp' | 'tcp', { trials, from }: Reach): Judgement {
  if (from === undefined)
    return warn('not tried: there is no other node to try it from', 'Run a second node, or try from outside by hand.');
  if ('failure' in trials)
    return warn(`not tried: ${from} could not try it: ${trials.failure}`, `Read the lines of ${from}.`);
  const tried = trials.value.filter(trial => trial.protocol === protocol);
  if (tried.length === 0) return warn('nothing to try', 'Check that the node announces an address.');
  const closed = tried.find(trial => !trial.ok);
  if (!closed) return ok(`${tried.map(({ port }) => port).join(', ')} reached from ${from}`);
  return fail(
    `${closed.address}:${closed.port} is not reached from ${from}: ${closed.detail}`,
    `Let ${protocol} through to RTC_PORT and the following ones, one for each worker; check RTC_ANNOUNCED_ADDRESS.`,
  );
}

export function judgeTurn({ url, ok: isOk, detail }: TurnTrial): Judgement {
  if (isOk) return ok(`${url} relays: ${detail}`);
  return fail(
    `${url} does not relay: ${detail}`,
    'Check TURN_URLS and that TURN_SECRET is the static-auth-secret of the TURN server. Allow the announced address as a peer.',
  );
}

export function judgeEncoders(missing: readonly string[], version: string): Judgement {
  if (missing.length === 0) return ok(`FFmpeg ${version}`);
  return fail(
    `FFmpeg ${version || 'was not found or'} lacks ${missing.join(', ')}.`,
    'Install an FFmpeg 5.0 or newer with libx264, or set FFMPEG_PATH to one.',
  );
}

export function judgeEncoding({ ok: isOk, detail }: Trial): Judgement {
  if (isOk) return ok(`one second in ${detail}`);
  return fail(
    `FFmpeg cannot encode: ${detail}`,
    'Run the FFmpeg of FFMPEG_PATH by hand. Check that the machine has free memory.',
  );
}

export function judgeSpace({ purpose, path, isWritable, freeBytes, totalBytes }: DirectorySpace): Judgement {
  if (!isWritable)
    return fail(`${path} cannot be written.`, `Give ${purpose} to the service's user, or set it to another directory.`);
  const said = `${path}: ${(freeBytes / gigabyte).toFixed(1)} of ${(totalBytes / gigabyte).toFixed(1)} GB free`;
  if (freeBytes < room.failBytes) return fail(said, `Free disk space, or set ${purpose} to a larger disk.`);
  return freeBytes < room.warnBytes ? warn(said, `Free disk space, or set ${purpose} to a larger disk.`) : ok(said);
}

/** `transcoders`: the number of all transcoders. */
export function judgeRecordings({ storage, isPod }: RecordingsKeeping, transcoders: number): Judgement {
  if (storage === 'shared') return ok('in shared storage: any transcoder completes them');
  if (!isPod && transcoders < 2) return ok('on the disk of the only transcoder');
  return warn(
    `Only this ${isPod ? 'pod' : 'node'} can complete its recordings. Its loss loses them.`,
    'Set RECORDINGS_S3_BUCKET or RECORDINGS_SHARED_DIR for all transcoders: docs/operations/recordings.md.',
  );
}

function hostIn(url: string): string {
  return URL.canParse(url) ? hostOf(new URL(url)) : url;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
