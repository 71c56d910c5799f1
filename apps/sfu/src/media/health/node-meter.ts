import { readFileSync } from 'node:fs';
import type { Clock, Timer } from '@rtms/clock';
import type { NodeMeasurement } from '@rtms/contracts';

const tickMs = 1_000;
/** Ticks of a measurement: the time between two samples of viewers. */
const measuredTicks = 10;

/** Totals of a network namespace since its start. */
export interface SentDatagrams {
  sent: number;
  /** The system had no space for them, because its network interface sends too slowly. */
  refused: number;
}

interface Tick {
  lagMs: number;
  datagrams: SentDatagrams | undefined;
}

/** Measures how late the timers of this process are, and how much its system refuses to send, over the last ten seconds. */
export class NodeMeter {
  private readonly ticks: Tick[] = [];
  private readonly timer: Timer;
  private expectedAt: number;

  constructor(
    private readonly clock: Clock,
    private readonly readDatagrams: () => SentDatagrams | undefined = sentDatagrams,
  ) {
    this.expectedAt = clock.now() + tickMs;
    this.timer = clock.every(tickMs, () => this.tick());
  }

  current(): NodeMeasurement {
    const [first, last] = [this.ticks[0]?.datagrams, this.ticks.at(-1)?.datagrams];
    const lagMs = Math.max(0, ...this.ticks.map(tick => tick.lagMs));
    return { lagMs, refusedShare: first && last ? shareOf(first, last) : null };
  }

  close(): void {
    this.timer.cancel();
  }

  private tick(): void {
    const now = this.clock.now();
    this.ticks.push({ lagMs: Math.max(0, now - this.expectedAt), datagrams: this.readDatagrams() });
    if (this.ticks.length > measuredTicks) this.ticks.shift();
    this.expectedAt = now + tickMs;
  }
}

function shareOf(first: SentDatagrams, last: SentDatagrams): number {
  const refused = last.refused - first.refused;
  const all = refused + last.sent - first.sent;
  return all > 0 && refused > 0 ? refused / all : 0;
}

/** The counters of UDP in proc(5), of the media workers too. undefined on other systems. */
function sentDatagrams(): SentDatagrams | undefined {
  try {
    return readUdpCounters(readFileSync('/proc/self/net/snmp', 'utf8'));
  } catch {
    return undefined;
  }
}

/** Reads the two lines `Udp:`: names and values. */
export function readUdpCounters(text: string): SentDatagrams | undefined {
  const [names, values] = text.split('\n').flatMap(line => (line.startsWith('Udp: ') ? [line.split(' ')] : []));
  const valueOf = (name: string): number => Number(values?.[names?.indexOf(name) ?? -1] ?? NaN);
  const [sent, refused] = [valueOf('OutDatagrams'), valueOf('SndbufErrors')];
  return Number.isNaN(sent) || Number.isNaN(refused) ? undefined : { sent, refused };
}
