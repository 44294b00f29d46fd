/** A line of the table: what was measured, what is to be reached, what came out. */
export type Row = { what: string; reach: string; ours: string; reference: string; isReached: boolean | null }

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

const columns = [
  ['what', 'what'],
  ['reach', 'reach'],
  ['ours', 'ours'],
  ['reference', 'reference in the same run'],
] as const

const verdict = (row: Row): string => (row.isReached === null ? '-' : row.isReached ? 'yes' : 'NO')

export function printTable(rows: readonly Row[]): string {
  const widths = columns.map(([key, title]) => Math.max(title.length, ...rows.map((row) => row[key].length)))
  const line = (cells: readonly string[], reached: string) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} | ${reached.padEnd(7)} |`
  const head = line(
    columns.map(([, title]) => title),
    'reached',
  )
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|---------|`
  const body = rows.map((row) =>
    line(
      columns.map(([key]) => row[key]),
      verdict(row),
    ),
  )
  return [head, rule, ...body].join('\n')
}

export const ratio = (value: number): string => value.toFixed(2)
export const ms = (value: number): string => (value < 10 ? `${value.toFixed(2)} ms` : `${value.toFixed(0)} ms`)
export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en-US')}/s`
