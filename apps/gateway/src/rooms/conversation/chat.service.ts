import { Injectable } from '@nestjs/common';
import { ServiceError, type ChatMessage } from '@rtms/contracts';
import { DataSource, In, type EntityManager } from 'typeorm';
import { newID } from '../../platform/database/new-id.js';
import { RoomMessage } from './room-message.entity.js';
import type { Participant } from '../records/participant.entity.js';
import { mayChat } from '../life/permissions.js';
import type { RoomChange } from '../life/room-change.js';

export type { RoomMessage } from './room-message.entity.js';

export interface ChatRequest {
  message: string;
  recipientID?: string | undefined;
}

const recentMessages = 100;

/** Chat messages of a room, to everybody or to one participant. */
@Injectable()
export class ChatService {
  constructor(private readonly dataSource: DataSource) {}

  async send(change: RoomChange, sender: Participant, request: ChatRequest): Promise<{ messageID: string }> {
    if (!mayChat(change.room.settings, sender.role))
      throw new ServiceError('not_permitted', 'The event settings of this room disallow chat.');
    const recipientID = await this.recipientOf(change, sender, request);
    const row: RoomMessage = {
      id: newID('msg'),
      accountID: change.room.accountID,
      meetingID: change.room.id,
      senderID: sender.id,
      senderName: sender.userName,
      recipientID,
      message: request.message,
      createdAt: change.now,
    };
    await change.manager.insert(RoomMessage, row);
    const audience = recipientID === null ? null : [sender.id, recipientID];
    change.emit('chat.message', { message: presentMessage(row) }, audience);
    return { messageID: row.id };
  }

  /** The last messages that the participant may see, oldest first. */
  async recent(manager: EntityManager, meetingID: string, participantID: string): Promise<ChatMessage[]> {
    const rows = await manager
      .createQueryBuilder(RoomMessage, 'message')
      .where('message.meetingID = :meetingID', { meetingID })
      .andWhere('(message.recipientID IS NULL OR :participantID IN (message.recipientID, message.senderID))', {
        participantID,
      })
      .orderBy('message.createdAt', 'DESC')
      .addOrderBy('message.id', 'DESC')
      .limit(recentMessages)
      .getMany();
    return rows.reverse().map(presentMessage);
  }

  /** In any order, without messages that do not exist. */
  findByIDs(messageIDs: readonly string[]): Promise<RoomMessage[]> {
    const { manager } = this.dataSource;
    return messageIDs.length === 0 ? Promise.resolve([]) : manager.findBy(RoomMessage, { id: In([...messageIDs]) });
  }

  private async recipientOf(change: RoomChange, sender: Participant, { recipientID }: ChatRequest) {
    if (recipientID === undefined) return null;
    if (recipientID === sender.id)
      throw new ServiceError('invalid_request', 'recipientID must be another participant.');
    return (await change.require(recipientID)).id;
  }
}

function presentMessage(row: RoomMessage): ChatMessage {
  return {
    messageID: row.id,
    senderID: row.senderID,
    senderName: row.senderName,
    recipientID: row.recipientID,
    message: row.message,
    sentAt: row.createdAt.toISOString(),
  };
}
