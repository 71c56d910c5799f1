import { Inject, Injectable, Logger } from '@nestjs/common';
import { NoResponderError, type Bus } from '@rtms/bus';
import type { CommandAddress } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { BUS } from '../runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../runtime/media-settings.js';
import { atMost } from '../jobs/in-turns.js';
import type { WorkerCommand } from './worker-command.js';

/** Thousands of commands at once would block the event loop and the nodes. */
const commandsAtOnce = 100;

/** Sends commands to media nodes, all with the same deadline. */
@Injectable()
export class WorkerCommandsService {
  private readonly logger = new Logger(WorkerCommandsService.name);

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
  ) {}

  /** Returns the reply. Throws the errors of `Bus.request`. */
  ask<Request, Reply>(address: CommandAddress<Request, Reply>, request: Request, requestID?: string): Promise<Reply> {
    return this.bus.request(address, request, {
      deadlineMs: this.settings.commandDeadlineMs,
      ...(requestID !== undefined && { requestID }),
    });
  }

  /** Sends each command; never fails, because the reconciler repairs the effect of a command that did not arrive. */
  async tell(commands: readonly WorkerCommand[], requestID?: string): Promise<void> {
    await this.tellEach(commands, () => requestID);
  }

  /** As `tell`, for the commands of several requests. */
  async tellEach(
    commands: readonly WorkerCommand[],
    requestIDOf: (command: WorkerCommand) => string | undefined,
  ): Promise<void> {
    await atMost(commandsAtOnce, commands, command => this.tellOne(command, requestIDOf(command)));
  }

  private async tellOne({ address, request, otherwise }: WorkerCommand, requestID?: string): Promise<void> {
    try {
      await this.ask(address, request, requestID);
    } catch (error) {
      if (otherwise && error instanceof NoResponderError) return this.tell(otherwise, requestID);
      const message = messageOf(error);
      this.logger.warn(`${address.subject} failed; the reconciler will repair it: ${message}`);
    }
  }
}
