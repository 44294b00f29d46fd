import type { Trend } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { Hint } from '../../ui/Hint.tsx'

/** `+5 this month`, with the month before and what was counted on hover. */
export function NewCustomers({ trend }: { trend: Trend }) {
  return (
    <Hint
      content={
        <>
          <strong>This month: {formatCount(trend.current)}</strong>
          <br />
          Before: {trend.previous === null ? 'no figure' : formatCount(trend.previous)}
          <br />
          {trend.definition}
        </>
      }
    >
      +{formatCount(trend.current)} this month
    </Hint>
  )
}
