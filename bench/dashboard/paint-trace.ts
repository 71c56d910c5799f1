interface TraceEvent {
  name: string;
  /** Microseconds. */
  ts: number;
  args?: { data?: { navigationId?: string; documentLoaderURL?: string; isOutermostMainFrame?: boolean } };
}

/** From the start of the navigation to the first content, as Chromium's trace has it. */
export function firstContentfulPaint(trace: Buffer): { afterMs: number } {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: TraceEvent[] };
  const paint = traceEvents.find(({ name, args }) => name === 'firstContentfulPaint' && args?.data?.navigationId);
  const navigation = paint?.args?.data?.navigationId;
  const start = traceEvents.find(
    ({ name, args }) => name === 'navigationStart' && args?.data?.navigationId === navigation,
  );
  if (!paint || !start) throw new Error('the trace has no first contentful paint');
  return { afterMs: Math.round((paint.ts - start.ts) / 1000) };
}
