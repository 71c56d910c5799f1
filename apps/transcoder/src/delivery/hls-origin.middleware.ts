import { Inject, Injectable, type NestMiddleware, type OnModuleDestroy } from '@nestjs/common';
import { ServiceError, type BroadcastOrigin, type HlsToken } from '@rtms/contracts';
import { formatSignedPath } from '@rtms/tokens';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { clientOf, type ClientOf, type ReadyAnswer } from '@rtms/http';
import type { Request, Response } from 'express';
import { DELIVERY_OPTIONS, type DeliveryOptions } from './delivery-options.js';
import { parseHlsPath, type HlsPath } from './routing/hls-path.js';
import { OriginLookup } from './routing/origin-lookup.js';
import { forwardedHeader, isFromNode, OriginProxy, type Asking } from './routing/origin-proxy.js';
import { isWaiting, listedTargetDurations } from './presentation/playlists/parts.js';
import type { Presentation } from './presentation/presentation.js';
import { findInMemory, findRepresentation } from './answers/find-representation.js';
import { PlaylistCache } from './answers/representation.js';
import { PresentationRegistry } from './presentation-registry.js';
import { HlsViewers } from './viewers/hls-viewers.js';
import { mediaCheck, WaitingReaders, type WaitingReader } from './answers/waiting-readers.js';
import { answerMethod, boundStalls, readyAnswer, sendRepresentation } from './answers/send-representation.js';

const retrySeconds = 2;

/** A request for a broadcast of this node. */
interface Asked {
  request: Request;
  response: Response;
  target: HlsPath;
  query: string;
  prefix: string;
  presentation: Presentation;
}

/**
 * The HLS origin, for all paths below `/hls/`. It is middleware because it needs the raw path; a router would decode and
 * normalise the path.
 */
@Injectable()
export class HlsOriginMiddleware implements NestMiddleware, OnModuleDestroy {
  private readonly proxy: OriginProxy;
  private readonly lookup: OriginLookup;

  constructor(
    @Inject(PresentationRegistry) private readonly registry: PresentationRegistry,
    // Nest makes a second instance of a middleware, which shares these.
    @Inject(PlaylistCache) private readonly playlists: PlaylistCache,
    @Inject(WaitingReaders) private readonly waiting: WaitingReaders,
    @Inject(HlsViewers) private readonly viewers: HlsViewers,
    @Inject(DELIVERY_OPTIONS) private readonly options: DeliveryOptions,
  ) {
    this.proxy = new OriginProxy(options.patienceMs);
    this.lookup = new OriginLookup(options.bus, options.clock);
  }

  async use(request: Request, response: Response): Promise<void> {
    if (answerMethod(request, response)) return;
    const [path, query] = splitOnce(request.originalUrl, '?');
    const target = parseHlsPath(path);
    if (!target) throw nothingHere();
    const prefix = await this.authorize(target, query);
    await this.answer(request, response, target, { prefix, query });
  }

  /**
   * Returns the answer of a request for a whole playlist or segment of this node that was sent before and is in memory. Any other
   * request needs `use`, also one whose signature must be checked: that is costly, so the limits of its address come first.
   */
  findReady({ method, url = '', headers, socket }: IncomingMessage, client: ClientOf): ReadyAnswer | undefined {
    if (method !== 'GET' || headers[forwardedHeader] !== undefined) return undefined;
    const [path, query] = splitOnce(url, '?');
    const target = parseHlsPath(path);
    if (target?.kind !== 'signed' || !target.signed || !this.options.verifier.hasVerified(target.signed))
      return undefined;
    boundStalls(socket);
    return this.findReadyFile(target, query, headers, client);
  }

  private findReadyFile(
    { broadcastID, file }: HlsPath & { file: string },
    query: string,
    headers: IncomingHttpHeaders,
    client: ClientOf,
  ): ReadyAnswer | undefined {
    const presentation = this.registry.get(broadcastID);
    const found = presentation && findInMemory(presentation, this.playlists, file, query);
    const ready = found && readyAnswer(headers, found);
    if (ready) this.viewers.note(presentation, query, headers, () => clientOf(client()));
    return ready;
  }

  onModuleDestroy(): Promise<void> {
    return this.proxy.close();
  }

