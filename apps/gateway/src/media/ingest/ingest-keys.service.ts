import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import {
  ingestCommands,
  type CallEncoderRequest,
  type EncoderProtocol,
  type NodeLease,
  type OpenedIngest,
} from '@rtms/contracts';
import { In, Not, type FindOptionsWhere, type Repository } from 'typeorm';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { KeyedHasher } from '../../platform/secrets/keyed-hasher.js';
import { sealedColumns } from '../../platform/secrets/sealed-columns.js';
import { SecretVault } from '../../platform/secrets/secret-vault.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { requireNode } from '../nodes/choose-node.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { tryNodes } from '../nodes/try-nodes.js';
import type { ExternalSession } from '../resources/external-session.entity.js';
import { IngestKey } from './ingest-key.entity.js';

/** 192 random bits: 32 characters. SRT allows a passphrase of 10 to 79 characters. */
const secretBytes = 24;

/** The application of RTMP: the first part of the path. */
const rtmpApplication = 'live';

/** The listener of an encoder. Its secrets are never answered. */
export type EncoderCall = Pick<CallEncoderRequest, 'url' | 'passphrase' | 'streamID'>;

/** Address and secret for an encoder. The service answers them once. */
export type EncoderAccess = { url: string; expiresAt: Date } & (
  | { passphrase: string; latencyMs: number }
  | { streamKey: string }
);

/** An ingest node that takes the session, and the secret that the node or the gateway checks. */
export interface PreparedIngest {
  node: NodeLease;
  secret: string;
  opened: OpenedIngest;
}

type Session = Pick<ExternalSession, 'id'> & { protocol: EncoderProtocol };

