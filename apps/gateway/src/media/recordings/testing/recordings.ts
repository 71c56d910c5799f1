import { DataSource } from 'typeorm';
import type { MediaTestBed } from '../../../testing/media-test-bed.js';

export interface RecordingAnswer {
  [field: string]: unknown;
  recordingID: string;
  state: string;
}

/** Requests about recordings of the room that the test bed has at that moment. */
export function recordingsOf(bed: () => MediaTestBed) {
  /** A new account with a room. The transcoder has received no command and refuses none. */
  const begin = async (): Promise<void> => {
    const { gateway, transcoder } = bed();
    bed().account = await gateway.makeAccount();
    bed().meetingID = await bed().createRoom();
    transcoder.refusals.clear();
    transcoder.commands.length = 0;
  };
  const query = <Row>(sql: string, parameters: unknown[]): Promise<Row[]> =>
    bed().gateway.app.get(DataSource).query<Row[]>(sql, parameters);
  const post = (body: object) => bed().request('post', '/v1/recordings', body);
  const get = (filter: string) => bed().request('get', `/v1/recordings?${filter}`);
  const read = async (recordingID: string) =>
    (await get(`recordingID=${recordingID}`)).body['recording'] as RecordingAnswer;
  const list = async (filter = '') => (await get(filter)).body['recordings'] as RecordingAnswer[];
  const start = async (fields: object): Promise<RecordingAnswer> => {
    const { body } = await post({ action: 'start', meetingID: bed().meetingID, ...fields });
    return body['recording'] as RecordingAnswer;
  };
  const expectState = async (recordingID: string, state: string): Promise<RecordingAnswer> => {
    const recording = await read(recordingID);
    expect(recording).toMatchObject({ recordingID, state });
    return recording;
  };
  const record = async (): Promise<{ sessionID: string; recordingID: string }> => {
    const sessionID = await bed().openActiveSession();
    const { recordingID } = await start({ sourceSessionID: sessionID });
    await bed().transcoder.record(recordingID);
    await expectState(recordingID, 'recording');
    return { sessionID, recordingID };
  };
  const finish = async (recordingID: string, hasHLS = false): Promise<RecordingAnswer> => {
    await post({ action: 'stop', recordingID });
    await bed().transcoder.finishRecording(recordingID, 'node', hasHLS);
    return expectState(recordingID, 'ready');
  };
  return { begin, query, post, get, read, list, start, expectState, record, finish };
}
