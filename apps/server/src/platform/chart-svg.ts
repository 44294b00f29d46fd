import { type Html, html } from './html.ts'

/** On paper, the colours that the same things have on the screen. */
export const inks = {
  main: '#1565c0',
  second: '#c2183c',
  gain: '#1b5e20',
  moreGain: '#4f9bd9',
  returned: '#66a86b',
  loss: '#c62828',
  partLoss: '#c77700',
} as const
const gray = { text: '#1b1f24', muted: '#5b6570', line: '#e2e5ea' }

/** null: not known, and drawn as a gap. */
type Values = readonly (number | null)[]
export type ChartSeries = { label: string; color: string; values: Values }
type Chart = {
  title: string
  slots: readonly string[]
  series: readonly ChartSeries[]
  format: (value: number) => string
}
/** A level stands on zero, a change hangs between the level before and the one after it. */
export type ChartStep = { label: string; kind: 'level' | 'change'; value: number | null; color: string }
export type HeatRow = { name: string; cells: readonly ({ share: number | null; text: string } | null)[] }

const size = { width: 377, height: 170 }
const plot = { left: 52, right: 370, top: 34, bottom: 150 }
const mostLabels = 8

const text = (x: number, y: number, words: string, more: { anchor?: string; size?: number; color?: string } = {}) =>
  html`<text x="${x}" y="${y}" font-size="${more.size ?? 7}" fill="${more.color ?? gray.muted}" text-anchor="${more.anchor ?? 'start'}">${words}</text>`

/** Round marks that hold zero and all values. */
function ticksOf(values: readonly number[]): number[] {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  if (least === most) return [0, 1]
  const rough = (most - least) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5].find((each) => each * power >= rough) ?? 10) * power
  const [first, last] = [Math.floor(least / step), Math.ceil(most / step)]
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

type Axis = { ticks: number[]; y: (value: number) => number }

function axisOf(values: readonly number[]): Axis {
  const ticks = ticksOf(values)
  const [least = 0, most = 1] = [ticks[0], ticks.at(-1)]
  return { ticks, y: (value) => plot.bottom - ((value - least) / (most - least)) * (plot.bottom - plot.top) }
}

function frame(
  title: string,
  slots: readonly string[],
  axis: Axis,
  format: Chart['format'],
  body: readonly Html[],
): string {
  const width = (plot.right - plot.left) / Math.max(1, slots.length)
  const every = Math.ceil(slots.length / mostLabels)
  const lines = axis.ticks.map((tick) => {
    const y = axis.y(tick)
    const color = tick === 0 ? gray.muted : gray.line
    return html`<path d="M${plot.left} ${y}H${plot.right}" stroke="${color}" stroke-width="0.5"/>${text(plot.left - 4, y + 2.5, format(tick), { anchor: 'end' })}`
  })
  const labels = slots.flatMap((slot, index) =>
    index % every === 0 ? [text(plot.left + (index + 0.5) * width, 161, slot, { anchor: 'middle' })] : [],
  )
  return drawing(title, [...lines, ...body, ...labels])
}

const drawing = (title: string, body: readonly Html[]): string =>
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" font-family="plain">${text(0, 10, title, { size: 9, color: gray.text })}${body}</svg>`
    .markup

/** What each colour stands for; a single series needs no more than the title. */
function legend(series: readonly { label: string; color: string }[]): Html[] {
  if (series.length < 2) return []
  let x = 0
  return series.map(({ label, color }) => {
    const at = x
    x += 20 + label.length * 4
    return html`<rect x="${at}" y="17" width="6" height="6" fill="${color}"/>${text(at + 9, 22.5, label)}`
  })
}

const noValues = (title: string): string => drawing(title, [text(0, 30, 'No data in this range')])

/** Bars from zero, those of a slot on top of each other; what is negative hangs below. */
export function barChart({ title, slots, series, format }: Chart): string {
  if (series.every(({ values }) => values.every((value) => value === null))) return noValues(title)
  const ends = slots.flatMap((_, slot) => {
    const values = series.map(({ values: own }) => own[slot] ?? 0)
    return [-1, 1].map((sign) => values.reduce((sum, value) => sum + (value * sign > 0 ? value : 0), 0))
  })
  const axis = axisOf(ends)
  const width = (plot.right - plot.left) / slots.length
  const bars = slots.flatMap((_, slot) => {
    const at = { up: 0, down: 0 }
    return series.flatMap(({ values, color }) => {
      const value = values[slot] ?? 0
      if (value === 0) return []
      const side = value > 0 ? 'up' : 'down'
      const from = at[side]
      at[side] += value
      return [bar(axis, plot.left + (slot + 0.15) * width, width * 0.7, from, at[side], color)]
    })
  })
  return frame(title, slots, axis, format, [...legend(series), ...bars])
}

