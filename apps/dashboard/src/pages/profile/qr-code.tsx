import { encode } from 'uqr';

interface QrCodeProps {
  text: string;
  label: string;
}

/** The light margin that readers need, in modules. */
const border = 4;
const shownSize = 220;

/** Dark on light in either color scheme, as readers expect. */
export default function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { border });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={shownSize}
      height={shownSize}
      shapeRendering="crispEdges"
      display="block"
      style={{ margin: '0 auto' }}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
