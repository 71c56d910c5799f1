import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import {
  encoderProtocols,
  externalSessionTransitions,
  ingestProblems,
  ingestQuestions,
  isFinal,
  ServiceError,
  type CommandAddress,
  type IngestAdmission,
  type IngestAdmissionRequest,
  type IngestComparison,
  type IngestHolding,
  type IngestProblem,
  type OpenIngestRequest,
} from '@rtms/contracts';
import { checkValue } from '@rtms/http';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { AccountLimitsService } from '../../accounts/limits/account-limits.service.js';
import { MediaTokensService } from '../../accounts/signing-keys/media-tokens.service.js';
import { openWhenPossible } from '../../platform/jobs/open-when-possible.js';
import { whereLive } from '../../platform/rows/live-states.js';
import { BUS, CLOCK } from '../../platform/runtime/runtime.module.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { IngestKey } from './ingest-key.entity.js';
import { IngestKeysService } from './ingest-keys.service.js';

/** A node has far fewer ports and places for encoders. */
const mostSessions = 1_000;

const name = z.string().min(1).max(128);
const admissionSchema = z.object({
  nodeID: name,
  protocol: z.enum(encoderProtocols),
  sessionID: name.optional(),
  streamKey: name.optional(),
  isRenewal: z.boolean(),
  hasBFrames: z.boolean().optional(),
}) satisfies z.ZodType<IngestAdmissionRequest>;
const reportSchema = z.object({ nodeID: name, sessionID: name, problem: z.enum(ingestProblems) });
const comparisonSchema = z.object({
  nodeID: name,
  sessionIDs: z.array(name).max(mostSessions),
  freeCalls: z.number().int().min(0).optional(),
}) satisfies z.ZodType<IngestHolding>;
/** A node takes over some calls of a lost node at a time, so that the other nodes get a share. */
const mostTaken = 20;

/**
 * Answers ingest nodes: whether an encoder may publish, and which SRT sessions a node must hold. For the SFU the ingest node is
 * a WHIP publisher, so the session lives, waits and ends as with WHIP.
 */
