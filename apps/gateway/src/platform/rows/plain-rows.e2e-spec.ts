import { DataSource, type EntityTarget } from 'typeorm';
import { Broadcast } from '../../media/resources/broadcast.entity.js';
import { ExternalSession } from '../../media/resources/external-session.entity.js';
import { Playback } from '../../media/resources/playback.entity.js';
import { MediaTestBed } from '../../testing/media-test-bed.js';
import { selectPacked, selectRows } from './plain-rows.js';

describe('rows that PostgreSQL packs', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
    const sessionID = await bed.openActiveSession();
    await bed.openSession();
    await bed.openPlayback(sessionID);
    await bed.openActiveBroadcast(sessionID);
  });
  afterAll(() => bed?.close());

  const order = 'WHERE id > $1 ORDER BY id';

  it.each<{ name: string; entity: EntityTarget<{ id: string }>; count: number }>([
    { name: 'external sessions', entity: ExternalSession, count: 2 },
    { name: 'playbacks', entity: Playback, count: 1 },
    { name: 'broadcasts', entity: Broadcast, count: 1 },
  ])('have the values of single rows in all columns of $name', async ({ entity, count }) => {
    const repository = bed.gateway.app.get(DataSource, { strict: false }).getRepository(entity);
    const names = repository.metadata.columns.map(({ propertyName }) => propertyName as 'id');
    const packed = await selectPacked(repository, names, order, ['']);
    expect(packed).toHaveLength(count);
    expect(packed).toEqual(await selectRows(repository, order, ['']));
  });

  it('are an empty list if no row meets the condition', async () => {
    const repository = bed.gateway.app.get(DataSource, { strict: false }).getRepository(Playback);
    expect(await selectPacked(repository, ['id', 'placedAt'], order, ['zzz'])).toEqual([]);
  });
});
