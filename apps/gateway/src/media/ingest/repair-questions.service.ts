import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { placeRepair, ServiceError, transcoderCommands, type RepairNeed } from '@rtms/contracts';
import { checkValue } from '@rtms/http';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { AccountLimitsService } from '../../accounts/limits/account-limits.service.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { openWhenPossible } from '../../platform/jobs/open-when-possible.js';
import { WorkLines } from '../../platform/jobs/work-lines.js';
import { BUS, CLOCK } from '../../platform/runtime/runtime.module.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { tryTranscoders } from '../nodes/try-nodes.js';
import { ExternalSession } from '../resources/external-session.entity.js';

export const defaultRepairsPerAccount = 5;

/** ms. A transcoder that answers later counts as one without repairs, so that a frozen node delays no viewer. */
const inventoryDeadlineMs = 1_000;

/** Questions of one account that wait or are answered. SFU nodes ask again. */
const longestLine = 20;

const name = z.string().min(1).max(128);
const needSchema = z.object({
  repairID: name,
  sessionID: name,
  sfuNodeID: name,
  videoBitrate: z.number().min(0).max(1e9),
}) satisfies z.ZodType<RepairNeed>;

/**
 * Places repairs: an SFU node asks for a transcoder that removes the B-frames of a session's video. A repair has no row, because
 * its SFU node asks again when it is lost.
 */
@Injectable()
export class RepairQuestionsService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RepairQuestionsService.name);
  private responder: Closeable | undefined;
  /** One line for each account: a start counts before the next question is answered. */
  private readonly lines = new WorkLines(longestLine);

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly dataSource: DataSource,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
    private readonly limits: AccountLimitsService,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'repairsPerAccount'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const answer = async (
      need: RepairNeed,
      { requestID }: { requestID?: string } = {},
    ): Promise<{ nodeID: string }> => {
      const { data } = checkValue(needSchema, need);
      if (data === undefined) throw new ServiceError('invalid_request');
      return this.place(data, requestID);
    };
    const open = (): Promise<Closeable> => this.bus.respond(placeRepair, answer, { balanced: true });
    this.responder = openWhenPossible(this.clock, RepairQuestionsService.name, open);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.responder?.close();
  }

  private async place(need: RepairNeed, requestID?: string): Promise<{ nodeID: string }> {
    const { sessionID, sfuNodeID } = need;
    const row = await this.dataSource.manager.findOneBy(ExternalSession, { id: sessionID, nodeID: sfuNodeID });
    if (row?.state !== 'active') throw new ServiceError('source_not_active', 'The session is not active on this node.');
    return this.lines.run(row.accountID, () => this.start(need, row, requestID));
  }

  private async start(need: RepairNeed, row: ExternalSession, requestID?: string): Promise<{ nodeID: string }> {
    const { accountID, id: sessionID } = row;
    await this.requirePlace(row);
    const tracks = [...new Set(row.tracks.filter(({ state }) => state !== 'ended').map(({ kind }) => kind))];
    const request = { ...need, accountID, tracks, maxSource: await this.limits.readSourceBounds(accountID) };
    let chosen = '';
    await tryTranscoders(this.nodes, async ({ nodeID }) => {
      await this.commands.ask(transcoderCommands.startRepair.forNode(nodeID), request, requestID);
      chosen = nodeID;
    });
    this.logger.log({ sessionID, nodeID: chosen }, 'a transcoder removes the B-frames of a session');
    return { nodeID: chosen };
  }

  /**
   * Counts the repaired sessions of the account without this one, whose new repair replaces the former. Questions to several gateways
   * at once may exceed the limit by the number of gateways.
   */
  private async requirePlace({ accountID, id }: ExternalSession): Promise<void> {
    const most = this.config.repairsPerAccount ?? defaultRepairsPerAccount;
    const running = await Promise.all(this.nodes.list('transcoder').map(({ nodeID }) => this.repairsOn(nodeID)));
    const others = running.flat().filter(repair => repair.accountID === accountID && repair.sessionID !== id);
    if (new Set(others.map(({ sessionID }) => sessionID)).size >= most)
      throw new ServiceError('capacity_reached', `The account has reached its limit of ${most} repaired sessions.`);
  }

  private async repairsOn(nodeID: string) {
    const address = transcoderCommands.inventory.forNode(nodeID);
    const asking = this.bus.request(address, {}, { deadlineMs: inventoryDeadlineMs });
    return asking.then(({ repairs = [] }) => repairs).catch(() => []);
  }
}
