import type { Clock } from '@rtms/clock';
import type { SocketAnswer, SocketCommand, SocketCommandName, SocketCommands } from '@rtms/contracts';
import { RtmsError } from '../rtms-error.js';

export type ReplyTo<Name extends SocketCommandName> = SocketCommands[Name]['reply'];
type Transmit = (command: SocketCommand, answer: (answer: SocketAnswer<unknown>) => void) => void;

interface Unanswered {
  command: SocketCommand;
  resolve: (reply: unknown) => void;
  reject: (error: RtmsError) => void;
  /** How often the server was too busy for it. */
  refusals: number;
}

const patience = 8;
const pauseMs = 500;

/** Commands that are under way: each is repeated with its id until it is answered, and settled once. */
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

  /** There is a connection: what is unanswered goes out again, in order. */
  resume(transmit: Transmit): void {
    this.transmit = transmit;
    for (const unanswered of [...this.waiting.values()]) this.pass(unanswered);
  }

  /** Nothing goes out until the next connection. */
  pause(): void {
    this.transmit = undefined;
  }

  /** None of them will be answered. */
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

  /** A page that opens many tracks at once asks for more at a time than one may; it need not know. */
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
