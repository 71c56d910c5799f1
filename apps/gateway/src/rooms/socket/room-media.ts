import { Injectable } from '@nestjs/common';
import type { JoinToken, SocketCommandName } from '@rtms/contracts';
import type { Actor, Admission } from './room-io.js';
import type { AnyCommand } from './command-schemas.js';

/** The media commands of the room socket. The media domain implements them. */
export interface MediaCommands {
  /** Whether `perform` knows the command. */
  takes(name: SocketCommandName): boolean;
  perform(actor: Actor, command: AnyCommand): Promise<object>;
  /** Admits the publisher of an external session. Throws CONFLICT, `session_ended`, after the session's end. */
  admitPublisher(token: JoinToken, connectionID: string): Promise<Admission>;
  publisherLeaves(sessionID: string): Promise<void>;
}

/** Holds the media domain's commands, which rooms must not import: the media domain registers them before it starts. */
@Injectable()
export class RoomMedia {
  private registered: MediaCommands | undefined;

  register(commands: MediaCommands): void {
    this.registered = commands;
  }

  get commands(): MediaCommands {
    if (!this.registered) throw new Error('The media domain has not registered its commands.');
    return this.registered;
  }
}
