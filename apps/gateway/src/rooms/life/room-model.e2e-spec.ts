import {
  participantRequests,
  participantRoles,
  ServiceError,
  type JoinToken,
  type RoomSnapshot,
} from '@rtms/contracts';
import fc from 'fast-check';
import { nanoid } from 'nanoid';
import type { Actor } from '../socket/room-io.js';
import { CommandRouter } from '../socket/command-router.js';
import type { AnyCommand } from '../socket/command-schemas.js';
import { MediaTestBed } from '../../testing/media-test-bed.js';
import { roomBudget } from './command-budgets.js';
import { PresenceService } from './presence.service.js';
import { RoomChangesService } from './room-changes.service.js';
import { HandshakeService } from '../socket/handshake.service.js';
import { modelSettings, optionCount, RoomModel, isPollStep, type PollStep, type Step } from './testing/room-model.js';

const member = fc.nat({ max: participantRoles.length - 1 });
const poll = fc.nat({ max: 2 });
const request = fc.constantFrom(...participantRequests);
const breakout = fc.constantFrom('one', 'two', null);

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('ask' as const), actor: member, request, active: fc.boolean() }),
  fc.record({ does: fc.constant('decide' as const), actor: member, target: member, request, accept: fc.boolean() }),
  fc.record({ does: fc.constantFrom('admit' as const, 'remove' as const), actor: member, target: member }),
  fc.record({ does: fc.constant('assign' as const), actor: member, target: member, breakout }),
  fc.record({ does: fc.constant('createPoll' as const), actor: member }),
  fc.record({ does: fc.constant('vote' as const), actor: member, poll, choice: fc.nat({ max: optionCount }) }),
  fc.record({ does: fc.constant('endPoll' as const), actor: member, poll }),
  fc.record({ does: fc.constant('leave' as const), actor: member }),
);

/** A room with a member of each role, driven by socket commands. */
class RealRoom {
  private readonly polls: string[] = [];

  constructor(
    private readonly bed: MediaTestBed,
    private readonly actors: readonly Actor[],
  ) {}

  /** Returns the reason of the failure; undefined on success. */
  async apply(step: Step): Promise<string | undefined> {
    const actor = this.actors[step.actor]!;
    try {
      const command = { commandID: nanoid(), ...this.commandOf(step) } as AnyCommand;
      const reply = await this.bed.gateway.app.get(CommandRouter, { strict: false }).perform(actor, command);
      if (step.does === 'createPoll') this.polls.push((reply as { pollID: string }).pollID);
      // Distinct times keep the order of polls, and this rate is within the room's budget.
      await this.bed.advance(1_000 / roomBudget.perSecond);
      return undefined;
    } catch (error) {
      if (error instanceof ServiceError) return error.reason;
      throw error;
    }
  }

  /** The room as a host sees it. */
  snapshot(): Promise<RoomSnapshot> {
    const { app } = this.bed.gateway;
    return app.get(RoomChangesService, { strict: false }).run(this.bed.meetingID, change => {
      const host = { id: this.actors[0]!.participantID, role: 'host' } as never;
      return app.get(HandshakeService, { strict: false }).readSnapshot(change, host);
    });
  }

  indexOf(participantID: string): number {
    return this.actors.findIndex(actor => actor.participantID === participantID);
  }

  private commandOf(step: Step): { name: string; request: object } {
    return isPollStep(step) ? this.pollCommandOf(step) : this.memberCommandOf(step);
  }

  private memberCommandOf(step: Exclude<Step, PollStep>): { name: string; request: object } {
    const participantID = 'target' in step ? this.actors[step.target]!.participantID : '';
    switch (step.does) {
      case 'ask':
        return { name: 'participant.request', request: { request: step.request, active: step.active } };
      case 'decide':
        return { name: 'request.decide', request: { participantID, request: step.request, accept: step.accept } };
      case 'admit':
      case 'remove':
        return { name: `participant.${step.does}`, request: { participantID } };
      case 'assign':
        return { name: 'breakout.assign', request: { participantID, breakout: step.breakout } };
      case 'leave':
        return { name: 'leave', request: {} };
      default:
        return step satisfies never;
    }
  }

  private pollCommandOf(step: PollStep): { name: string; request: object } {
    const pollID = 'poll' in step ? (this.polls[step.poll] ?? 'poll_none') : '';
    switch (step.does) {
      case 'createPoll':
        return { name: 'poll.create', request: { question: '?', options: Array(optionCount).fill('option') } };
      case 'vote':
        return { name: 'poll.vote', request: { pollID, choice: step.choice } };
      case 'endPoll':
        return { name: 'poll.end', request: { pollID } };
      default:
        return step satisfies never;
    }
  }
}

describe('a room', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start({ config: { graceSeconds: 60, sweepSeconds: 60 } });
    const settings = { action: 'create', type: 'conference', addCoHost: true, ...modelSettings };
    await bed.request('post', '/v1/eventssettings', settings);
  });
  afterAll(() => bed?.close());

  const connect = async (role: string): Promise<Actor> => {
    const joining = { action: 'join', meetingID: bed.meetingID, userName: role, role };
    const { body } = await bed.request('post', '/v1/rooms', joining);
    const { participantID } = (body as unknown as { participant: { participantID: string } }).participant;
    const token = { purpose: 'join', resourceID: participantID, meetingID: bed.meetingID, role, expiresAt: 0 };
    const connectionID = nanoid();
    const presence = bed.gateway.app.get(PresenceService, { strict: false });
    return presence.connect(token as JoinToken, connectionID, (_, row) =>
      Promise.resolve({
        participantID,
        meetingID: bed.meetingID,
        accountID: row.accountID,
        connectionID,
        role: row.role,
      }),
    );
  };
  const openRoom = async (): Promise<RealRoom> => {
    bed.meetingID = await bed.createRoom();
    const actors: Actor[] = [];
    for (const role of participantRoles) actors.push(await connect(role));
    return new RealRoom(bed, actors);
  };
  const expectAgreement = ({ roster, polls }: RoomSnapshot, real: RealRoom, model: RoomModel): void => {
    const shown = roster.map(({ participantID, role, mayPublish, requests, breakout: group }) => {
      const about = { role, mayPublish, requests: [...requests].sort(), breakout: group };
      return [real.indexOf(participantID), about] as const;
    });
    const expected = model.members.flatMap((each, index) => {
      const { role, requests, breakout: group } = each;
      const about = { role, mayPublish: model.mayPublish(each), requests: [...requests].sort(), breakout: group };
      return each.isHere ? [[index, about] as const] : [];
    });
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
    expect(polls.map(({ state, results }) => [state, results])).toEqual(
      model.polls.map(each => [each.isOpen ? 'open' : 'ended', model.results(each)]),
    );
  };

  it('agrees with a model after every step, valid or not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 30 }), async steps => {
        const real = await openRoom();
        const model = new RoomModel(participantRoles);
        for (const step of steps) {
          expect([step, await real.apply(step)]).toEqual([step, model.apply(step)]);
          expectAgreement(await real.snapshot(), real, model);
        }
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});
