import { Controller, Get, HttpCode, Param } from '@nestjs/common';
import { ServiceError, sfuCommands, transcoderCommands, type NodeLease } from '@rtms/contracts';
import { z } from 'zod';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { Answers, count, one } from '../http/answers.js';
import { presentOne, type OneAnswer } from '../http/present.js';
import { IdempotentPost } from '../idempotency/idempotent-post.decorator.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';

const drainCommands = { sfu: sfuCommands.drain, transcoder: transcoderCommands.drain } as const;

const nodeSchema: z.ZodType<NodeLease> = z
  .object({
    nodeID: z.string(),
    role: z.enum(['sfu', 'transcoder']),
    epoch: count,
    publicUrl: z.string(),
    internalUrl: z.string(),
    load: z.number().min(0),
    capacity: z.number().min(0),
    draining: z.boolean(),
    drainSeconds: z.number().min(0).optional(),
  })
  .meta({ id: 'Node' });

type NodeAnswer = OneAnswer<'node', NodeLease>;

@Controller('admin/v1/nodes')
@AdministratorOnly()
export class AdminNodesController {
  constructor(
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommands,
  ) {}

  @Get()
  @Answers(one('nodes', z.array(nodeSchema)))
  list(): OneAnswer<'nodes', NodeLease[]> {
    return presentOne('nodes', this.nodes.list());
  }

  /** A draining node gets nothing new; what runs there goes on for at most its DRAIN_SECONDS. */
  @IdempotentPost(':nodeID/drain')
  @HttpCode(200)
  @Answers(one('node', nodeSchema), 'controller_unavailable')
  drain(@Param('nodeID') nodeID: string): Promise<NodeAnswer> {
    return this.setDraining(nodeID, true);
  }

  @IdempotentPost(':nodeID/undrain')
  @HttpCode(200)
  @Answers(one('node', nodeSchema), 'controller_unavailable')
  undrain(@Param('nodeID') nodeID: string): Promise<NodeAnswer> {
    return this.setDraining(nodeID, false);
  }

  private async setDraining(nodeID: string, draining: boolean): Promise<NodeAnswer> {
    const node = this.find(nodeID);
    await this.commands.ask(drainCommands[node.role].forNode(nodeID), { draining });
    return presentOne('node', { ...node, draining });
  }

  private find(nodeID: string): NodeLease {
    const node = this.nodes.list().find(each => each.nodeID === nodeID);
    if (!node) throw new ServiceError('not_found', 'There is no such node.');
    return node;
  }
}
