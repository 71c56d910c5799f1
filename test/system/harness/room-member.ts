import type { RoomState, RosterEntry, TrackSource } from '@rtms/client';
import { waitFor } from '@rtms/testing';
import type { Page } from 'playwright-core';
import type { JoinTicket } from './api-client.js';
import type { TestBrowser } from './browser.js';

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

/** A member of a room in a page of its own, by the client SDK. */
export class RoomMember {
  private constructor(
    readonly page: Page,
    readonly participantID: string,
  ) {}

  static async join(browser: TestBrowser, ticket: JoinTicket): Promise<RoomMember> {
    const page = await browser.openPage();
    const participantID = await run<string>(page, 'join', ticket);
    return new RoomMember(page, participantID);
  }

  /** A method of the SDK's `Room`; a failure is answered as `{ code, reason }`. */
  call<Result = unknown>(method: string, ...args: unknown[]): Promise<Result> {
    return run(this.page, 'call', method, ...args);
  }

  publishCamera(width = 640, height = 360, simulcast = true): Promise<string> {
    return run(this.page, 'publishCamera', { width, height, frameRate: 30 }, simulcast);
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

  look(): Promise<Looked> {
    return run(this.page, 'look');
  }

  received(trackID: string): Promise<Received> {
    return run(this.page, 'received', trackID);
  }

  /** Waits until somebody's track is in the roster, and plays it; answers its id. */
  async watch(participantID: string, source: TrackSource): Promise<string> {
    const trackID = await this.trackOf(participantID, source);
    await run(this.page, 'watch', trackID);
    return trackID;
  }

  trackOf(participantID: string, source: TrackSource): Promise<string> {
    return waitFor(
      async () => {
        const entry = (await this.look()).state.roster.find(each => each.participantID === participantID);
        return entry?.tracks.find(track => track.source === source && track.state !== 'ended')?.trackID;
      },
      { timeoutMs: 40_000, what: `the ${source} of ${participantID}` },
    );
  }

  /** Waits until so many frames more have been decoded than there were. */
  async sees(trackID: string, frames = 20): Promise<Received> {
    const before = (await this.received(trackID)).frames;
    return this.receives(trackID, now => now.frames >= before + frames, `${frames} frames of ${trackID}`);
  }

  async hears(trackID: string): Promise<Received> {
    const before = (await this.received(trackID)).energy;
    return this.receives(trackID, now => now.energy > before, `a sound of ${trackID}`);
  }

  async receives(trackID: string, condition: (now: Received) => boolean, what: string): Promise<Received> {
    let now: Received | undefined;
    await waitFor(async () => condition((now = await this.received(trackID))), { timeoutMs: 40_000, what });
    return now!;
  }

  /** What its room said of a kind. */
  async heard(name: string): Promise<Record<string, unknown>[]> {
    return (await this.look()).heard.filter(each => each.name === name).map(({ event }) => event);
  }

  async knows(condition: (looked: Looked) => unknown, what: string): Promise<Looked> {
    let looked: Looked | undefined;
    await waitFor(async () => condition((looked = await this.look())), { timeoutMs: 40_000, what });
    return looked!;
  }

  close(): Promise<void> {
    return this.page.close();
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
