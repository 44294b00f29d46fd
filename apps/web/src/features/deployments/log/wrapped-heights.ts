import { spansOf } from './ansi.ts'
import { type LogStore, linesIn } from './log-store.ts'

export const lineHeight = 20
const tabSize = 4
const printable = /^[ -~]*$/
const wide = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Extended_Pictographic}]/u

/** How many rows a line fills of which each holds so many characters; 0 is not known yet. */
export function rowsOf(text: string, columns: number): number {
  return columns < 1 ? 1 : Math.max(1, Math.ceil(widthOf(text) / columns))
}

function widthOf(text: string): number {
  if (printable.test(text)) return text.length
  let width = 0
  for (const span of spansOf(text)) {
    if (printable.test(span.text)) width += span.text.length
    else
      for (const letter of span.text) width += letter === '\t' ? tabSize - (width % tabSize) : wide.test(letter) ? 2 : 1
  }
  return width
}

/** How high each group of wrapped lines is: as it was laid out, and until then as long as its lines are. */
export function createHeights(log: LogStore, columns: number) {
  // A group is another array once one of its lines came.
  const known = new WeakMap<object, number>()
  return {
    of: (index: number, total: number): number => {
      const count = linesIn(index, total)
      const chunk = log.chunk(index)
      if (!chunk) return count * lineHeight
      const before = known.get(chunk)
      if (before !== undefined) return before
      let rows = 0
      for (let place = 0; place < count; place++) rows += rowsOf(chunk[place]?.text ?? '', columns)
      known.set(chunk, rows * lineHeight)
      return rows * lineHeight
    },
    note: (index: number, height: number): number => {
      const chunk = log.chunk(index)
      if (chunk) known.set(chunk, height)
      return height
    },
  }
}
