import type { ReactNode } from 'react'
import type { RowOutcome } from '../../lib/use-bulk.ts'
import type { Tone } from '../../theme/palette.ts'
import { SkeletonLines } from '../Skeleton.tsx'
import { StatusChip } from '../StatusChip.tsx'
import css from './bulk.module.css'

export type Plan = {
  /** What will happen, a line each. */
  lines?: readonly ReactNode[]
  /** Why nothing will. */
  blocked?: string | undefined
}

type Props = { name: string; plan: Plan | undefined; outcome: RowOutcome | undefined }

const chips: Record<RowOutcome['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'neutral' },
  running: { label: 'Running', tone: 'info' },
  stopped: { label: 'Stopped', tone: 'neutral' },
  done: { label: 'Done', tone: 'success' },
  failed: { label: 'Failed', tone: 'error' },
}

export function BulkRow({ name, plan, outcome }: Props) {
  const chip = outcome ? chips[outcome.state] : plan?.blocked === undefined ? undefined : left
  return (
    <li className={css['row']}>
      <div className={css['head']}>
        <bdi className={css['name']}>{name}</bdi>
        {chip ? <StatusChip {...chip} /> : null}
      </div>
      <RowText plan={plan} outcome={outcome} />
    </li>
  )
}

const left = { label: 'Left out', tone: 'neutral' } as const

function RowText({ plan, outcome }: Omit<Props, 'name'>) {
  if (outcome?.state === 'done') return <p className={css['line']}>{outcome.text}</p>
  if (outcome?.state === 'failed') {
    const { message, requestId } = outcome.error
    return (
      <p className={css['problem']}>
        {message || 'An unexpected error occurred'}
        {requestId ? ` Request ${requestId}` : null}
      </p>
    )
  }
  if (!plan) return <SkeletonLines count={1} height={20} />
  if (plan.blocked !== undefined) return <p className={css['line']}>{plan.blocked}</p>
  return plan.lines?.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
    <p key={index} className={css['line']}>
      {line}
    </p>
  ))
}
