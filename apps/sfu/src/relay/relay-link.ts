import type { Bus } from '@rtms/bus';
import type { NodeCommand } from '@rtms/contracts';
import { toServiceError } from '@rtms/http';
import type { Logger } from '@rtms/logging';

/** A viewer waits for the sum of a few of these. */
const deadlineMs = 2_000;

/** An owner's way to one of its relays. */
export class RelayLink {
  constructor(
    private readonly bus: Pick<Bus, 'request'>,
    private readonly logger: Logger,
    readonly nodeID: string,
    readonly relayID: string,
  ) {}

  async ask<Request extends { relayID: string }, Reply>(
    command: NodeCommand<Request, Reply>,
    request: Omit<Request, 'relayID'>,
  ): Promise<Reply> {
    const whole = { ...request, relayID: this.relayID } as Request;
    try {
      return await this.bus.request(command.forNode(this.nodeID), whole, { deadlineMs });
    } catch (error) {
      throw toServiceError(error);
    }
  }

  /** Without waiting: what a relay does not hear of, the next `keep` makes good. */
  tell<Request extends { relayID: string }>(
    command: NodeCommand<Request, unknown>,
    request: Omit<Request, 'relayID'>,
  ): void {
    this.ask(command, request).catch((error: unknown) => {
      const { nodeID, relayID } = this;
      this.logger.debug({ err: error, nodeID, relayID, command: command.name }, 'a relay could not be told');
    });
  }
}
