type Props = {
  values: readonly number[]
  /** What the line shows, with its first and last value: it stands in for the picture. */
  label: string
  width?: number
  height?: number
  kind?: 'line' | 'bars'
}

/** A small picture of a series: bars start at zero, a line fills its own range. */
export function Sparkline({ values, label, width = 120, height = 32, kind = 'line' }: Props) {
  if (values.length === 0) return null
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio="none"
    >
      <title>{label}</title>
      {kind === 'bars' ? (
        <Bars values={values} width={width} height={height} />
      ) : (
        <polyline
          points={linePoints(values, width, height)}
          fill="none"
          stroke="var(--mui-palette-primary-main)"
          strokeWidth="1.5"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  )
}

type Area = { values: readonly number[]; width: number; height: number }

function Bars({ values, width, height }: Area) {
  const top = Math.max(...values, 1)
  const step = width / values.length
  return values.map((value, index) => {
    const size = Math.max(value > 0 ? 1 : 0, (Math.max(0, value) / top) * height)
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in the series
        key={index}
        x={index * step + step * 0.1}
        y={height - size}
        width={step * 0.8}
        height={size}
        fill="var(--mui-palette-primary-main)"
      />
    )
  })
}

function linePoints(values: readonly number[], width: number, height: number): string {
  const low = Math.min(...values)
  const range = Math.max(...values) - low || 1
  const step = values.length > 1 ? width / (values.length - 1) : 0
  return values
    .map(
      (value, index) =>
        `${(index * step).toFixed(1)},${(height - 2 - ((value - low) / range) * (height - 4)).toFixed(1)}`,
    )
    .join(' ')
}
