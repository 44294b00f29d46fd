import { useEffect, useEffectEvent, useState } from 'react'

export type FindLines = (text: string, signal: AbortSignal) => Promise<{ numbers: readonly number[]; total: number }>

type Options = {
  find: FindLines
  /** Lines so far: more lines may hold more of what is searched for. */
  total: number | undefined
  /** Where the first look begins: the first line that is seen. */
  from: () => number
  onLine: (line: number) => void
}
type Found = { text: string; numbers: readonly number[]; total: number }

const typingMs = 250
// While lines come, what is found is looked up no more often.
const anewMs = 2000

/** What is searched for in a log, where it stands, and which of these places is shown. */
export function useLogSearch({ find, total, from, onLine }: Options) {
  const [text, setText] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  const [place, setPlace] = useState<number | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const wanted = text.trim()

  const show = useEffectEvent((next: Found) => {
    const isNew = found?.text !== next.text
    setFound(next)
    if (!isNew) return
    const start = from()
    const at = next.numbers.findIndex((number) => number >= start)
    const first = next.numbers.length === 0 ? null : Math.max(0, at)
    setPlace(first)
    const line = first === null ? undefined : next.numbers[first]
    if (line !== undefined) onLine(line)
  })
  const isKnown = found?.text === wanted
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of lines asks anew
  useEffect(() => {
    setError(null)
    if (wanted === '') return
    const controller = new AbortController()
    const look = () =>
      find(wanted, controller.signal).then(
        ({ numbers, total: all }) => show({ text: wanted, numbers, total: all }),
        (thrown: unknown) => {
          if (!controller.signal.aborted) setError(thrown as Error)
        },
      )
    const timer = setTimeout(look, isKnown ? anewMs : typingMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [wanted, find, total])

  const move = (by: number) => {
    const numbers = found?.text === wanted ? found.numbers : []
    if (numbers.length === 0) return
    const next = ((place ?? -1) + by + numbers.length) % numbers.length
    setPlace(next)
    const line = numbers[next]
    if (line !== undefined) onLine(line)
  }
  const change = (next: string) => {
    setText(next)
    if (next.trim() === '') setFound(null)
  }
  return {
    text,
    wanted,
    change,
    error,
    found: isKnown && wanted !== '' ? { total: found.total, place } : null,
    next: () => move(1),
    previous: () => move(-1),
  }
}
export type LogSearchState = ReturnType<typeof useLogSearch>
