import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A chat message of a room. */
@Entity('room_messages')
export class RoomMessage {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  accountID!: string;

  @Column('text')
  meetingID!: string;

  @Column('text')
  senderID!: string;

  @Column('text')
  senderName!: string;

  /** null: the message is for everybody in the room. */
  @Column('text', { nullable: true })
  recipientID!: string | null;

  @Column('text')
  message!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
