import type { SitePerformance } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SectionBoundary } from '../../../ui/SectionBoundary.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { lines } from './lines.ts'
import css from './performance.module.css'
import { ResponseTable } from './ResponseTable.tsx'
import { slotsOf } from './slots.ts'

const ResponseChart = lazy(() => import('./ResponseChart.tsx').then((module) => ({ default: module.ResponseChart })))

const chartHeight = 240

export function ResponsePanel({ performance }: { performance: SitePerformance }) {
  const [asTable, setAsTable] = useState(false)
  const slots = slotsOf(performance)
  const isEmpty = performance.series.length === 0
  return (
    <Panel
      title="Response time"
      actions={
        <Button size="small" aria-pressed={asTable} disabled={isEmpty} onClick={() => setAsTable(!asTable)}>
          Show as table
        </Button>
      }
    >
      {isEmpty ? (
        <p className={css['muted']}>Nothing was measured in this time.</p>
      ) : asTable ? (
        <ResponseTable performance={performance} slots={slots} />
      ) : performance.series.every(({ response_ms, ttfb_ms }) => response_ms === null && ttfb_ms === null) ? (
        <p className={css['muted']}>No probe was answered in this time.</p>
      ) : (
        <>
          <Legend hasDeployments={performance.deployments.length > 0} />
          <SectionBoundary>
            <Suspense fallback={<Skeleton height={chartHeight} />}>
              <ResponseChart performance={performance} slots={slots} height={chartHeight} />
            </Suspense>
          </SectionBoundary>
        </>
      )}
    </Panel>
  )
}

function Legend({ hasDeployments }: { hasDeployments: boolean }) {
  return (
    <ul className={css['legend']}>
      <li>
        <span className={css['stroke']} style={{ color: lines.response.color }} aria-hidden="true" />
        {lines.response.label} (median)
      </li>
      <li>
        <span className={css['stroke']} style={{ color: lines.ttfb.color }} aria-hidden="true" />
        {lines.ttfb.label} (median)
      </li>
      {hasDeployments ? (
        <li>
          <span className={css['stroke']} data-dashed="true" style={{ color: lines.mark }} aria-hidden="true" />
          Deployment
        </li>
      ) : null}
    </ul>
  )
}
