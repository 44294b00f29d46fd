import { useRef, useState } from 'react'

/** Sends something, once at a time, and keeps what went wrong. For forms that stand outside of the console. */
export function useSubmit<A extends unknown[]>(send: (...args: A) => Promise<void>) {
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const busy = useRef(false)

  const submit = async (...args: A) => {
    if (busy.current) return
    busy.current = true
    setPending(true)
    setError(null)
    try {
      await send(...args)
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
    } finally {
      busy.current = false
      setPending(false)
    }
  }
  return { submit: (...args: A) => void submit(...args), pending, error, clear: () => setError(null) }
}
