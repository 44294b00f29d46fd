import type { LogLine } from '@agency/contract/types'
import { memo } from 'react'
import { formatDateTime, formatSeconds } from '../../../lib/format-time.ts'
import { spansOf } from './ansi.ts'
import css from './log.module.css'
import { chunkSize } from './log-store.ts'
import { markFound, type Piece } from './mark.ts'

type Props = {
  index: number
  /** How many of its lines there are. */
  count: number
  /** Those that were read. */
  lines: readonly (LogLine | undefined)[] | undefined
  /** What is searched for. */
  wanted: string
  /** The line that the address names, where it is one of these. */
  named: number | null
  /** The address of a line, without its number at the end. */
  address: string
  /** How many digits the numbers have room for. */
  digits: number
}

/** Some lines that follow each other: drawn together, and again only when one of them changed. */
export const LogChunk = memo(function LogChunk({ index, count, lines, wanted, named, address, digits }: Props) {
  return Array.from({ length: count }, (_, place) => {
    const number = index * chunkSize + place + 1
    const line = lines?.[place]
    return (
      <div key={number} className={css['line']} data-line={number} data-named={number === named}>
        <a
          className={css['number']}
          href={`${address}${number}`}
          tabIndex={-1}
          aria-label={`Line ${number}`}
          title={line ? formatDateTime(line.at) : undefined}
        >
          {String(number).padStart(digits)}
        </a>
        <time className={css['time']} dateTime={line?.at}>
          {line ? formatSeconds(line.at) : null}
        </time>
        {line ? <Text text={line.text} wanted={wanted} /> : <span className={css['awaited']} />}
      </div>
    )
  })
})

function Text({ text, wanted }: { text: string; wanted: string }) {
  const pieces = markFound(spansOf(text), wanted)
  return (
    <bdi>
      {/* biome-ignore lint/suspicious/noArrayIndexKey: a piece keeps nothing of its own */}
      {pieces.map((piece, at) => (isPlain(piece) ? piece.text : <Part key={at} {...piece} />))}
    </bdi>
  )
}

const isPlain = (piece: Piece): boolean => Object.keys(piece).length === 1

function Part({ text, color, background, bold, dim, italic, underline, isFound }: Piece) {
  const Tag = isFound ? 'mark' : 'span'
  return (
    <Tag
      data-color={color}
      data-background={background}
      data-bold={bold || undefined}
      data-dim={dim || undefined}
      data-italic={italic || undefined}
      data-underline={underline || undefined}
    >
      {text}
    </Tag>
  )
}
