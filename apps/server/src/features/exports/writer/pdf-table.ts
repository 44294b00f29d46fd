import { moneyText } from '../../../platform/money-text.ts'
import { isMoney, type WireCell, type WireColumn } from './order.ts'

/** How wide a text is in the type of a row or of the head. */
export type Measure = (text: string) => number

/** A cell may not fill a page; what is cut says so. */
const longestText = 800
const mostLines = 40
const cut = '… (cut)'
/** Words that are longer are broken, so that one column does not take the page. */
const longestWord = 110

export const isRight = ({ type }: WireColumn): boolean => type === 'integer' || type === 'number' || type === 'money'

export function createText(timeZone: string): (cell: WireCell, column: WireColumn) => string {
  const days = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'numeric', day: 'numeric', year: 'numeric' })
  const dates = new Intl.DateTimeFormat('en-US', { timeZone, month: 'numeric', day: 'numeric', year: 'numeric' })
  const times = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })
  const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
  return (cell, { type }) => {
    if (cell === null) return ''
    if (typeof cell === 'number') return numbers.format(cell)
    if (typeof cell === 'boolean') return cell ? 'Yes' : 'No'
    if (isMoney(cell)) return moneyText(cell.amount, cell.currency)
    if (typeof cell === 'object') return JSON.stringify(cell.json)
    if (type === 'date') return days.format(new Date(`${cell}T00:00:00Z`))
    if (type === 'instant') return `${dates.format(new Date(cell))} ${times.format(new Date(cell))}`
    const text = cell.toWellFormed().replace(/\s+/g, ' ').trim()
    return text.length > longestText ? text.slice(0, longestText).toWellFormed() + cut : text
  }
}

/** The width of a text is that of its characters: shaping every text to know its width takes memory for each word. */
export function createMeasure(widthOf: Measure): Measure {
  const known = new Map<string, number>()
  return (text) => {
    let width = 0
    for (const character of text) {
      let own = known.get(character)
      if (own === undefined) {
        own = widthOf(character)
        known.set(character, own)
      }
      width += own
    }
    return width
  }
}

/** What a column needs so that no word of it is broken; figures and times stay on one line. */
export function neededWidth(texts: Iterable<string>, { type }: WireColumn, measure: Measure): number {
  let most = 0
  for (const text of texts) {
    for (const word of type === 'text' ? text.split(' ') : [text]) most = Math.max(most, measure(word))
  }
  return Math.min(most, longestWord)
}

/** What a text column keeps where there is not room enough. */
const leastText = 24

/** Where all cannot have what they need, words are broken before figures are. */
function narrowed(needs: readonly number[], isFirm: readonly boolean[], whole: number): number[] {
  const firm = needs.reduce((sum, need, place) => sum + (isFirm[place] ? need : 0), 0)
  const soft = needs.reduce((sum, need, place) => sum + (isFirm[place] ? 0 : need), 0)
  const softCount = isFirm.filter((one) => !one).length
  if (whole - firm < softCount * leastText) return needs.map((need) => (need * whole) / (firm + soft))
  return needs.map((need, place) => (isFirm[place] ? need : (need * (whole - firm)) / soft))
}

/** Each column its share of the whole, but what it needs at least. */
export function shareWidths(
  shares: readonly number[],
  needs: readonly number[],
  whole: number,
  isFirm: readonly boolean[] = [],
): number[] {
  const needed = needs.reduce((sum, need) => sum + need, 0)
  if (needed >= whole)
    return narrowed(
      needs,
      needs.map((_, place) => isFirm[place] ?? false),
      whole,
    )
  const isTight = needs.map(() => false)
  for (;;) {
    const taken = needs.reduce((sum, need, place) => sum + (isTight[place] ? need : 0), 0)
    const left = shares.reduce((sum, share, place) => sum + (isTight[place] ? 0 : share), 0)
    const unit = left === 0 ? 0 : (whole - taken) / left
    const place = needs.findIndex((need, at) => !isTight[at] && need > (shares[at] ?? 0) * unit)
    if (place < 0) return needs.map((need, at) => (isTight[at] ? need : (shares[at] ?? 0) * unit))
    isTight[place] = true
  }
}

function brokenWord(word: string, width: number, measure: Measure): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const character of word) {
    if (piece !== '' && measure(piece + character) > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...pieces, piece]
}

/** The lines of a cell. */
export function linesOf(text: string, width: number, measure: Measure): string[] {
  if (text === '') return []
  if (measure(text) <= width) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (measure(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = brokenWord(word, width, measure)
    line = pieces.pop() ?? ''
    lines.push(...pieces)
  }
  lines.push(line)
  return lines.length > mostLines ? [...lines.slice(0, mostLines - 1), cut] : lines
}
