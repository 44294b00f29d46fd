import { useEffect, useState } from 'react'
import css from './Skeleton.module.css'

const patienceMs = 10_000

/** Stands with what is awaited, empty; says so once the answer takes unusually long. */
export function StillWaiting() {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className={css['waiting']} aria-live="polite">
      {isLate ? 'Still waiting. If nothing happens, reload the page.' : null}
    </p>
  )
}
