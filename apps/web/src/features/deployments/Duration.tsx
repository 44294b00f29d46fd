import type { Deployment } from '@agency/contract/types'
import { useEffect, useState } from 'react'
import { formatSpan } from '../../lib/format-time.ts'
import css from './deployments.module.css'

type Props = { deployment: Pick<Deployment, 'started_at' | 'completed_at' | 'duration'> }

/** How long it took; of one that runs, how long it has been at it. */
export function Duration({ deployment }: Props) {
  const { started_at, completed_at, duration } = deployment
  if (duration !== null) return <span className={css['figure']}>{formatSpan(duration)}</span>
  if (started_at === null || completed_at !== null) return <span className={css['none']}>–</span>
  return <Running since={Date.parse(started_at)} />
}

function Running({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className={css['figure']} role="timer">
      {formatSpan((now - since) / 1000)}
    </span>
  )
}
