import type { ParticipantRequest, ParticipantRole, TrackSource } from '@rtms/contracts';

/** The event settings of the model's room. */
export const modelSettings = {
  audioSetting: 'approval',
  videoSetting: 'disallow',
  screenshareSetting: 'allow',
} as const;

/** A command of a member. Indexes identify members and polls. */
export type Step =
  | { does: 'ask'; actor: number; request: ParticipantRequest; active: boolean }
  | { does: 'decide'; actor: number; target: number; request: ParticipantRequest; accept: boolean }
  | { does: 'admit' | 'remove'; actor: number; target: number }
  | { does: 'assign'; actor: number; target: number; breakout: string | null }
  | { does: 'createPoll'; actor: number }
  | { does: 'vote'; actor: number; poll: number; choice: number }
  | { does: 'endPoll'; actor: number; poll: number }
  | { does: 'leave'; actor: number };

export type PollStep = Extract<Step, { does: 'createPoll' | 'vote' | 'endPoll' }>;

export function isPollStep(step: Step): step is PollStep {
  return step.does === 'createPoll' || step.does === 'vote' || step.does === 'endPoll';
}

interface ModelMember {
  role: ParticipantRole;
  isHere: boolean;
  requests: Set<ParticipantRequest>;
  granted: Set<ParticipantRequest>;
  breakout: string | null;
}

interface ModelPoll {
  isOpen: boolean;
  votes: Map<number, number>;
}

export const optionCount = 3;

/** A minimal model of a room: only the rules, in memory and without concurrency. */
export class RoomModel {
  readonly members: ModelMember[];
  readonly polls: ModelPoll[] = [];

  constructor(roles: readonly ParticipantRole[]) {
    const empty = () => ({ isHere: true, requests: new Set<never>(), granted: new Set<never>(), breakout: null });
    this.members = roles.map(role => ({ role, ...empty() }));
  }

  /** Returns the reason of the failure; undefined on success. */
  apply(step: Step): string | undefined {
    const actor = this.member(step.actor);
    if (!actor.isHere) return 'participant_left';
    return isPollStep(step) ? this.applyToPolls(actor, step) : this.applyToMembers(actor, step);
  }

  /** The permissions by the tables in the documentation. */
  mayPublish({ role, granted }: ModelMember): TrackSource[] {
    if (role === 'host' || role === 'cohost') return ['microphone', 'camera', 'screen', 'screenAudio'];
    const screen = role === 'participant' || granted.has('screenshare');
    return [
      ...(granted.has('audio') ? (['microphone'] as const) : []),
      ...(screen ? (['screen', 'screenAudio'] as const) : []),
    ];
  }

  results({ votes }: ModelPoll): number[] {
    return Array.from(
      { length: optionCount },
      (_, choice) => [...votes.values()].filter(each => each === choice).length,
    );
  }

  private applyToMembers(actor: ModelMember, step: Exclude<Step, PollStep>): string | undefined {
    switch (step.does) {
      case 'ask':
        return void this.ask(actor, step);
      case 'decide':
        return this.decide(actor, step);
      case 'admit':
      case 'remove':
      case 'assign':
        return this.control(actor, step);
      case 'leave':
        actor.isHere = false;
        return undefined;
      default:
        return step satisfies never;
    }
  }

  private applyToPolls(actor: ModelMember, step: PollStep): string | undefined {
    switch (step.does) {
      case 'createPoll':
        return isHost(actor) ? void this.polls.push({ isOpen: true, votes: new Map() }) : 'not_permitted';
      case 'vote':
        return this.vote(step);
      case 'endPoll':
        return this.endPoll(actor, step.poll);
      default:
        return step satisfies never;
    }
  }

  private ask(actor: ModelMember, { request, active }: Extract<Step, { does: 'ask' }>): void {
    const waits = request === 'raiseHand' || (this.needsHost(actor, request) && !actor.granted.has(request));
    if (active && waits) actor.requests.add(request);
    else actor.requests.delete(request);
  }

  private needsHost({ role }: ModelMember, request: ParticipantRequest): boolean {
    if (request === 'audio') return role === 'participant' || role === 'viewer';
    return request === 'screenshare' && role === 'viewer';
  }

  private decide(actor: ModelMember, { target, request, accept }: Extract<Step, { does: 'decide' }>) {
    if (!isHost(actor)) return 'not_permitted';
    const other = this.member(target);
    if (!other.isHere || !other.requests.delete(request)) return 'not_found';
    if (accept && request !== 'raiseHand') other.granted.add(request);
    return undefined;
  }

  private control(actor: ModelMember, step: Extract<Step, { does: 'admit' | 'remove' | 'assign' }>) {
    const other = this.member(step.target);
    if (!isHost(actor)) return 'not_permitted';
    if (!other.isHere) return 'not_found';
    if (actor !== other && actor.role === 'cohost' && isHost(other)) return 'not_permitted';
    if (step.does === 'assign') other.breakout = step.breakout;
    if (step.does === 'admit') this.admit(other);
    return step.does === 'remove' ? this.remove(actor, other) : undefined;
  }

  private admit(other: ModelMember): void {
    if (other.role !== 'viewer') return;
    other.role = 'participant';
    other.requests.delete('raiseHand');
  }

  private remove(actor: ModelMember, other: ModelMember): string | undefined {
    if (actor === other) return 'invalid_request';
    other.isHere = false;
    return undefined;
  }

  private vote({ actor, poll: index, choice }: Extract<Step, { does: 'vote' }>): string | undefined {
    const poll = this.polls[index];
    if (!poll) return 'not_found';
    if (!poll.isOpen) return 'poll_ended';
    if (choice >= optionCount) return 'invalid_request';
    if (poll.votes.has(actor)) return 'already_voted';
    poll.votes.set(actor, choice);
    return undefined;
  }

  private endPoll(actor: ModelMember, index: number): string | undefined {
    const poll = this.polls[index];
    if (!isHost(actor)) return 'not_permitted';
    if (!poll) return 'not_found';
    poll.isOpen = false;
    return undefined;
  }

  private member(index: number): ModelMember {
    const member = this.members[index];
    if (!member) throw new Error(`the model has no member ${index}`);
    return member;
  }
}

function isHost({ role }: ModelMember): boolean {
  return role === 'host' || role === 'cohost';
}
