import type { RoomState, RosterEntry, TrackSource } from '@rtms/client';
import { EventLog } from '@rtms/testing';
import type { Page } from 'playwright-core';
import type { JoinTicket } from './api-client.js';
import { untilCounted, type TestBrowser } from './browser.js';

interface Looked {
  state: RoomState;
  me: RosterEntry;
  speaker: string | null;
  connectionState: string;
  mediaState: string;
  heard: { name: string; event: Record<string, unknown> }[];
  watching: string[];
}

export interface Received {
  frames: number;
  width: number;
  height: number;
  energy: number;
}

interface Wanted {
  trackID: string;
  /** At least so many decoded. */
  frames?: number;
  /** Exactly this picture size. */
  height?: number;
  /** More than this much sound. */
  energy?: number;
}

/** A camera whose picture does not matter. */
const smallCamera = { width: 160, height: 90, simulcast: false };

/** A member of a room in a page of its own, by the client SDK. */
export class RoomMember {
  private constructor(
    readonly page: Page,
    readonly participantID: string,
    /** The page tells its state after each change. */
    private readonly states: EventLog<Looked>,
  ) {}

  static async join(browser: TestBrowser, ticket: JoinTicket): Promise<RoomMember> {
    const page = await browser.openPage();
    const states = new EventLog<Looked>();
    await page.exposeFunction('roomChanged', states.add);
    return new RoomMember(page, await run<string>(page, 'join', ticket), states);
  }

  /** Calls a method of the SDK's `Room`; returns a failure as `{ code, reason }`. */
  call<Result = unknown>(method: string, ...args: unknown[]): Promise<Result> {
    return run(this.page, 'call', method, ...args);
  }

  publishCamera({ width, height, simulcast } = smallCamera): Promise<string> {
    return run(this.page, 'publishCamera', { width, height }, simulcast);
  }

  publishMicrophone(): Promise<string> {
    return run(this.page, 'publishMicrophone');
  }

  /** Publishes a tone as loud as speech; the fake microphone only beeps now and then. */
  speak(): Promise<string> {
    return run(this.page, 'speak');
  }

  fallSilent(): Promise<void> {
    return run(this.page, 'fallSilent');
  }

  publishScreen(width: number, height: number): Promise<string> {
    return run(this.page, 'publishScreen', width, height);
  }

  setLayers(trackID: string, spatialLayer: number): Promise<void> {
    return run(this.page, 'setLayers', trackID, spatialLayer);
  }

  received(trackID: string): Promise<Received> {
    return run(this.page, 'received', trackID);
  }

  /** Waits until a member's track is in the roster, and plays it; returns its id. */
  async watch(participantID: string, source: TrackSource): Promise<string> {
    const trackID = await this.trackOf(participantID, source);
    await run(this.page, 'watch', trackID);
    return trackID;
  }

  async trackOf(participantID: string, source: TrackSource): Promise<string> {
    const trackIn = ({ state }: Looked): string | undefined =>
      state.roster
        .find(each => each.participantID === participantID)
        ?.tracks.find(track => track.source === source && track.state !== 'ended')?.trackID;
    return trackIn(await this.knows(trackIn, `the ${source} of ${participantID}`))!;
  }

  /** Waits until the member has decoded this many more frames. */
  async sees(trackID: string, frames = 10): Promise<Received> {
    const before = (await this.received(trackID)).frames;
    return this.receives({ trackID, frames: before + frames });
  }

  async hears(trackID: string): Promise<Received> {
    return this.receives({ trackID, energy: (await this.received(trackID)).energy });
  }

  receives(wanted: Wanted): Promise<Received> {
    const { trackID, frames = 0, height, energy = -1 } = wanted;
    const isEnough = (now: Received): boolean =>
      now.frames >= frames && (height === undefined || now.height === height) && now.energy > energy;
    return untilCounted(() => this.received(trackID), isEnough, wanted);
  }

  /** The events of one kind that its room has sent until now. */
  heard(name: string): Record<string, unknown>[] {
    return (this.latest?.heard ?? []).filter(each => each.name === name).map(({ event }) => event);
  }

  /** Resolves with the first state from now on that meets the condition. */
  async knows(condition: (looked: Looked) => unknown, what: string): Promise<Looked> {
    if (this.latest && condition(this.latest)) return this.latest;
    return this.states
      .next(looked => Boolean(condition(looked)))
      .catch(() => {
        throw new Error(`waited in vain for ${what}; the member knows ${JSON.stringify(this.latest)}`);
      });
  }

  close(): Promise<void> {
    return this.page.close();
  }

  private get latest(): Looked | undefined {
    return this.states.all.at(-1);
  }
}

function run<Result>(page: Page, name: string, ...args: unknown[]): Promise<Result> {
  return page.evaluate(
    ([called, values]) =>
      (globalThis as unknown as { member: Record<string, (...given: unknown[]) => unknown> }).member[called]?.(
        ...values,
      ),
    [name, args] as [string, unknown[]],
  ) as Promise<Result>;
}
