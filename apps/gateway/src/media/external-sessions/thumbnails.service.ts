import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ServiceError, transcoderCommands, type NodeLease } from '@rtms/contracts';
import { requestIDOf } from '@rtms/http';
import type { RequestHandler } from 'express';
import type { Repository } from 'typeorm';
import { MediaTokensService } from '../../accounts/signing-keys/media-tokens.service.js';
import { SigningKeysService } from '../../accounts/signing-keys/signing-keys.service.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { noController } from '../nodes/choose-node.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { requireKinds } from '../sources/sources.service.js';

const pathForm = /^\/v1\/meetings\/([\w-]{1,64})\/external-sessions\/([\w-]{1,64})\/thumbnail\.jpg$/;
/** As long as a transcoder answers the same picture. */
const headers = {
  'Content-Type': 'image/jpeg',
  'Cache-Control': 'private, max-age=5',
  // Pages of any origin may show the picture. The token decides.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Pictures of active external sessions at `…/external-sessions/<sessionID>/thumbnail.jpg?token=…`, without a key. */
@Injectable()
export class ThumbnailsService {
  constructor(
    @InjectRepository(ExternalSession) private readonly sessions: Repository<ExternalSession>,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
    private readonly tokens: MediaTokensService,
    private readonly keys: SigningKeysService,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'publicUrl'>,
  ) {}

  /** The signed path below the gateway. undefined: the session sends no picture now. */
  async path(row: Pick<ExternalSession, 'id' | 'meetingID' | 'state' | 'tracks'>): Promise<string | undefined> {
    if (row.state !== 'active' || !kindsOf(row).includes('video')) return undefined;
    const { token } = await this.tokens.issueThumbnail(row);
    return `/v1/meetings/${row.meetingID}/external-sessions/${row.id}/thumbnail.jpg?token=${token}`;
  }

  /** As `path`, with the public address of the gateway. */
  async address(row: ExternalSession): Promise<string | undefined> {
    const path = await this.path(row);
    return path && `${this.config.publicUrl}${path}`;
  }

  /** Middleware that answers the signed path, before the authentication by key. */
  answer(): RequestHandler {
    return async (request, response, next) => {
      const [, meetingID, sessionID] = pathForm.exec(request.path) ?? [];
      if (meetingID === undefined || sessionID === undefined || !['GET', 'HEAD'].includes(request.method)) {
        return next();
      }
      await this.verify({ meetingID, sessionID }, request.query['token']);
      const picture = await this.take({ meetingID, sessionID }, requestIDOf(request));
      response.set(headers).send(picture);
    };
  }

  private async verify(of: { meetingID: string; sessionID: string }, token: unknown): Promise<void> {
    if (typeof token !== 'string') {
      throw new ServiceError(
        'invalid_credentials',
        'The token is missing. Read the session again for its thumbnailUrl.',
      );
    }
    const claims = await this.keys.verify(token, 'thumbnail');
    if (claims.resourceID !== of.sessionID || claims.meetingID !== of.meetingID) {
      throw new ServiceError('invalid_credentials', 'The token is for another session.');
    }
  }

  private async take({ meetingID, sessionID }: { meetingID: string; sessionID: string }, requestID: string) {
    const row = await this.sessions.findOneBy({ id: sessionID, meetingID });
    if (!row) throw new ServiceError('not_found', 'There is no such external session.');
    if (row.state !== 'active') throw new ServiceError('source_not_active', 'Nobody publishes into this session now.');
    requireKinds(['video'], kindsOf(row));
    if (row.nodeID === null) throw noController();
    const { nodeID } = transcoderFor(sessionID, this.nodes.list('transcoder'));
    const request = { sourceID: sessionID, accountID: row.accountID, sfuNodeID: row.nodeID };
    const { jpeg } = await this.commands.ask(transcoderCommands.takeThumbnail.forNode(nodeID), request, requestID);
    return Buffer.from(jpeg, 'base64');
  }
}

function kindsOf({ tracks }: Pick<ExternalSession, 'tracks'>) {
  return tracks.filter(({ state }) => state !== 'ended').map(({ kind }) => kind);
}

/** The same transcoder for all requests of a session (rendezvous hashing), because it keeps the picture for the others. */
function transcoderFor(sessionID: string, nodes: readonly NodeLease[]): NodeLease {
  const score = ({ nodeID }: NodeLease) => createHash('sha256').update(`${sessionID} ${nodeID}`).digest('hex');
  const [chosen] = nodes
    .filter(({ draining }) => !draining)
    .map(node => ({ node, score: score(node) }))
    .sort((one, other) => (one.score < other.score ? -1 : 1));
  if (!chosen) throw noController();
  return chosen.node;
}
