import { Body, Controller, Get, HttpCode, Param } from '@nestjs/common';
import {
  ingestCommands,
  isOlderVersion,
  nodeRoles,
  ServiceError,
  sfuCommands,
  transcoderCommands,
  type NodeLease,
} from '@rtms/contracts';
import { serviceVersion } from '@rtms/health';
import { z } from 'zod';
import { AdministratorOnly } from '../platform/auth/auth.decorators.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../platform/http/api.decorators.js';
import { count, one } from '../platform/http/answers.js';
import { presentOne } from '../platform/http/present.js';
import { IdempotentPost } from '../platform/idempotency/idempotency.interceptor.js';
import { WorkerCommandsService } from '../platform/workers/worker-commands.service.js';
import { LiveWorkService, type NodeWork } from '../media/nodes/live-work.service.js';
import { NodeRegistry } from '../media/nodes/node-registry.js';
import { DrainNodeDto } from './admin.dto.js';

const drainCommands = {
  sfu: sfuCommands.drain,
  transcoder: transcoderCommands.drain,
  ingest: ingestCommands.drain,
} as const;

/** A node as the administrator sees it. */
type AdminNode = NodeLease & { isOutdated: boolean };

export const nodeSchema: z.ZodType<AdminNode> = z
  .object({
    nodeID: z.string().describe('Identifier of the node.'),
    role: z.enum(nodeRoles).describe('Kind of node.'),
    epoch: count.describe('Start of the node in milliseconds since 1970.'),
    publicUrl: z.string().describe('Address for clients.'),
    internalUrl: z.string().describe('Address for other nodes.'),
    load: z.number().min(0).describe('Current load, in the unit of capacity.'),
    capacity: z.number().min(0).describe('Greatest load.'),
    draining: z.boolean().describe('Whether the node receives no new work.'),
    drainSeconds: z
      .number()
      .min(0)
      .optional()
      .describe('Seconds that running work may continue while the node drains.'),
    composes: z.array(z.string()).optional().describe('Compositions of whole rooms that the transcoder makes.'),
    version: z.string().optional().describe('Version of the node. Absent: older than the versions that report it.'),
    isOutdated: z.boolean().describe('Whether the node has an older version than the gateway.'),
  })
  .meta({ id: 'Node', description: 'A media node.' });

export function presentNode(lease: NodeLease): AdminNode {
  return { ...lease, isOutdated: isOlderVersion(lease.version, serviceVersion) };
}

const workSchema: z.ZodType<NodeWork> = z
  .object({
    rooms: count.describe('Rooms.'),
    sessions: count.describe('External sessions with a live publisher.'),
    members: count.describe('Members who send or receive media.'),
    viewers: count.describe('Viewers of playbacks in its rooms, also those that other nodes serve.'),
    relayedViewers: count.describe('Viewers of rooms of other nodes that this node serves.'),
    broadcasts: count.describe('Broadcasts.'),
    recordings: count.describe('Recordings, also those that become files.'),
    restreams: count.describe('Restreams.'),
    encoders: count.describe('Connected encoders of SRT, RTMP and RTMPS.'),
  })
  .meta({ id: 'NodeWork', description: 'The work that a media node has now.' });

@ApiTag({ name: 'Media nodes', description: 'Media nodes and their load.' })
@Controller('admin/v1/nodes')
@AdministratorOnly()
export class AdminNodesController {
  constructor(
    private readonly nodes: NodeRegistry,
    private readonly work: LiveWorkService,
    private readonly commands: WorkerCommandsService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listNodes', summary: 'List media nodes' })
  @ApiAnswer(one('nodes', z.array(nodeSchema).describe('The media nodes.')))
  list() {
    return presentOne('nodes', this.nodes.list().map(presentNode));
  }

  @Get(':nodeID/work')
  @ApiOperation({
    operationId: 'getNodeWork',
    summary: 'Count the work of a media node',
    description: 'Asks the node. While the node drains, the answer is what is left.',
  })
  @ApiAnswer(one('work', workSchema), 'controller_unavailable')
  async getWork(@Param('nodeID') nodeID: string) {
    return presentOne('work', await this.work.onNode(this.find(nodeID)));
  }

  @IdempotentPost(':nodeID/drain')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'drainNode',
    summary: 'Drain a media node',
    description:
      'The node receives no new work. Running work moves to other nodes, live publishers after at most DRAIN_SECONDS of the node.',
  })
  @ApiAnswer(one('node', nodeSchema), 'last_node', 'controller_unavailable')
  drain(@Param('nodeID') nodeID: string, @Body() { force }: DrainNodeDto) {
    const { role, draining } = this.find(nodeID);
    if (!draining && force !== true && this.nodes.isLast(role, nodeID)) throw lastNode(nodeID, role);
    return this.setDraining(nodeID, true);
  }

  @IdempotentPost(':nodeID/undrain')
  @HttpCode(200)
  @ApiOperation({ operationId: 'undrainNode', summary: 'Return a media node to service' })
  @ApiAnswer(one('node', nodeSchema), 'controller_unavailable')
  undrain(@Param('nodeID') nodeID: string) {
    return this.setDraining(nodeID, false);
  }

  private async setDraining(nodeID: string, draining: boolean) {
    const node = this.find(nodeID);
    await this.commands.ask(drainCommands[node.role].forNode(nodeID), { draining });
    return presentOne('node', presentNode({ ...node, draining }));
  }

  private find(nodeID: string): NodeLease {
    const node = this.nodes.list().find(each => each.nodeID === nodeID);
    if (!node) throw new ServiceError('not_found', 'There is no such node.');
    return node;
  }
}

function lastNode(nodeID: string, role: NodeLease['role']): ServiceError {
  const kind = { sfu: 'SFU node', transcoder: 'transcoder', ingest: 'ingest node' }[role];
  const message = `${nodeID} is the last ${kind} that takes work. New work would be refused, and running work would end after DRAIN_SECONDS. Start another ${kind}, or send force to continue.`;
  return new ServiceError('last_node', message);
}