  /** Checks the token or the signed path. Returns the URL prefix for the multivariant playlist. */
  private async authorize(target: HlsPath, query: string): Promise<string> {
    if (target.kind === 'entry') {
      const token = await this.verifyToken(target.broadcastID, new URLSearchParams(query).get('token'));
      return `${formatSignedPath(token.path)}/`;
    }
    if (!target.signed || !(await this.options.verifier.verifyPath(target.signed))) throw notSigned();
    return '';
  }

  private async verifyToken(broadcastID: string, token: string | null): Promise<HlsToken> {
    if (!token) throw new ServiceError('invalid_credentials', 'The token is missing.');
    const claims = await this.options.verifier.verify(token, 'hls');
    if (claims.purpose !== 'hls' || claims.resourceID !== broadcastID) {
      throw new ServiceError('invalid_credentials', 'The token is for another broadcast.');
    }
    return claims;
  }

  private async answer(
    request: Request,
    response: Response,
    target: HlsPath,
    more: Pick<Asked, 'prefix' | 'query'>,
  ): Promise<void> {
    const waited = this.registry.get(target.broadcastID);
    if (waited) this.viewers.note(waited, more.query, request.headers, () => networkOf(request));
    if (await this.waitForMedia(request, response, target, more.query)) return;
    const presentation = this.registry.get(target.broadcastID);
    if (!presentation) return this.forward(request, response, target);
    const asked = { request, response, target, presentation, ...more };
    const isAnswered = await (isPlaylist(target) ? this.answerPlaylist(asked) : this.answerSegment(asked));
    if (!isAnswered) throw notYet(asked, presentation.continues !== undefined);
  }

  /**
   * Waits for the playlist of a low-latency broadcast that the player names, or for the part that its playlist hints at. Returns
   * whether the player has gone.
   */
  private async waitForMedia(request: Request, response: Response, target: HlsPath, query: string): Promise<boolean> {
    const presentation = this.registry.get(target.broadcastID);
    if (!presentation?.live || target.kind === 'entry') return false;
    const hasMedia = mediaCheck(presentation, target.file, query);
    const isReady = () => presentation.isHandedOver || hasMedia();
    if (isReady()) return false;
    const free = this.waiting.take(this.readerOf(request, target.broadcastID, presentation.options.accountID));
    const gone = new AbortController();
    const onClose = (): void => gone.abort();
    response.once('close', onClose);
    // The player may have gone before.
    if (response.destroyed) onClose();
    try {
      const longestMs = listedTargetDurations * presentation.targetDurationSeconds * 1000;
      const isInTime = await this.waiting.until(presentation, isReady, { longestMs, signal: gone.signal });
      if (!isInTime && !gone.signal.aborted && isPlaylist(target)) throw isLate();
      return gone.signal.aborted;
    } finally {
      response.off('close', onClose);
      free();
    }
  }

  /** Asks the successor first. After a playlist of the successor, this node's older playlists are never sent again. */
  private async answerPlaylist(asked: Asked): Promise<boolean> {
    const { request, response, target, presentation } = asked;
    if (presentation.isOvertaken) {
      await this.forward(request, response, target, 'former');
      return true;
    }
    if (await this.askSuccessor(asked)) {
      presentation.beOvertaken();
      return true;
    }
    return (await this.sendOwn(asked)) || this.askFormer(asked);
  }

  private async answerSegment(asked: Asked): Promise<boolean> {
    return (await this.sendOwn(asked)) || (await this.askSuccessor(asked)) || this.askFormer(asked);
  }

  private async sendOwn(asked: Asked): Promise<boolean> {
    const { request, response, target, prefix, presentation } = asked;
    const found = await (target.kind === 'entry'
      ? this.playlists.get(presentation, { prefix })
      : findRepresentation(presentation, this.playlists, target.file, asked.query));
    if (!found) return false;
    sendRepresentation(request, response, found);
    return true;
  }

  /** Forwards to the node that took the broadcast over. Returns whether that node had the file. */
  private async askSuccessor(asked: Asked): Promise<boolean> {
    const { isHandedOver, broadcastID } = asked.presentation;
    if (!isHandedOver || askingOf(asked.request) === 'successor') return false;
    try {
      const origin = await this.findOther(broadcastID);
      return origin !== undefined && (await this.ask('former', asked, origin));
    } catch {
      this.lookup.forget(broadcastID);
      return false;
    }
  }