@Injectable()
export class IngestQuestionsService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(IngestQuestionsService.name);
  private readonly responders: Closeable[] = [];

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly dataSource: DataSource,
    private readonly keys: IngestKeysService,
    private readonly nodes: NodeRegistry,
    private readonly tokens: MediaTokensService,
    private readonly limits: AccountLimitsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.answer(ingestQuestions.admit, admissionSchema, request => this.admit(request));
    this.answer(ingestQuestions.report, reportSchema, async report => {
      await this.note(report);
      return {};
    });
    this.answer(ingestQuestions.compare, comparisonSchema, question => this.compare(question));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.responders.splice(0).map(each => each.close()));
  }

  private answer<Request, Reply>(
    address: CommandAddress<Request, Reply>,
    schema: z.ZodType<Request>,
    handle: (request: Request) => Promise<Reply>,
  ): void {
    const parsed = (request: Request): Promise<Reply> => {
      const { data } = checkValue(schema, request);
      if (data === undefined) throw new ServiceError('invalid_request');
      return handle(data);
    };
    const open = () => this.bus.respond(address, async request => parsed(request), { balanced: true });
    this.responders.push(openWhenPossible(this.clock, IngestQuestionsService.name, open));
  }

  private async admit(request: IngestAdmissionRequest): Promise<IngestAdmission> {
    const key = await this.find(request);
    const row = key && (await this.dataSource.manager.findOneBy(ExternalSession, { id: key.sessionID }));
    // The same answer for a wrong key and for an unknown session.
    if (!key || !row) throw new ServiceError('invalid_credentials', 'The stream key is unknown.');
    await this.requireFree(key, row, request);
    const sfu = row.nodeID === null ? undefined : this.nodes.find('sfu', row.nodeID);
    if (!sfu) throw new ServiceError('controller_unavailable');
    const { token } = await this.tokens.issue('ingest', row, request);
    const maxSource = await this.limits.readSourceBounds(row.accountID);
    await this.keys.noteUse(key);
    const whipUrl = `${sfu.internalUrl}/whip/${row.id}`;
    const { id: sessionID, requestedTracks: tracks, webrtcRenditions } = row;
    return { sessionID, tracks, webrtcRenditions, maxSource, whipUrl, token };
  }

  private async requireFree(key: IngestKey, { state }: ExternalSession, { isRenewal }: IngestAdmissionRequest) {
    if (isFinal(externalSessionTransitions, state)) throw new ServiceError('session_ended');
    if (!this.keys.isUsable(key)) throw await this.refused(key, 'key_expired');
    // An SRT port takes one encoder, so a newcomer means that the former one is gone, and the SFU will notice.
    const isTaken = key.protocol !== 'srt' && !isRenewal && state === 'active';
    if (isTaken) throw await this.refused(key, 'already_publishing');
  }

  private async find({ nodeID, protocol, sessionID, streamKey }: IngestAdmissionRequest): Promise<IngestKey | null> {
    if (protocol === 'srt') return sessionID === undefined ? null : this.keys.findOnNode(sessionID, nodeID);
    return streamKey === undefined ? null : this.keys.findByStreamKey(protocol, streamKey);
  }

  private async refused({ sessionID }: IngestKey, problem: 'key_expired' | 'already_publishing') {
    await this.keys.noteProblem(sessionID, problem);
    return new ServiceError(problem === 'key_expired' ? 'token_expired' : problem);
  }

  private async note({ nodeID, sessionID, problem }: { nodeID: string; sessionID: string; problem: IngestProblem }) {
    this.logger.log({ nodeID, sessionID, problem }, 'an ingest node refused an encoder');
    await this.keys.noteProblem(sessionID, problem, nodeID);
  }

  private async compare({ nodeID, sessionIDs, freeCalls }: IngestHolding): Promise<IngestComparison> {
    const wanted = new Map((await this.wantedOn(nodeID)).map(key => [key.sessionID, key]));
    const held = new Set(sessionIDs);
    const lacking = [...wanted.values()].filter(({ sessionID }) => !held.has(sessionID));
    const missing: OpenIngestRequest[] = lacking.flatMap(key => {
      const { sessionID, protocol, port, callUrl } = key;
      return callUrl !== null || port === null
        ? []
        : [{ sessionID, protocol, port, passphrase: this.keys.passphraseOf(key) }];
    });
    const ended = sessionIDs.filter(id => !wanted.has(id));
    if (freeCalls === undefined) return { ended, missing };
    // Calls that the node lacks take free places first. A call that finds none would stay with this node and never be made.
    const taken = await this.takeOver(nodeID, Math.min(Math.max(0, freeCalls - lacking.length), mostTaken));
    const calls = [...lacking, ...taken].flatMap(key => this.keys.callOfKey(key) ?? []);
    return { ended, missing, calls };
  }

  /** Gives the node calls of nodes that are lost or drain. An encoder has no address of ours that would have to change. */
  private async takeOver(nodeID: string, most: number): Promise<IngestKey[]> {
    const willing = this.nodes.list('ingest').filter(({ draining }) => !draining);
    if (most === 0 || !this.nodes.isSettled() || !willing.some(each => each.nodeID === nodeID)) return [];
    const keys = await this.liveKeys()
      .andWhere('key.callUrl IS NOT NULL')
      .andWhere('key.nodeID NOT IN (:...willing)', { willing: willing.map(each => each.nodeID) })
      .limit(most)
      .getMany();
    const taken: IngestKey[] = [];
    for (const key of keys) if (await this.keys.moveCall(key, nodeID)) taken.push(key);
    return taken;
  }

  /** The SRT sessions of the node for which an encoder may come. */
  private async wantedOn(nodeID: string): Promise<IngestKey[]> {
    const keys = await this.liveKeys().andWhere({ nodeID }).limit(mostSessions).getMany();
    return keys.filter(key => this.keys.isUsable(key));
  }

  private liveKeys() {
    return this.dataSource.manager
      .createQueryBuilder(IngestKey, 'key')
      .innerJoin(ExternalSession, 'session', 'session.id = key.sessionID')
      .where({ protocol: 'srt' })
      .andWhere(whereLive('session'));
  }
}
