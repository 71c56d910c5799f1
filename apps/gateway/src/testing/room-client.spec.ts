import { createServer, type Server as HttpServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Server, type Socket } from 'socket.io';
import { RoomClient } from './room-client.js';

describe('RoomClient.connect', () => {
  let http: HttpServer;
  let io: Server;

  beforeEach(async () => {
    http = createServer();
    io = new Server(http, { path: '/v1/socket' });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
  });
  afterEach(() => io.close());

  const connect = (onConnection: (socket: Socket) => void) => {
    io.on('connection', onConnection);
    return RoomClient.connect(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, 'a token');
  };

  it('rejects when the connection ends before the welcome', async () => {
    await expect(connect(socket => socket.disconnect())).rejects.toThrow(
      'the connection ended before the welcome: io server disconnect',
    );
  });

  it('names the farewell that came instead of a welcome', async () => {
    const refusing = connect(socket => {
      socket.emit('farewell', { reason: 'replaced' });
      socket.disconnect();
    });
    await expect(refusing).rejects.toThrow('its farewell was replaced');
  });

  it('stays resolved after the welcome, even when the connection ends', async () => {
    const client = await connect(socket => socket.emit('welcome', { participantID: 'part_1' }));
    expect(client.id).toBe('part_1');
    client.close();
  });
});
