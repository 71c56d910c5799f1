import { Injectable } from '@nestjs/common';
import { sfuCommands, type PlaybackAccount } from '@rtms/contracts';
import type { AccountLimitValues } from '../account-limits/account-limits.js';
import { AccountLimitsService } from '../account-limits/account-limits.service.js';
import { WorkerCommands } from '../media-commands/worker-commands.service.js';
import { NodeRegistry } from '../nodes/node-registry.js';

/** Limits of viewers. Media nodes enforce them without asking, so they are told. */
@Injectable()
export class ViewerLimitsService {
  constructor(
    private readonly limits: AccountLimitsService,
    private readonly nodes: NodeRegistry,
    private readonly commands: WorkerCommands,
  ) {}

  /** As it travels with each playback. */
  async of(accountID: string): Promise<PlaybackAccount> {
    return toPlaybackAccount(accountID, await this.limits.read(accountID));
  }

  /** As `of`, of many accounts by one statement. */
  async ofAll(accountIDs: readonly string[]): Promise<Map<string, PlaybackAccount>> {
    const all = await this.limits.readAll(accountIDs);
    return new Map([...all].map(([accountID, limits]) => [accountID, toPlaybackAccount(accountID, limits)]));
  }

  /** Tells all SFU nodes after a change. A node that misses it learns the limits with the account's next playback. */
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
