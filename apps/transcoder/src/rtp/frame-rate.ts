/** Frames per second as a fraction, so that 29.97 is exact. */
export interface FrameRate {
  numerator: number;
  denominator: number;
}

/** Nominal rates of cameras and encoders. */
const usualRates: FrameRate[] = [
  ...[5, 8, 10, 12, 15, 20, 24, 25, 30, 48, 50, 60].map(numerator => ({ numerator, denominator: 1 })),
  { numerator: 24_000, denominator: 1001 },
  { numerator: 30_000, denominator: 1001 },
  { numerator: 60_000, denominator: 1001 },
];

const videoClockRate = 90_000;
const highestRate = 60;
const lowestRate = 5;
/** Maximum relative error of a count over a short time. */
const tolerance = 0.06;

export function framesPerSecond({ numerator, denominator }: FrameRate): number {
  return numerator / denominator;
}

/**
 * Estimates the frame rate from RTP timestamps (90 kHz, any order). Returns the usual rate that matches an even spacing, else
 * the usual rate nearest to the measured rate, else the measured rate rounded down.
 */
export function estimateFrameRate(timestamps: readonly number[]): FrameRate {
  const sorted = [...new Set(timestamps)].sort((a, b) => a - b);
  const steps = stepsBetween(sorted);
  if (steps.length === 0) return { numerator: 30, denominator: 1 };
  const exact = usualRates.find(rate => isSpacedBy(steps, videoClockRate / framesPerSecond(rate)));
  if (exact) return exact;
  const counted = videoClockRate / mean(steps);
  return nearestUsual(counted) ?? wholeRate(counted);
}

function stepsBetween([first = 0, ...rest]: readonly number[]): number[] {
  let before = first;
  return rest.map(timestamp => {
    const step = timestamp - before;
    before = timestamp;
    return step;
  });
}

/** At least 80 % of the steps equal the frame duration within one tick; single frames may be missing. */
function isSpacedBy(steps: readonly number[], ticks: number): boolean {
  const fitting = steps.filter(step => Math.abs(step - ticks) <= 1).length;
  return (
    fitting >= steps.length * 0.8 && Math.abs(mean(steps.filter(step => Math.abs(step - ticks) <= 1)) - ticks) < 0.75
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function nearestUsual(counted: number): FrameRate | undefined {
  const whole = usualRates.filter(rate => rate.denominator === 1);
  const distance = (rate: FrameRate) => Math.abs(framesPerSecond(rate) - counted);
  const nearest = whole.reduce((best, rate) => (distance(rate) < distance(best) ? rate : best));
  return distance(nearest) <= counted * tolerance ? nearest : undefined;
}

function wholeRate(counted: number): FrameRate {
  return { numerator: Math.min(highestRate, Math.max(lowestRate, Math.floor(counted))), denominator: 1 };
}
