import { Injectable } from '@nestjs/common';
import { ServiceError, type Poll } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';
import { newID } from '../../platform/database/new-id.js';
import type { Participant } from '../records/participant.entity.js';
import { pollViewOf } from '../life/event-view.js';
import { isHost } from '../life/permissions.js';
import type { RoomChange } from '../life/room-change.js';
import { PollVote, StoredPoll } from './poll.entities.js';

/** Polls of hosts among all participants of a room. */
@Injectable()
export class PollsService {
  async create(change: RoomChange, actor: Participant, asked: Pick<Poll, 'question' | 'options'>) {
    requireHost(actor);
    const { manager, room, now } = change;
    const row: StoredPoll = {
      id: newID('poll'),
      meetingID: room.id,
      question: asked.question,
      options: asked.options,
      state: 'open',
      createdBy: actor.id,
      createdAt: now,
    };
    await manager.insert(StoredPoll, row);
    change.emit('poll.created', {
      poll: presentPoll(
        row,
        asked.options.map(() => 0),
      ),
    });
    return { pollID: row.id };
  }

  /** A participant votes once and cannot change the vote. */
  async vote(change: RoomChange, actor: Participant, { pollID, choice }: { pollID: string; choice: number }) {
    const { manager, now } = change;
    const poll = await this.require(change, pollID);
    if (poll.state === 'ended') throw new ServiceError('poll_ended');
    if (choice >= poll.options.length)
      throw new ServiceError('invalid_request', `choice must be from 0 to ${poll.options.length - 1} in this poll.`);
    if (await manager.existsBy(PollVote, { pollID, participantID: actor.id }))
      throw new ServiceError('already_voted', 'You have already voted in this poll.');
    await manager.insert(PollVote, { pollID, participantID: actor.id, choice, createdAt: now });
    change.emit('poll.voted', { pollID, results: await this.resultsOf(manager, poll) });
    return {};
  }

  /** Idempotent: an ended poll stays as it is. */
  async end(change: RoomChange, actor: Participant, { pollID }: { pollID: string }): Promise<{ results: number[] }> {
    requireHost(actor);
    const poll = await this.require(change, pollID);
    const results = await this.resultsOf(change.manager, poll);
    if (poll.state === 'ended') return { results };
    await change.manager.update(StoredPoll, pollID, { state: 'ended' });
    change.emit('poll.ended', { poll: presentPoll({ ...poll, state: 'ended' }, results) });
    return { results };
  }

  /** The polls of the room as the viewer sees them, oldest first. */
  async list(manager: EntityManager, meetingID: string, viewer: Pick<Participant, 'role'>): Promise<Poll[]> {
    const rows = await manager.find(StoredPoll, { where: { meetingID }, order: { createdAt: 'ASC', id: 'ASC' } });
    const results = await this.results(manager, rows);
    return rows.map(row => pollViewOf(presentPoll(row, results(row)), viewer));
  }

  private async require({ manager, room }: RoomChange, pollID: string): Promise<StoredPoll> {
    const poll = await manager.findOneBy(StoredPoll, { id: pollID, meetingID: room.id });
    if (!poll) throw new ServiceError('not_found', 'There is no such poll in the room.');
    return poll;
  }

  private async resultsOf(manager: EntityManager, poll: StoredPoll): Promise<number[]> {
    return (await this.results(manager, [poll]))(poll);
  }

  private async results(manager: EntityManager, polls: readonly StoredPoll[]) {
    const counts = await manager
      .createQueryBuilder(PollVote, 'vote')
      .select('vote.pollID', 'pollID')
      .addSelect('vote.choice', 'choice')
      .addSelect('count(*)::int', 'votes')
      .where('vote.pollID = ANY(:ids)', { ids: polls.map(poll => poll.id) })
      .groupBy('vote.pollID')
      .addGroupBy('vote.choice')
      .getRawMany<{ pollID: string; choice: number; votes: number }>();
    return ({ id, options }: StoredPoll) =>
      options.map((_, choice) => counts.find(each => each.pollID === id && each.choice === choice)?.votes ?? 0);
  }
}

function requireHost({ role }: Participant): void {
  if (!isHost(role)) throw new ServiceError('not_permitted', 'Only hosts can do this.');
}

function presentPoll(row: StoredPoll, results: number[]): Poll {
  const { id: pollID, question, options, state, createdBy } = row;
  return { pollID, question, options, state, results, createdBy };
}
