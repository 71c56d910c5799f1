import { Injectable } from '@nestjs/common';
import { sfuCommands, type PlaybackAccount } from '@rtms/contracts';
import type { AccountLimitValues } from '../../accounts/limits/account-limits.js';
import { AccountLimitsService } from '../../accounts/limits/account-limits.service.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';

/** Sends viewer limits to media nodes, which enforce them without asking the gateway. */
@Injectable()
export class ViewerLimitsService {
  constructor(
    private readonly limits: AccountLimitsService,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommandsService,
  ) {}

  /** The account's limits as each `openPlayback` command carries them. */
  async of(accountID: string): Promise<PlaybackAccount> {
    return toPlaybackAccount(accountID, await this.limits.read(accountID));
  }

  /** As `of`, for many accounts by one statement. */
  async ofAll(accountIDs: readonly string[]): Promise<Map<string, PlaybackAccount>> {
    const all = await this.limits.readAll(accountIDs);
    return new Map([...all].map(([accountID, limits]) => [accountID, toPlaybackAccount(accountID, limits)]));
  }

  /** Sends changed limits to all SFU nodes. A node that misses the command gets them with the account's next playback. */
  async announce(accountID: string): Promise<void> {
    const request = await this.of(accountID);
    const commands = this.nodes.list('sfu').map(({ nodeID }) => {
      const { subject } = sfuCommands.setViewerLimits.forNode(nodeID);
      return { address: { subject }, request };
    });
    await this.commands.tell(commands);
  }
}

function toPlaybackAccount(
  accountID: string,
  { viewersPerPlayback, viewersPerAccount }: AccountLimitValues,
): PlaybackAccount {
  return { accountID, limits: { viewersPerPlayback, viewersPerAccount } };
}
