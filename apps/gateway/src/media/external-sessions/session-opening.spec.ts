import { ManualClock } from '@rtms/testing';
import { QueryFailedError } from 'typeorm';
import { SessionOpeningService, makeExternalSession } from './session-opening.service.js';

const lost = () => new QueryFailedError('COMMIT', [], new Error('Connection terminated unexpectedly'));

describe('SessionOpeningService', () => {
  const clock = new ManualClock(0);
  const owner = { accountID: 'acct_1', environments: ['sandbox'] as const, meetingID: 'room_1' };
  const dto = { displayName: 'Camera', ingest: { protocol: 'whip' as const, tracks: ['video' as const] } };
  let deleted: unknown[];
  let isReachable: boolean;

  /** The database is lost while it commits, so the row may be stored. */
  const makeService = (): SessionOpeningService => {
    const manager = {
      delete: (_entity: unknown, where: unknown) => {
        deleted.push(where);
        return isReachable ? Promise.resolve() : Promise.reject(lost());
      },
    };
    const quotas = { together: () => ({ add: () => Promise.reject(lost()) }) };
    const commands = { tell: () => Promise.resolve() };
    const none = {} as never;
    return new SessionOpeningService(
      ...([{ manager }, none, commands, none, none, quotas, clock] as unknown as ConstructorParameters<
        typeof SessionOpeningService
      >),
    );
  };

  beforeEach(() => {
    deleted = [];
    isReachable = false;
  });

  it('deletes a session that may be stored, as soon as the lost database is back', async () => {
    const service = makeService();
    const row = makeExternalSession(owner, dto, new Date(0));
    await expect(service.open(row, 'request-1')).rejects.toThrow('Connection terminated');
    await clock.advance(0);
    const before = deleted.length;
    isReachable = true;
    await clock.advance(1_000);
    expect(deleted.slice(before)).toHaveLength(1);
    await clock.advance(2_000);
    expect(deleted.slice(before)).toHaveLength(1);
    await service.onApplicationShutdown();
  });
});
