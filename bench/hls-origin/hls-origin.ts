/**
 * How many requests the HLS origin answers in a second of one core, with and without the data of players (CMCD). nginx serves the same
 * files. A slow reader is present. Prints one JSON line. Other load changes ratios little, because all take turns.
 *   npm run bench:hls-origin -- [seconds] [rounds] [folder of a profile]
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@rtms/clock';
import { makeHlsClaims } from '@rtms/testing';
import { formatSignedPath, generateSigningKey, TokenSigner } from '@rtms/tokens';
import { percentile } from '../percentile.js';
import { KeepAliveReader } from './keep-alive-reader.js';
import { NginxProcess, type ServedFile } from './nginx-process.js';

const [secondsEach = 4, rounds = 3] = process.argv.slice(2, 4).map(Number);
const profileFolder = process.argv[4];
const connections = 50;
/** Turns with and without CMCD. */
const pairs = 21;
const secondsOfPair = 1;
/** Each is used once, as by players, unless the origin is faster. */
const tokenCount = 10_000;
const root = fileURLToPath(new URL('../../', import.meta.url));

interface Server {
  port: number;
  cpuSeconds(): Promise<number>;
}

interface Measured {
  requestsPerCpuSecond: number;
  megabytesPerCpuSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

async function ask<Answer>(child: ChildProcess, question?: object): Promise<Answer> {
  if (question) child.send(question);
  const [answer] = (await once(child, 'message')) as [Answer];
  return answer;
}

async function fetched(url: string, path: string): Promise<ServedFile> {
  const answer = await fetch(`${url}${path}`);
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
  return { path, body: Buffer.from(await answer.arrayBuffer()) };
}

/** The same paths for each connection, with CMCD as hls.js sends it. Each connection is a player. */
function withPlayerData(paths: readonly string[]): string[] {
  return paths.flatMap(path =>
    Array.from({ length: connections }, (_, player) => {
      const isPlaylist = path.endsWith('.m3u8');
      const sessionID = `6e2fb550-c457-11e9-bb97-${String(player).padStart(12, '0')}`;
      const common = `ot=${isPlaylist ? 'm' : 'v'},sf=h,sid="${sessionID}",st=l`;
      const data = isPlaylist ? common : `bl=5400,br=3200,d=2000,mtp=25400,${common},tb=6000`;
      return `${path}?CMCD=${encodeURIComponent(data)}`;
    }),
  );
}

/** Asks for a hundred segments and reads none. */
async function startSlowReader(port: number, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  for (let index = 0; index < 100; index += 1) socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`);
  return socket;
}

/** `paths`: each connection takes its share, one after the other. */
async function measure(server: Server, paths: readonly string[], seconds = secondsEach): Promise<Measured> {
  const shareOf = (connection: number): string[] =>
    paths.length < connections ? [...paths] : paths.filter((_, index) => index % connections === connection);
  const before = await server.cpuSeconds();
  const starting = Array.from({ length: connections }, (_, index) =>
    KeepAliveReader.start(server.port, shareOf(index)),
  );
  const readers = await Promise.all(starting);
  await pause(seconds * 1000);
  for (const reader of readers) reader.stop();
  const spent = (await server.cpuSeconds()) - before;
  const latencies = readers.flatMap(({ latenciesMs }) => latenciesMs);
  const sum = (key: 'bytes' | 'failures'): number => readers.reduce((total, reader) => total + reader[key], 0);
  return {
    requestsPerCpuSecond: Math.round(latencies.length / spent),
    megabytesPerCpuSecond: Math.round(sum('bytes') / spent / 1e6),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    failures: sum('failures'),
  };
}

/** Requests a CPU second with `others` to those with `paths`: the median of short turns in pairs, because other programs use the caches too. */
async function compare(server: Server, paths: readonly string[], others: readonly string[]) {
  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const isReversed = pair % 2 === 1;
    const first = await measure(server, isReversed ? others : paths, secondsOfPair);
    const second = await measure(server, isReversed ? paths : others, secondsOfPair);
    const ratio = second.requestsPerCpuSecond / first.requestsPerCpuSecond;
    ratios.push(isReversed ? 1 / ratio : ratio);
  }
  const ratioAt = (share: number): number =>
    percentile(
      ratios.map(each => each * 1_000),
      share,
    ) / 1_000;
  return { ratio: ratioAt(0.5), quartiles: [0.25, 0.75].map(ratioAt), pairs };
}

const median = (values: readonly number[]): number => percentile([...values], 0.5);

const execArgv = ['--import', 'tsx', ...(profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : [])];
const child = fork(new URL('./origin-process.ts', import.meta.url), { execArgv });
let nginx: NginxProcess | undefined;
try {
  await ask(child);
  const key = await generateSigningKey();
  const signer = new TokenSigner(key, systemClock);
  const { url } = await ask<{ url: string }>(child, { keys: [key.publicJwk] });
  const claims = await makeHlsClaims(signer);
  const prefix = `/hls/bcast_1/${formatSignedPath(claims.path)}`;
  const playlists = await Promise.all(['720p', 'audio'].map(name => fetched(url, `${prefix}/${name}/index.m3u8`)));
  const segments = await Promise.all(
    playlists.map(({ path, body }) =>
      fetched(url, path.replace('index.m3u8', /^[^#\n].*$/m.exec(body.toString())?.[0] ?? '')),
    ),
  );
  const tokens = Array.from({ length: tokenCount }, (_, index) =>
    signer.sign({ ...claims, expiresAt: claims.expiresAt + 3600 + index }),
  );
  const entries = (await Promise.all(tokens)).map(token => `/hls/bcast_1/index.m3u8?token=${token}`);
  nginx = await NginxProcess.start(root, [...playlists, ...segments]);
  const origin: Server = {
    port: Number(new URL(url).port),
    cpuSeconds: async () => (await ask<{ cpuSeconds: number }>(child, {})).cpuSeconds,
  };
  const served = nginx;
  const servers = { origin, ...(served && { nginx: { port: served.port, cpuSeconds: () => served.cpuSeconds() } }) };
  const slowReader = await startSlowReader(origin.port, segments[0]?.path ?? '/');
  const kinds = {
    playlists: playlists.map(({ path }) => path),
    segments: segments.map(({ path }) => path),
    /** One player's requests for each segment that it plays. */
    player: [...playlists, ...segments].map(({ path }) => path),
  };
  // Otherwise the first round measures the compiler of Node.js.
  const playerWithData = withPlayerData(kinds.player);
  for (const paths of [...Object.values(kinds), playerWithData, entries]) await measure(origin, paths);
  // A player sends its token once, and a CDN passes it on.
  const turns = [
    ...Object.entries(kinds).flatMap(([kind, paths]) =>
      Object.entries(servers).map(([name, server]) => ({ kind, name, server, paths })),
    ),
    { kind: 'joining', name: 'origin', server: origin, paths: entries },
  ];
  const results: Record<string, Record<string, Measured[]>> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const { kind, name, server, paths } of turns) {
      ((results[kind] ??= {})[name] ??= []).push(await measure(server, paths));
    }
  }
  const withData = await compare(origin, kinds.player, playerWithData);
  // The origin reads a long address, but no data.
  const longAddresses = playerWithData.map(path => path.replace('?CMCD=', '?NONE='));
  const withDataOfLong = await compare(origin, longAddresses, playerWithData);
  slowReader.destroy();
  const rateOf = (kind: string, name: string): number =>
    median((results[kind]?.[name] ?? []).map(({ requestsPerCpuSecond }) => requestsPerCpuSecond));
  const ratios = served && {
    playlists: rateOf('playlists', 'origin') / rateOf('playlists', 'nginx'),
    segments: rateOf('segments', 'origin') / rateOf('segments', 'nginx'),
  };
  const joining = rateOf('joining', 'origin');
  const failures = Object.values(results).flatMap(each =>
    Object.values(each)
      .flat()
      .map(one => one.failures),
  );
  console.log(
    JSON.stringify({
      bench: 'hls-origin',
      connections,
      results,
      ratios: ratios ?? 'nginx is not installed',
      joining,
      player: rateOf('player', 'origin'),
      ...{ withData, withDataOfLong },
      aim: { ratio: 0.3, joining: 3_000, withData: 0.9 },
      met:
        ratios !== undefined &&
        Math.min(ratios.playlists, ratios.segments) >= 0.3 &&
        joining >= 3_000 &&
        withData.ratio >= 0.9 &&
        failures.every(count => count === 0),
    }),
  );
} finally {
  await nginx?.close();
  child.disconnect();
}
