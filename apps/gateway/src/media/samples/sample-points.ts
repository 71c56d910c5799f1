import { sampleIntervalMs, type SessionSample } from '@rtms/contracts';

/** Two hours of samples; longer periods have longer steps. */
const mostPoints = 720;

interface SamplePoints {
  stepSeconds: number;
  samples: SessionSample[];
}

/**
 * Joins the samples of each step, so that there are at most 720. A joined sample has the mean of the values, and the highest loss. Its
 * time is the start of the step. Times are in ms since 1970; the samples are sorted.
 */
export function samplePoints(samples: readonly SessionSample[], from: number, to: number): SamplePoints {
  const stepMs = Math.max(1, Math.ceil((to - from) / mostPoints / sampleIntervalMs)) * sampleIntervalMs;
  const inside = samples.filter(({ at }) => at >= from && at < to);
  if (stepMs === sampleIntervalMs) return { stepSeconds: stepMs / 1000, samples: inside };
  const steps = new Map<number, SessionSample[]>();
  for (const sample of inside) {
    const start = from + Math.floor((sample.at - from) / stepMs) * stepMs;
    steps.set(start, [...(steps.get(start) ?? []), sample]);
  }
  return { stepSeconds: stepMs / 1000, samples: [...steps].map(([at, each]) => join(at, each)) };
}

function join(at: number, samples: readonly SessionSample[]): SessionSample {
  const mean = (valueOf: (sample: SessionSample) => number | null): number | null => {
    const known = samples.map(valueOf).filter(value => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  return {
    at,
    bitrate: mean(({ bitrate }) => bitrate) ?? 0,
    fractionLost: Math.max(...samples.map(({ fractionLost }) => fractionLost)),
    jitterMs: mean(({ jitterMs }) => jitterMs) ?? 0,
    roundTripMs: mean(({ roundTripMs }) => roundTripMs),
    frameRate: mean(({ frameRate }) => frameRate),
  };
}
