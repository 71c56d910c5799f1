import type { Bus, Closeable, RequestContext } from '@rtms/bus';
import type { NodeCommand, NodeRole, Nothing } from '@rtms/contracts';
import { loggedCommand, type Logger } from '@rtms/logging';

/** A method without a result replies `{}`. */
type Answer<Reply> = Reply | Promise<Reply> | (Nothing extends Reply ? Promise<void> : never);

/** The request type of a command of `sfuCommands`, `relayCommands` or `transcoderCommands`. */
export type RequestOf<Command extends NodeCommand<unknown, unknown>> = NonNullable<
  ReturnType<Command['forNode']>['request']
>;
export type ReplyOf<Command extends NodeCommand<unknown, unknown>> = NonNullable<
  ReturnType<Command['forNode']>['reply']
>;

interface Declaration {
  method: string;
  command: NodeCommand<unknown, unknown>;
}

const declarations = new WeakMap<object, Declaration[]>();

/**
 * Declares that a method answers a command to this node. `MediaNode` finds the methods of all providers at start.
 *
 *     @OnCommand(sfuCommands.closeRoom)
 *     async closeRoom({ meetingID }: { meetingID: string }): Promise<void> { … }
 */
export function OnCommand<Request, Reply>(command: NodeCommand<Request, Reply>) {
  return <Method extends (request: Request, context: RequestContext) => Answer<Reply>>(
    prototype: object,
    method: string,
    _descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const declared = declarations.get(prototype) ?? [];
    declared.push({ method, command });
    declarations.set(prototype, declared);
  };
}

export interface CommandedNode {
  bus: Pick<Bus, 'respond'>;
  nodeID: string;
  role: NodeRole;
  logger: Logger;
}

/** Answers commands with the methods that `@OnCommand` declares, until closed. */
export class CommandResponder implements Closeable {
  private readonly responders: Closeable[] = [];

  constructor(private readonly node: CommandedNode) {}

  /** Registers the declared methods of an object. Ignores an object without any. */
  async answerWith(target: object): Promise<void> {
    const { bus, nodeID, role, logger } = this.node;
    for (const { method, command } of declarations.get(Object.getPrototypeOf(target) as object) ?? []) {
      if (command.role !== role) continue;
      const handler = async (request: unknown, context: RequestContext): Promise<unknown> => {
        const reply = await (target as Record<string, (...given: unknown[]) => unknown>)[method]?.(request, context);
        return reply ?? {};
      };
      this.responders.push(await bus.respond(command.forNode(nodeID), loggedCommand(logger, command.name, handler)));
    }
  }

  async close(): Promise<void> {
    for (const responder of this.responders.splice(0)) await responder.close();
  }
}
