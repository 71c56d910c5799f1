import http from 'node:http';
import https from 'node:https';
import { checkedLookup, hostOf, isPublicAddress, resolverFor } from '@rtms/http';
import { SendFailure } from './sender.js';
import { failureOf, requireAllowed, type Network } from './target-connection.js';

/** An SDP answer has some kilobytes. */
const mostBytes = 64 * 1024;

/**
 * A `fetch` for addresses of callers. It connects only to allowed addresses, follows no redirect, and leaves private addresses out
 * of SDP: of offers, which would tell of this network, and of answers, so that ICE probes no private network. Rejects with a
 * `SendFailure`, or with the reason of the signal.
 */
export function checkedFetch(allowsPrivate: boolean, network: Network = {}) {
  const lookup = checkedLookup(network.resolve ?? resolverFor({ allowsPrivate }), { allowsPrivate });
  return async (address: string, { method = 'GET', headers, body, signal }: RequestInit): Promise<Response> => {
    const url = allowedUrl(address, allowsPrivate);
    const options = { method, headers: headers as Record<string, string>, lookup, agent: false };
    const sent = open(url, { ...options, signal: signal ?? undefined }, network);
    const answered = responseTo(sent);
    sent.end(allowsPrivate || typeof body !== 'string' ? body : withoutPrivateAddresses(body));
    try {
      return await answerOf(await answered, allowsPrivate);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof SendFailure) throw error;
      throw failureOf(error as Error, url.protocol === 'https:');
    }
  };
}

export class DownloadTooLarge extends Error {}

/**
 * Downloads what an address of a caller answers with the status 200. Connects only to allowed addresses, and follows no redirect.
 * Rejects with a `SendFailure`, a `DownloadTooLarge`, or the reason of the signal.
 */
export async function checkedDownload(
  address: string,
  { allowsPrivate, mostBytes, signal }: { allowsPrivate: boolean; mostBytes: number; signal: AbortSignal },
  network: Network = {},
): Promise<Buffer> {
  const lookup = checkedLookup(network.resolve ?? resolverFor({ allowsPrivate }), { allowsPrivate });
  const url = allowedUrl(address, allowsPrivate);
  const sent = open(url, { lookup, agent: false, signal }, network);
  const answered = responseTo(sent);
  sent.end();
  try {
    const received = await answered;
    const { statusCode = 0 } = received;
    if (statusCode !== 200) throw new SendFailure('target_refused', `the answer has the status ${statusCode}`);
    return await readBytes(received, mostBytes, () => new DownloadTooLarge());
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof SendFailure || error instanceof DownloadTooLarge) throw error;
    throw failureOf(error as Error, url.protocol === 'https:');
  } finally {
    sent.destroy();
  }
}

function allowedUrl(address: string, allowsPrivate: boolean): URL {
  const url = new URL(address);
  requireAllowed(hostOf(url), allowsPrivate);
  if (url.protocol !== 'https:' && !allowsPrivate)
    throw new SendFailure('target_not_allowed', 'the target is not https');
  return url;
}

function open(url: URL, options: https.RequestOptions, { tls }: Network): http.ClientRequest {
  return url.protocol === 'https:' ? https.request(url, { ...options, ...tls }) : http.request(url, options);
}

/** Node's client emits `upgrade`, or `close` alone, for an answer that changes the protocol. */
function responseTo(sent: http.ClientRequest): Promise<http.IncomingMessage> {
  const refusal = () => new SendFailure('target_refused', 'the target gave no HTTP answer');
  return new Promise((resolve, reject) => {
    sent.once('response', resolve);
    // Stays: an error may follow the answer.
    sent.on('error', reject);
    sent.once('upgrade', (_received, socket) => {
      socket.destroy();
      reject(refusal());
    });
    sent.once('close', () => reject(refusal()));
  });
}

async function answerOf(received: http.IncomingMessage, allowsPrivate: boolean): Promise<Response> {
  const { statusCode: status = 500, headers } = received;
  const text = await readText(received);
  const shown = allowsPrivate ? text : withoutPrivateAddresses(text);
  const { location = '' } = headers;
  return new Response(bodiless.includes(status) ? null : shown, { status, headers: { location } });
}

/** These answers have no body (Fetch, 2.2.6). */
const bodiless = [204, 205, 304];

async function readText(received: http.IncomingMessage): Promise<string> {
  return (await readBytes(received, mostBytes, () => new Error('the answer is too long'))).toString();
}

async function readBytes(received: http.IncomingMessage, most: number, tooLong: () => Error): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of received as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > most) throw tooLong();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** `a=candidate:<foundation> <component> <transport> <priority> <address> …` (RFC 8839, 5.1), as all readers take it apart. */
const candidate = /^a=candidate:[\x21-\x7e]+ \d+ [A-Za-z-]+ \d+ ([\x21-\x7e]+) \d+ typ [\x20-\x7e]+\r?\n?$/;
/** The address of a section, which repeats that of a candidate. */
const connection = /^c=IN IP[46] (\S+)/;
const noAddress = 'c=IN IP4 0.0.0.0';

/** Drops candidates with private addresses, and those with names, which would be resolved unchecked. */
export function withoutPrivateAddresses(sdp: string): string {
  return sdp
    .split(/(?<=\n)/)
    .filter(line => !/candidate:/i.test(line) || isPublicAddress(candidate.exec(line)?.[1] ?? ''))
    .map(line => line.replace(connection, (all, address: string) => (isPublicAddress(address) ? all : noAddress)))
    .join('');
}