  /** Ignores this node's own address, which the bus may return just after the hand-over. */
  private async findOther(broadcastID: string): Promise<BroadcastOrigin | undefined> {
    const origin = await this.lookup.find(broadcastID);
    if (origin?.internalUrl !== this.options.internalUrl) return origin;
    this.lookup.forget(broadcastID);
    return undefined;
  }

  /** Forwards to the former node, unless the request comes from it. Returns whether that node had the file. */
  private async askFormer(asked: Asked): Promise<boolean> {
    const { formerUrl } = asked.presentation;
    const asking = askingOf(asked.request);
    if (formerUrl === undefined || asking === 'former' || asking === 'successor') return false;
    return this.ask('successor', asked, { internalUrl: formerUrl }).catch(() => false);
  }

  private ask(asking: Asking, { request, response }: Asked, origin: BroadcastOrigin): Promise<boolean> {
    return this.proxy.forwardFound(request, response, origin, asking);
  }

  /** Leaves the answer to the node with the playlists, also while a low-latency player waits there. */
  private async forward(
    request: Request,
    response: Response,
    target: HlsPath,
    asking: 'replica' | 'former' = 'replica',
  ): Promise<void> {
    const askedBy = askingOf(request);
    // Replicas and earlier nodes may still ask a former node.
    const mayForward = asking === 'former' ? askedBy !== 'successor' : askedBy === undefined;
    const origin = mayForward ? await this.findOther(target.broadcastID) : undefined;
    if (!origin && this.lookup.hasEnded(target.broadcastID)) throw hasEnded();
    if (!origin) throw notYet({ request, response, target }, asking === 'former');
    const free = isWaiting(request.originalUrl)
      ? this.waiting.take(this.readerOf(request, target.broadcastID))
      : () => undefined;
    try {
      await this.proxy.forward(request, response, origin, asking);
    } catch (error) {
      // The player has left: the other node is not to blame.
      if (response.destroyed) return;
      this.lookup.forget(target.broadcastID);
      throw error;
    } finally {
      free();
    }
  }

  private readerOf(request: Request, broadcastID: string, accountID?: string): WaitingReader {
    const isForwarded = isFromNode(request, this.options.nodeKey);
    return { address: clientOf(request.ip), broadcastID, accountID, isForwarded };
  }
}

function nothingHere(): ServiceError {
  return new ServiceError('not_found', 'There is nothing at this address.');
}

function notSigned(): ServiceError {
  return new ServiceError('path_not_signed', 'The URL is not signed or has expired. Request a new playback URL.');
}

/**
 * Returns 404 with `Retry-After` for a playlist, because the caller is authorised and the playlist may appear soon. A player that had a
 * playlist before gets 503, because players such as hls.js retry no 404: it has a directive, or the broadcast comes from another node.
 */
function notYet({ request, response, target }: Pick<Asked, 'request' | 'response' | 'target'>, isContinued = false) {
  if (isPlaylist(target) && (isContinued || isWaiting(request.originalUrl)))
    return new ServiceError('no_new_media', 'The broadcast has no new media at this moment. Try again in a moment.');
  if (isPlaylist(target)) response.setHeader('Retry-After', String(retrySeconds));
  return new ServiceError('not_found', 'There is nothing at this address yet, or not any more.');
}

/** Has no `Retry-After`, so that a player stops. */
function hasEnded(): ServiceError {
  return new ServiceError('not_found', 'The broadcast has ended, and its media is deleted.');
}

function isLate(): ServiceError {
  return new ServiceError('no_new_media', 'No new media within three target durations. Try again in a moment.');
}

/** undefined: another node asks for a player without naming its address. */
function networkOf(request: Request): string | undefined {
  const isNamed = askingOf(request) === undefined || request.headers['x-forwarded-for'] !== undefined;
  return isNamed ? clientOf(request.ip) : undefined;
}

function isPlaylist(target: HlsPath): boolean {
  return target.kind === 'entry' || target.file.endsWith('index.m3u8');
}

/** Returns undefined for a request from outside. */
function askingOf(request: Request): string | undefined {
  return request.header(forwardedHeader);
}

function splitOnce(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}