/** Issues addresses and secrets to encoders that publish by SRT, RTMP or RTMPS. */
@Injectable()
export class IngestKeysService {
  constructor(
    @InjectRepository(IngestKey) private readonly keys: Repository<IngestKey>,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
    private readonly hasher: KeyedHasher,
    private readonly vault: SecretVault,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Asks the least loaded ingest node that speaks the protocol to take the session. A node closes an address that `issue`
   * does not store.
   */
  async prepare({ id: sessionID, protocol }: Session, requestID: string): Promise<PreparedIngest> {
    const secret = randomBytes(secretBytes).toString('base64url');
    const request = { sessionID, protocol, ...(protocol === 'srt' && { passphrase: secret }) };
    const choose = (excluded: ReadonlySet<string>) => requireNode(this.nodes.list('ingest'), excluded);
    return tryNodes(choose, async node => {
      const opened = await this.commands.ask(ingestCommands.open.forNode(node.nodeID), request, requestID);
      return { node, secret, opened };
    });
  }

  /** Makes the least loaded ingest node call the encoder by SRT, until the session ends. */
  async call(sessionID: string, call: EncoderCall, requestID: string): Promise<void> {
    const { url: callUrl, ...secrets } = call;
    const sealed = this.vault.seal(sealedColumns.srtCallSecrets, sessionID, JSON.stringify(secrets));
    const key: Omit<IngestKey, 'nodeID'> = {
      ...{ sessionID, protocol: 'srt', port: null, keyHash: null, encryptedPassphrase: null, callUrl },
      encryptedCallSecrets: Object.keys(secrets).length > 0 ? sealed : null,
      ...{ usableUntil: new Date(this.clock.now()), usedAt: null, problem: null },
    };
    const request = this.callOf(sessionID, call);
    const choose = (excluded: ReadonlySet<string>) => requireNode(this.nodes.list('ingest'), excluded);
    await tryNodes(choose, async ({ nodeID }) => {
      // Before the command, because the node asks for the row as soon as the encoder answers.
      await this.keys.upsert({ ...key, nodeID }, ['sessionID']);
      await this.commands.ask(ingestCommands.call.forNode(nodeID), request, requestID);
    });
  }

  /** Stores the secret in place of a former one. Returns what the encoder needs. */
  async issue({ id, protocol }: Session, { node, secret, opened }: PreparedIngest): Promise<EncoderAccess> {
    const expiresAt = new Date(this.clock.now() + this.settings.tokenTtlSeconds * 1000);
    const isSrt = protocol === 'srt';
    const key: IngestKey = {
      ...{ sessionID: id, protocol, nodeID: node.nodeID, port: opened.port },
      keyHash: isSrt ? null : await this.hashOf(secret),
      encryptedPassphrase: isSrt ? this.vault.seal(sealedColumns.srtPassphrase, id, secret) : null,
      ...{ callUrl: null, encryptedCallSecrets: null },
      ...{ usableUntil: expiresAt, usedAt: null, problem: null },
    };
    await this.keys.upsert(key, ['sessionID']);
    const address = `${protocol}://${new URL(node.publicUrl).hostname}:${opened.port}`;
    if (!isSrt) return { url: `${address}/${rtmpApplication}`, streamKey: secret, expiresAt };
    return { url: `${address}?streamid=${id}`, passphrase: secret, latencyMs: opened.latencyMs ?? 0, expiresAt };
  }

  /** The keys of the sessions that have one. */
  async ofSessions(sessionIDs: readonly string[]): Promise<Map<string, IngestKey>> {
    const rows = sessionIDs.length === 0 ? [] : await this.keys.findBy({ sessionID: In(sessionIDs) });
    return new Map(rows.map(row => [row.sessionID, row]));
  }

  async findByStreamKey(protocol: EncoderProtocol, streamKey: string): Promise<IngestKey | null> {
    return this.keys.findOneBy({ protocol, keyHash: await this.hashOf(streamKey) });
  }

  /** The SRT session whose port or call is on the node. */
  findOnNode(sessionID: string, nodeID: string): Promise<IngestKey | null> {
    return this.keys.findOneBy({ sessionID, nodeID, protocol: 'srt' });
  }

  /** An encoder publishes: the key stays valid from now on. */
  async noteUse({ sessionID, usedAt }: IngestKey): Promise<void> {
    await this.keys.update({ sessionID }, { usedAt: usedAt ?? new Date(this.clock.now()), problem: null });
  }

  /** Any node has the word on an encoder of RTMP, and only its present node on an encoder of SRT. */
  async noteProblem(sessionID: string, problem: IngestKey['problem'], nodeID?: string): Promise<void> {
    const ofNode =
      nodeID === undefined
        ? [{ sessionID }]
        : [
            { sessionID, nodeID },
            { sessionID, protocol: Not('srt') },
          ];
    const key = await this.keys.findOneBy(ofNode as FindOptionsWhere<IngestKey>[]);
    if (key) await this.keys.update({ sessionID }, { problem });
  }

  /** Nobody else can use an address that the service calls, so it is usable as long as its session. */
  isUsable({ callUrl, usedAt, usableUntil }: IngestKey): boolean {
    return callUrl !== null || usedAt !== null || usableUntil.getTime() > this.clock.now();
  }

  /** The call of a session whose node calls; undefined: the encoder connects. */
  callOfKey(key: IngestKey): CallEncoderRequest | undefined {
    const { sessionID, callUrl: url, encryptedCallSecrets: sealed } = key;
    if (url === null) return undefined;
    const secrets = sealed === null ? '{}' : this.vault.open(sealedColumns.srtCallSecrets, sessionID, sealed);
    return this.callOf(sessionID, { ...(JSON.parse(secrets) as EncoderCall), url });
  }

  /** Gives a call to another node, unless another gateway did so. */
  async moveCall({ sessionID, nodeID: former }: IngestKey, nodeID: string): Promise<boolean> {
    const { affected } = await this.keys.update({ sessionID, nodeID: former }, { nodeID });
    return affected === 1;
  }

  private callOf(sessionID: string, { url, passphrase, streamID }: EncoderCall): CallEncoderRequest {
    return {
      ...{ sessionID, url, allowsPrivate: this.config.privateRestreamTargets === true },
      ...(passphrase !== undefined && { passphrase }),
      ...(streamID !== undefined && { streamID }),
    };
  }

  passphraseOf({ sessionID, encryptedPassphrase }: IngestKey): string {
    if (encryptedPassphrase === null) throw new Error(`${sessionID} has no passphrase`);
    return this.vault.open(sealedColumns.srtPassphrase, sessionID, encryptedPassphrase);
  }

  /** RTMP and RTMPS. */
  private hashOf(streamKey: string): Promise<Buffer> {
    return this.hasher.hash('stream-key-hash', streamKey);
  }
}
