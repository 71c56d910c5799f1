import type { Clock } from '@rtms/clock';
import type { SocketAnswer, SocketCommand, SocketCommandName, SocketCommands } from '@rtms/contracts';
import { RtmsError } from './rtms-error.js';

export type ReplyTo<Name extends SocketCommandName> = SocketCommands[Name]['reply'];
type Transmit = (command: SocketCommand, answer: (answer: SocketAnswer<unknown>) => void) => void;

interface Unanswered {
  command: SocketCommand;
  resolve: (reply: unknown) => void;
  reject: (error: RtmsError) => void;
  /** The number of refusals because the server was busy. */
  refusals: number;
}

const patience = 8;
const pauseMs = 500;

/** Commands without an answer. Repeats each with its id after a reconnection, and settles it once. */
export class UnansweredCommands {
  private readonly waiting = new Map<string, Unanswered>();
  private transmit: Transmit | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly newID: () => string,
  ) {}

  send<Name extends SocketCommandName>(name: Name, request: SocketCommands[Name]['request']): Promise<ReplyTo<Name>> {
    return new Promise((resolve, reject) => {
      const command: SocketCommand = { commandID: this.newID(), name, request };
      const unanswered = { command, resolve: resolve as (reply: unknown) => void, reject, refusals: 0 };
      this.waiting.set(command.commandID, unanswered);
      this.pass(unanswered);
    });
  }

  /** A connection is open: sends all unanswered commands again, in order. */
  resume(transmit: Transmit): void {
    this.transmit = transmit;
    for (const unanswered of [...this.waiting.values()]) this.pass(unanswered);
  }

  /** Holds commands until the next connection. */
  pause(): void {
    this.transmit = undefined;
  }

  /** Rejects all commands. */
  fail(error: RtmsError): void {
    this.pause();
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  private pass(unanswered: Unanswered): void {
    this.transmit?.(unanswered.command, answer => this.settle(unanswered, answer));
  }

  private settle(unanswered: Unanswered, answer: SocketAnswer<unknown>): void {
    const { commandID } = unanswered.command;
    if (!this.waiting.has(commandID) || this.isPutOff(unanswered, answer)) return;
    this.waiting.delete(commandID);
    if (!answer.success) {
      unanswered.reject(new RtmsError(answer.code, answer.error, answer.reason));
      return;
    }
    const { success: _success, ...reply } = answer as { success: true } & Record<string, unknown>;
    unanswered.resolve(reply);
  }

  /** Retries a rate-limited command, because a page may open many tracks at once. */
  private isPutOff(unanswered: Unanswered, answer: SocketAnswer<unknown>): boolean {
    const isRefused = !answer.success && answer.reason === 'rate_limited';
    if (!isRefused || !unanswered.command.name.startsWith('media.') || unanswered.refusals >= patience) return false;
    unanswered.refusals += 1;
    this.clock.after(pauseMs * unanswered.refusals, () => {
      if (this.waiting.has(unanswered.command.commandID)) this.pass(unanswered);
    });
    return true;
  }
}
