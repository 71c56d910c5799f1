import type { PayloadProfile } from '@rtms/contracts';
import type { EngineCapabilities, EngineLoad, EngineStatus, MediaEngine, MediaRoom } from '../media/media-engine.js';
import { RelayingRoom } from './relaying-room.js';
import type { RoomRelays } from './room-relays.js';

/** This node's media engine, whose rooms reach beyond the node. */
export class RelayingEngine implements MediaEngine {
  private readonly relaying = new WeakMap<MediaRoom, RelayingRoom>();

  constructor(
    private readonly engine: MediaEngine,
    private readonly relaysOf: (room: MediaRoom) => RoomRelays,
  ) {}

  get capabilities(): EngineCapabilities {
    return this.engine.capabilities;
  }

  get payloadProfile(): PayloadProfile {
    return this.engine.payloadProfile;
  }

  async openRoom(meetingID: string): Promise<MediaRoom> {
    const room = await this.engine.openRoom(meetingID);
    const known = this.relaying.get(room) ?? new RelayingRoom(room, this.relaysOf(room));
    this.relaying.set(room, known);
    return known;
  }

  openOnEachWorker(): Promise<MediaRoom[]> {
    return this.engine.openOnEachWorker();
  }

  load(): EngineLoad {
    return this.engine.load();
  }

  status(): EngineStatus {
    return this.engine.status();
  }

  workerPids(): number[] {
    return this.engine.workerPids();
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}