function bar(axis: Axis, x: number, width: number, from: number, to: number, color: string): Html {
  const [top, bottom] = [axis.y(Math.max(from, to)), axis.y(Math.min(from, to))]
  return html`<rect x="${x}" y="${top}" width="${width}" height="${Math.max(0.5, bottom - top)}" fill="${color}"/>`
}

/** How one level became another. From a change that is not known on nothing is drawn until the next level. */
export function stepChart(title: string, steps: readonly ChartStep[], format: Chart['format']): string {
  let at: number | null = 0
  const spans = steps.map(({ kind, value }) => {
    const from: number | null = kind === 'level' ? 0 : at
    at = value === null || from === null ? null : from + value
    return from === null || at === null ? null : { from, to: at }
  })
  const axis = axisOf(spans.flatMap((span) => (span ? [span.from, span.to] : [])))
  const width = (plot.right - plot.left) / Math.max(1, steps.length)
  const bars = steps.flatMap(({ color, value }, index) => {
    const span = spans[index]
    if (!span || value === null) return []
    const x = plot.left + (index + 0.15) * width
    const words = text(x + width * 0.35, axis.y(Math.max(span.from, span.to)) - 2, format(value), { anchor: 'middle' })
    return [bar(axis, x, width * 0.7, span.from, span.to, color), words]
  })
  return frame(
    title,
    steps.map(({ label }) => label),
    axis,
    format,
    bars,
  )
}

/** A line breaks where nothing is known; a value between two gaps is a dot. */
export function lineChart({ title, slots, series, format }: Chart): string {
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null))
  if (known.length === 0) return noValues(title)
  const axis = axisOf(known)
  const width = (plot.right - plot.left) / slots.length
  const x = (slot: number): number => plot.left + (slot + 0.5) * width
  const lines = series.flatMap(({ values, color }) => {
    const isKnown = (slot: number): boolean => (values[slot] ?? null) !== null
    const path = values.flatMap((value, slot) =>
      value === null ? [] : [`${isKnown(slot - 1) ? 'L' : 'M'}${x(slot)} ${axis.y(value)}`],
    )
    const dots = values.flatMap((value, slot) =>
      value === null || isKnown(slot - 1) || isKnown(slot + 1)
        ? []
        : [html`<circle cx="${x(slot)}" cy="${axis.y(value)}" r="1.5" fill="${color}"/>`],
    )
    return [html`<path d="${path.join('')}" fill="none" stroke="${color}" stroke-width="1.2"/>`, ...dots]
  })
  return frame(title, slots, axis, format, [...legend(series), ...lines])
}

/** Cells in shades of one colour, each with its figure. */
export function heatChart(title: string, columns: readonly string[], rows: readonly HeatRow[]): string {
  if (rows.length === 0) return noValues(title)
  const cell = {
    width: (size.width - plot.left) / Math.max(1, columns.length),
    height: Math.min(12, 130 / rows.length),
  }
  const x = (place: number): number => plot.left + place * cell.width
  const heads = columns.map((name, place) => text(x(place) + cell.width / 2, 24, name, { anchor: 'middle' }))
  const body = rows.flatMap(({ name, cells }, row) => {
    const y = 28 + row * cell.height
    const drawn = cells.flatMap((one, place) => {
      if (!one) return []
      const strength = Math.max(0, Math.min(1, one.share ?? 0))
      const color = strength > 0.55 ? '#ffffff' : gray.text
      return [
        html`<rect x="${x(place)}" y="${y}" width="${cell.width - 1}" height="${cell.height - 1}" fill="${inks.main}" fill-opacity="${(0.06 + strength * 0.94).toFixed(2)}"/>`,
        text(x(place) + cell.width / 2, y + cell.height - 4, one.text, { anchor: 'middle', size: 6, color }),
      ]
    })
    return [text(0, y + cell.height - 4, name), ...drawn]
  })
  return drawing(title, [...heads, ...body])
}
