import { formatDuration, formatNumber, formatPercent } from '../../lib/format.ts'

/** `12.4%`, `3.2 ms`, `1.4 s`, `12 jobs`: a measurement with its unit, small ones with a decimal. */
export function formatMeasure(value: number, unit: string): string {
  const isSmall = Math.abs(value) < 10
  if (unit === '%') return formatPercent(value, isSmall ? 2 : 1)
  if (unit === 'ms') return isSmall ? `${formatNumber(value, 1)} ms` : formatDuration(value)
  const figure = formatNumber(value, isSmall ? 1 : 0)
  if (unit === '') return figure
  return `${figure} ${figure === '1' ? unit.replace(/s$/, '') : unit}`
}

/** `99.95%`; what is not whole is never rounded up to 100%. */
export function formatUptime(percent: number): string {
  return formatPercent(percent < 100 ? Math.min(percent, 99.99) : percent, 2)
}
