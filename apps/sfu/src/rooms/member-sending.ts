import { kindOfSource, ServiceError, type PublishTrackRequest, type TrackSource } from '@rtms/contracts';
import type { PublishedTrack } from '../media/media-engine.js';
import type { MemberMedia, MemberSender } from '../media/member-media.js';
import { MemberConnection } from './member-connection.js';
import type { MemberOptions } from './member-options.js';
import { parseRtpParameters } from './member-parameters.js';
import { MemberPublication } from './member-publication.js';
import type { RoomContext } from './room-context.js';

interface SentSource {
  track: PublishedTrack;
  /** The request, to tell one that was repeated from another. */
  request: string;
}

/** The order in which tracks count for a feed, which takes one of each kind. */
const order: readonly TrackSource[] = ['microphone', 'camera', 'screen', 'screenAudio'];

/** What a member sends; for an external session, as the session's publication. */
export class MemberSending extends MemberConnection<MemberSender> {
  private readonly sources = new Map<TrackSource, SentSource>();
  private publication: MemberPublication | undefined;

  constructor(
    transport: MemberSender,
    private readonly media: MemberMedia,
    private readonly options: MemberOptions,
    private readonly context: RoomContext,
  ) {
    super(transport);
  }

  get tracks(): PublishedTrack[] {
    return order.flatMap(source => this.sources.get(source)?.track ?? []);
  }

  /** At most one track of each source. Repeated as it was, it is answered as it was. */
  async publish({ source, rtpParameters, maxBitrate }: Omit<PublishTrackRequest, 'participantID'>) {
    const request = JSON.stringify(rtpParameters);
    const former = this.sources.get(source);
    if (former?.request === request) return former.track;
    if (former) throw new ServiceError('already_publishing', `The member has a track of its ${source} already.`);
    const kind = kindOfSource(source);
    const parameters = parseRtpParameters(kind, rtpParameters);
    const publication = await this.publicationFor(source);
    if (maxBitrate !== undefined) await this.transport.limitBitrate(maxBitrate);
    const track = await this.transport.publish(kind, parameters);
    this.keep(source, { track, request });
    publication?.add(track);
    if (publication) this.options.session?.tracksChanged();
    if (source === 'microphone') await this.media.watchSpeaker(track);
    return track;
  }

  async closeTrack(trackID: string): Promise<boolean> {
    const [source, sent] = [...this.sources].find(([, { track }]) => track.trackID === trackID) ?? [];
    if (!source || !sent) return false;
    this.sources.delete(source);
    await sent.track.close();
    return true;
  }

  async close(): Promise<void> {
    this.sources.clear();
    await this.leave();
  }

  override async drop(): Promise<void> {
    await super.drop();
    await this.leave();
  }

  private async leave(): Promise<void> {
    if (this.publication) await this.options.session?.leave(this.publication);
    await this.transport.close();
  }

  /** An external session has one publisher, and of each of its kinds one track. */
  private async publicationFor(source: TrackSource): Promise<MemberPublication | undefined> {
    const { session } = this.options;
    if (!session) return undefined;
    const kind = kindOfSource(source);
    if (!session.kinds.includes(kind))
      throw new ServiceError('invalid_request', `The external session has no ${kind}.`);
    if (this.tracks.some(track => track.kind === kind))
      throw new ServiceError('already_publishing', `The external session has a track of ${kind} already.`);
    if (this.publication && session.current === this.publication) return this.publication;
    const publication = new MemberPublication(this.transport, session.kinds, this.context.clock.now());
    await session.publishAs(publication);
    this.publication = publication;
    return publication;
  }

  private keep(source: TrackSource, sent: SentSource): void {
    const { meetingID, participantID } = this.options;
    const { trackID } = sent.track;
    this.sources.set(source, sent);
    sent.track.onEnded(() => {
      // Closed by command, it is no news.
      if (this.sources.get(source) !== sent) return;
      this.sources.delete(source);
      this.context.announce({ type: 'track.ended', meetingID, participantID, trackID });
    });
  }
}
