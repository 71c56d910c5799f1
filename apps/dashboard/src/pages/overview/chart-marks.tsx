/** Where things stand within a chart, in pixels. */
export interface Plot {
  left: number;
  top: number;
  bottom: number;
  width: number;
  /** Of one point on the time axis. */
  step: number;
  x: (index: number) => number;
  y: (value: number) => number;
}

interface MarksProps {
  plot: Plot;
  color: string;
  values: readonly number[];
  /** On what each value stands. */
  starts: readonly number[];
}

const widestBar = 40;

export function AreaMarks({ plot: { x, y, bottom }, color, values }: MarksProps) {
  if (values.length === 0) return null;
  const line = values.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('');
  return (
    <>
      <path d={`${line}V${bottom}H${x(0)}Z`} fill={color} fillOpacity={0.2} />
      <path d={line} fill="none" stroke={color} strokeWidth={2} strokeLinejoin="round" />
    </>
  );
}

export function BarMarks({ plot: { x, y, step }, color, values, starts }: MarksProps) {
  const width = Math.max(1, Math.min(widestBar, step * 0.7));
  return values.map((value, index) => {
    const start = starts[index] ?? 0;
    if (value === 0) return null;
    const top = y(start + value);
    return <rect key={index} x={x(index) - width / 2} y={top} width={width} height={y(start) - top} fill={color} />;
  });
}
