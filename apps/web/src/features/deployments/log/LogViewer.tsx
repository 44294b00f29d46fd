import { type CSSProperties, type ReactNode, useCallback, useRef, useState } from 'react'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { StillWaiting } from '../../../ui/StillWaiting.tsx'
import { LogChunk } from './LogChunk.tsx'
import { LogSearch } from './LogSearch.tsx'
import css from './log.module.css'
import { chunkOf, type LogStore, linesIn } from './log-store.ts'
import { rulerColumns } from './use-columns.ts'
import { useFollow } from './use-follow.ts'
import { lineKeys, useLogKeys } from './use-log-keys.ts'
import { useLogRows } from './use-log-rows.ts'
import { type FindLines, useLogSearch } from './use-log-search.ts'

type Props = {
  label: string
  log: LogStore
  find: FindLines
  /** Lines are still coming. */
  isLive: boolean
  /** The line that the address names. */
  line: number | null
  /** The address of a line, without its number at the end. */
  address: string
  onLine: (line: number) => void
  /** What else can be done with the log. */
  actions?: ReactNode
  /** What stands where there is no line. */
  empty: ReactNode
}

/** So that the text of a short log does not move to the right again and again while lines come. */
const leastDigits = 3

/** A log of any length: only what is seen is drawn, and only what is looked at is read. */
export function LogViewer({ label, log, find, isLive, line, address, onLine, actions, empty }: Props) {
  const scroller = useRef<HTMLElement>(null)
  const ruler = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [wraps, setWraps] = useState(false)
  const follow = useFollow(scroller, { isLive, line })
  const { isFollowing, stop } = follow
  const rows = useLogRows(log, { scroller, ruler, wraps, line, isFollowing })
  const { total, complete, error, goTo } = rows
  const isOver = complete || !isLive
  const digits = Math.max(leastDigits, String(total ?? 0).length)
  const showLine = useCallback(
    (number: number) => {
      stop()
      onLine(number)
      goTo(number)
    },
    [stop, onLine, goTo],
  )
  const search = useLogSearch({ find, total, from: rows.firstSeen, onLine: showLine })
  useLogKeys({
    ...{ input, scroller, onNext: search.next, onPrevious: search.previous },
    onMove: (by) => {
      if (total) showLine(line === null || by === 0 ? rows.firstSeen() : Math.min(total, Math.max(1, line + by)))
    },
    onEnd: () => goTo(total ?? 1),
  })

  const toggleWrap = () => {
    const seen = rows.firstSeen()
    setWraps((now) => !now)
    if (!follow.isOn) requestAnimationFrame(() => goTo(seen, 'start'))
  }
  return (
    <div className={css['viewer']}>
      <div className={css['toolbar']}>
        <LogSearch input={input} search={search} />
        <button type="button" className={css['toggle']} aria-pressed={wraps} onClick={toggleWrap}>
          Wrap lines
        </button>
        <button
          type="button"
          className={css['toggle']}
          aria-pressed={follow.isOn && !isOver}
          disabled={isOver}
          title={isOver ? 'The log is complete' : undefined}
          onClick={follow.toggle}
        >
          Follow
        </button>
        {actions ? <span className={css['end']}>{actions}</span> : null}
      </div>
      {error ? (
        <ErrorPanel error={error} onRetry={log.retry}>
          {total === undefined ? 'The log could not be read.' : 'Some lines of the log could not be read.'}
        </ErrorPanel>
      ) : total === undefined ? (
        <StillWaiting />
      ) : null}
      <div className={css['frame']}>
        {total === 0 ? (
          empty
        ) : (
          <section
            ref={scroller}
            className={css['scroller']}
            data-wrap={wraps}
            aria-label={label}
            aria-keyshortcuts={lineKeys}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
            tabIndex={0}
          >
            <div className={css['lines']} style={{ height: rows.height, '--digits': digits } as CSSProperties}>
              {wraps ? (
                <div ref={ruler} className={css['ruler']} aria-hidden="true">
                  <div style={{ width: `${rulerColumns}ch` }} />
                </div>
              ) : null}
              {rows.items.map(({ index, start }) => (
                <div
                  key={index}
                  // Lines that are not wrapped are all of one height: watching them would cost a tenth of each frame.
                  ref={wraps ? rows.measure : undefined}
                  className={css['chunk']}
                  data-index={index}
                  style={{ top: start }}
                >
                  <LogChunk
                    index={index}
                    count={linesIn(index, total ?? 0)}
                    lines={log.chunk(index)}
                    wanted={search.wanted}
                    named={line !== null && chunkOf(line) === index ? line : null}
                    address={address}
                    digits={digits}
                  />
                </div>
              ))}
            </div>
          </section>
        )}
        {total && !isOver && !follow.isOn ? (
          <button type="button" className={css['toEnd']} onClick={follow.toggle}>
            Jump to the last line
          </button>
        ) : null}
      </div>
    </div>
  )
}
