import { useEffect, useState } from 'react'

const pauseMs = 200

/** What was typed, once typing rests. */
export function useRested(term: string, afterMs: number = pauseMs): string {
  const [rested, setRested] = useState(term)
  useEffect(() => {
    const timer = setTimeout(() => setRested(term), afterMs)
    return () => clearTimeout(timer)
  }, [term, afterMs])
  return rested
}
