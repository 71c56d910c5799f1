import type { CallEncoderRequest, IngestProblem, SrtMode } from '@rtms/contracts';
import { hostOf, privateAddress, resolveAllowed, type Resolve } from '@rtms/http';

/** How FFmpeg gets the media of one session. */
export interface SrtRoute {
  mode: SrtMode;
  /** The UDP port of a listener. */
  port?: number;
  /** Never logged. */
  secrets: readonly string[];
  /** The list of inputs that FFmpeg reads from stdin. Rejects with a `CallFailure`. */
  inputs(): Promise<string>;
  /** The time until the next start, after one that lasted for `lastedMs`. */
  pauseAfter(lastedMs: number): number;
  /** Why FFmpeg ended before an encoder sent media, by its last lines; undefined: no encoder is to blame. */
  problemOf(lines: readonly string[]): IngestProblem | undefined;
}

/** A call that FFmpeg did not begin. */
export class CallFailure extends Error {
  constructor(
    readonly problem: IngestProblem,
    cause: unknown,
  ) {
    super(problem, { cause });
  }
}

export const probeBytes = 1_000_000;
export const analyzeMicroseconds = 700_000;

/** Between two starts, when FFmpeg ends at once or the encoder was refused. */
const leastPauseMs = 1_000;
const longestPauseMs = 30_000;
/** A connection that lasts for so long was no failure. The longest refusal takes about ten seconds. */
const soundMs = 15_000;

/** Waits at a UDP port. FFmpeg refuses a wrong passphrase, and goes on listening. */
export function listenerRoute(parts: {
  host: string;
  port: number;
  passphrase: string;
  latencyMs: number;
}): SrtRoute & { port: number } {
  const { host, port, passphrase, latencyMs } = parts;
  const query = `mode=listener&latency=${latencyMs * 1000}&pbkeylen=16&passphrase=${passphrase}`;
  return {
    ...{ mode: 'listener', port, secrets: [passphrase] },
    inputs: () => Promise.resolve(inputList(host, port, query)),
    pauseAfter: lastedMs => (lastedMs < leastPauseMs ? leastPauseMs : 0),
    problemOf: () => undefined,
  };
}

/** Calls the address of an encoder. Each call resolves and checks the address anew, and FFmpeg gets the checked one. */
export function callerRoute(
  { url, passphrase, streamID, allowsPrivate }: CallEncoderRequest,
  latencyMs: number,
  resolve?: Resolve,
): SrtRoute {
  const target = new URL(url);
  let failures = 0;
  const resolved = async (): Promise<string> => {
    try {
      return await resolveAllowed(hostOf(target), { allowsPrivate }, resolve);
    } catch (error) {
      const isPrivate = (error as NodeJS.ErrnoException).code === privateAddress;
      throw new CallFailure(isPrivate ? 'address_not_allowed' : 'host_not_found', error);
    }
  };
  return {
    ...{ mode: 'caller', secrets: [passphrase, streamID].filter(each => each !== undefined) },
    inputs: async () => {
      const list = inputList(await resolved(), Number(target.port), `mode=caller&latency=${latencyMs * 1000}`);
      return `${list}${option('passphrase', passphrase)}${option('streamid', streamID)}`;
    },
    pauseAfter: lastedMs => {
      failures = lastedMs >= soundMs ? 0 : failures + 1;
      return Math.min(longestPauseMs, leastPauseMs * 2 ** Math.min(Math.max(0, failures - 1), 10));
    },
    problemOf: callProblem,
  };
}

/** FFmpeg's list of inputs. The arguments of a process are visible to all users of the machine, so secrets are only here. */
function inputList(host: string, port: number, query: string): string {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const probing = `option probesize ${probeBytes}\noption analyzeduration ${analyzeMicroseconds}\n`;
  return `ffconcat version 1.0\nfile 'srt://${address}?${query}'\n${probing}`;
}

function option(name: string, value: string | undefined): string {
  return value === undefined ? '' : `option ${name} '${value.replaceAll("'", String.raw`'\''`)}'\n`;
}

/** libsrt prints `REJECT …: <reason>` for a refused connection. FFmpeg cannot tell why nobody answers. */
function callProblem(lines: readonly string[]): IngestProblem {
  const text = lines.join('\n');
  if (/Incorrect passphrase|Password required/i.test(text)) return 'wrong_passphrase';
  if (/\bREJECT/.test(text)) return 'encoder_refused';
  return /Connection to srt:\S+ failed/.test(text) ? 'encoder_unreachable' : 'no_media';
}
