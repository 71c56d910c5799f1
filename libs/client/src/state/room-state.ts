import type { ChatMessage, EndReason, Poll, RoomEvent, RoomSnapshot, RosterEntry } from '@rtms/contracts';

/** The room's state for one member. Immutable: each change makes a new object. */
export interface RoomState {
  readonly meetingID: string;
  /** Sequence of the last applied event. */
  readonly sequence: number;
  readonly roster: readonly RosterEntry[];
  /** The newest 1000 messages, oldest first. */
  readonly chat: readonly ChatMessage[];
  readonly polls: readonly Poll[];
  /** Set once the room has ended. */
  readonly endReason?: EndReason;
}

const keptMessages = 1000;

export function stateOf({ meetingID, roster, chat, polls }: RoomSnapshot, sequence: number): RoomState {
  return { meetingID, sequence, roster, chat, polls };
}

/** Returns the state after an event. Returns the same object if the event is already applied. */
export function apply(state: RoomState, event: RoomEvent): RoomState {
  if (event.sequence <= state.sequence) return state;
  return { ...state, ...changeOf(state, event), sequence: event.sequence };
}

function changeOf(state: RoomState, event: RoomEvent): Partial<RoomState> {
  switch (event.type) {
    case 'participant.joined':
    case 'participant.changed':
      return { roster: put(state.roster, event.participant, each => each.participantID) };
    case 'participant.left':
      return { roster: state.roster.filter(each => each.participantID !== event.participantID) };
    case 'chat.message':
      return { chat: put(state.chat, event.message, each => each.messageID).slice(-keptMessages) };
    case 'poll.created':
    case 'poll.ended':
      return { polls: put(state.polls, event.poll, each => each.pollID) };
    case 'poll.voted':
      return { polls: state.polls.map(poll => withResults(poll, event)) };
    case 'room.ended':
      return { endReason: event.reason };
    default:
      // Ignore events of a newer server.
      return event satisfies never;
  }
}

/** Replaces the item with the same key, or appends the item. */
function put<Item>(items: readonly Item[], item: Item, keyOf: (item: Item) => string): Item[] {
  const index = items.findIndex(each => keyOf(each) === keyOf(item));
  return index < 0 ? [...items, item] : items.with(index, item);
}

function withResults(poll: Poll, { pollID, results }: { pollID: string; results: number[] | null }): Poll {
  return poll.pollID === pollID && results !== null ? { ...poll, results } : poll;
}
