import type { Span } from './ansi.ts'

export type Piece = Span & { isFound?: boolean }

/** The spans of a line, cut where the text that is searched for begins and ends. Capital letters do not matter. */
export function markFound(spans: readonly Span[], wanted: string): readonly Piece[] {
  const needle = wanted.toLowerCase()
  if (needle === '') return spans
  const whole = spans
    .map(({ text }) => text)
    .join('')
    .toLowerCase()
  const pieces: Piece[] = []
  let offset = 0
  let at = whole.indexOf(needle)
  if (at < 0) return spans
  for (const span of spans) {
    let from = 0
    while (from < span.text.length) {
      const place = offset + from
      if (at >= 0 && at + needle.length <= place) {
        at = whole.indexOf(needle, at + needle.length)
        continue
      }
      const isFound = at >= 0 && at <= place
      const edge = at < 0 ? Number.POSITIVE_INFINITY : isFound ? at + needle.length : at
      const to = Math.min(span.text.length, edge - offset)
      pieces.push({ ...span, text: span.text.slice(from, to), ...(isFound && { isFound }) })
      from = to
    }
    offset += span.text.length
  }
  return pieces
}
