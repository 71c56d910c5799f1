import type { MediaKind } from '@rtms/contracts';
import { Listeners } from '../media/listeners.js';
import type { PublishedTrack } from '../media/media-engine.js';
import type { MemberSender } from '../media/member-media.js';
import { Publication } from './publication.js';

/** One connection of a publisher who comes as a member; its tracks come one after the other. */
export class MemberPublication extends Publication {
  private readonly added: PublishedTrack[] = [];
  private readonly changes = new Listeners<[]>();
  private readonly additions = new Listeners<[PublishedTrack]>();

  constructor(
    sender: MemberSender,
    private readonly kinds: readonly MediaKind[],
    openedAt: number,
  ) {
    super(sender, openedAt);
  }

  get tracks(): readonly PublishedTrack[] {
    return this.added.filter(({ state }) => state !== 'ended');
  }

  isOf(sender: MemberSender): boolean {
    return this.transport === sender;
  }

  add(track: PublishedTrack): void {
    this.added.push(track);
    track.onReceiving(() => this.changes.emit());
    this.additions.emit(track);
  }

  override onChange(listener: () => void): void {
    this.changes.add(listener);
    super.onChange(listener);
  }

  override onTrack(listener: (track: PublishedTrack) => void): void {
    this.additions.add(listener);
    super.onTrack(listener);
  }

  protected isComplete(): boolean {
    return this.kinds.every(kind =>
      this.tracks.some(track => track.kind === kind && track.lastReceivedAt() !== undefined),
    );
  }
}
