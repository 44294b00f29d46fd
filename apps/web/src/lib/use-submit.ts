import { useState } from 'react'
import { useOneAtATime } from './use-one-at-a-time.ts'

/** Sends something, once at a time, and keeps what went wrong. For what is more than one call, or stands outside of the console. */
export function useSubmit<A extends unknown[]>(send: (...args: A) => Promise<void>) {
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const oneAtATime = useOneAtATime()

  const submit = (...args: A) =>
    void oneAtATime(async () => {
      setPending(true)
      setError(null)
      try {
        await send(...args)
      } catch (thrown) {
        setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
      } finally {
        setPending(false)
      }
    })
  return { submit, pending, error, clear: () => setError(null) }
}
