import {
  sfuCommands,
  transcoderCommands,
  type CommandAddress,
  type NodeCommand,
  type ResumedSource,
} from '@rtms/contracts';

/** A command to a media node without a result for the caller. */
export interface WorkerCommand {
  address: CommandAddress<unknown, unknown>;
  request: object;
  /** The source session of the command's resource. */
  sourceSessionID?: string;
  /** Sent instead to a node of an older version, which does not answer this command. */
  otherwise?: WorkerCommand[];
}

interface CommandedRow {
  nodeID: string | null;
  sourceSessionID?: string | null;
}
type Placed<Row> = Row & CommandedRow;

/** A resource without a node needs no command. */
function toNode<Request extends object, Reply>(
  { nodeID, sourceSessionID }: CommandedRow,
  command: NodeCommand<Request, Reply>,
  request: Request,
): WorkerCommand[] {
  if (nodeID === null) return [];
  const { subject } = command.forNode(nodeID);
  return [{ address: { subject }, request, ...(typeof sourceSessionID === 'string' && { sourceSessionID }) }];
}

export function closeSession(row: Placed<{ id: string }>): WorkerCommand[] {
  return toNode(row, sfuCommands.closeSession, { sessionID: row.id });
}

export function closePlayback(row: Placed<{ id: string }>): WorkerCommand[] {
  return toNode(row, sfuCommands.closePlayback, { playbackID: row.id });
}

export function closeRoom(row: Placed<{ meetingID: string }>): WorkerCommand[] {
  return toNode(row, sfuCommands.closeRoom, { meetingID: row.meetingID });
}

/** Closes the media of a participant. */
export function closeMember(row: Placed<{ id: string }>): WorkerCommand[] {
  return toNode(row, sfuCommands.closeMember, { participantID: row.id });
}

export function stopBroadcast(row: Placed<{ id: string }>): WorkerCommand[] {
  return toNode(row, transcoderCommands.stopBroadcast, { broadcastID: row.id });
}

export function interruptBroadcast(row: Placed<{ id: string }>, isMoved = false): WorkerCommand[] {
  return toNode(row, transcoderCommands.interruptBroadcast, { broadcastID: row.id, ...(isMoved && { isMoved }) });
}

export function noteLostNode(row: Placed<{ id: string }>): WorkerCommand[] {
  return toNode(row, transcoderCommands.noteLostNode, { broadcastID: row.id });
}

export function resumeBroadcast(row: Placed<{ id: string }>, source: ResumedSource): WorkerCommand[] {
  return toNode(row, transcoderCommands.resumeBroadcast, { broadcastID: row.id, ...source });
}

export function handOverBroadcast(row: Placed<{ id: string }>): WorkerCommand[] {
  const commands = toNode(row, transcoderCommands.handOverBroadcast, { broadcastID: row.id });
  return commands.map(command => ({ ...command, otherwise: stopBroadcast(row) }));
}

export function stopRestream(row: Placed<{ id: string }>): WorkerCommand[] {
  return toNode(row, transcoderCommands.stopRestream, { restreamID: row.id });
}

export function interruptRestream(row: Placed<{ id: string }>): WorkerCommand[] {
  return toNode(row, transcoderCommands.interruptRestream, { restreamID: row.id });
}

export function resumeRestream(row: Placed<{ id: string }>, source: ResumedSource): WorkerCommand[] {
  return toNode(row, transcoderCommands.resumeRestream, { restreamID: row.id, ...source });
}

export function stopRecording(row: Placed<{ id: string }>): WorkerCommand[] {
  return toNode(row, transcoderCommands.stopRecording, { recordingID: row.id });
}

export function interruptRecording(row: Placed<{ id: string }>): WorkerCommand[] {
  return toNode(row, transcoderCommands.interruptRecording, { recordingID: row.id });
}

export function resumeRecording(row: Placed<{ id: string }>, source: ResumedSource): WorkerCommand[] {
  return toNode(row, transcoderCommands.resumeRecording, { recordingID: row.id, ...source });
}

export function deleteRecording(row: Placed<{ id: string }>): WorkerCommand[] {
  return toNode(row, transcoderCommands.deleteRecording, { recordingID: row.id });
}
