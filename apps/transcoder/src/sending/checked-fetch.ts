import http from 'node:http';
import https from 'node:https';
import { checkedLookup, hostOf, isPublicAddress, resolverFor } from '@rtms/http';
import { SendFailure } from './sender.js';
import { failureOf, requireAllowed, type Network } from './target-connection.js';

/** An SDP answer has some kilobytes. */
const mostBytes = 64 * 1024;

/**
 * A `fetch` for addresses of callers. It connects only to allowed addresses, follows no redirect, and leaves private addresses out
 * of SDP answers, so that ICE probes no private network. Rejects with a `SendFailure`, or with the reason of the signal.
 */
export function checkedFetch(allowsPrivate: boolean, network: Network = {}) {
  const lookup = checkedLookup(network.resolve ?? resolverFor({ allowsPrivate }), { allowsPrivate });
  return (address: string, { method = 'GET', headers, body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const url = new URL(address);
      try {
        requireAllowed(hostOf(url), allowsPrivate);
      } catch (error) {
        return reject(error as Error);
      }
      if (url.protocol !== 'https:' && !allowsPrivate)
        return reject(new SendFailure('target_not_allowed', 'the target is not https'));
      const isSecure = url.protocol === 'https:';
      const fail = (error: Error) => reject(signal?.aborted ? (signal.reason as Error) : failureOf(error, isSecure));
      const options = {
        method,
        headers: headers as Record<string, string>,
        lookup,
        agent: false as const,
        signal: signal ?? undefined,
      };
      const sent = isSecure ? https.request(url, { ...options, ...network.tls }) : http.request(url, options);
      sent.on('error', fail).on('response', received => {
        const parts: Buffer[] = [];
        let bytes = 0;
        received.on('error', fail).on('data', (part: Buffer) => {
          bytes += part.length;
          if (bytes > mostBytes) return void received.destroy(new Error('the answer is too long'));
          parts.push(part);
        });
        received.on('end', () => {
          const text = Buffer.concat(parts).toString();
          const { location = '' } = received.headers;
          const status = received.statusCode ?? 500;
          const hasBody = ![204, 205, 304].includes(status);
          const answer = allowsPrivate ? text : withoutPrivateCandidates(text);
          resolve(new Response(hasBody ? answer : null, { status, headers: { location } }));
        });
      });
      sent.end(body);
    });
}

/** `a=candidate:<foundation> <component> <transport> <priority> <address> …` (RFC 8839, 5.1). A name would be resolved unchecked. */
export function withoutPrivateCandidates(sdp: string): string {
  return sdp
    .split(/(?<=\n)/)
    .filter(line => !/^a=candidate:/i.test(line) || isPublicAddress(line.trim().split(/\s+/)[4] ?? ''))
    .join('');
}
