import type { SystemAnalytics } from '@agency/contract/types'
import { Button } from '../../ui/Button.tsx'
import { LinearGauge } from '../../ui/LinearGauge.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './analytics.module.css'
import { costliest, pointsText, scoreTone } from './score-words.ts'

type Props = { data: SystemAnalytics | undefined; href: string }

export function ScorePanel({ data, href }: Props) {
  const metrics = data?.platform_metrics
  const score = metrics?.performance_score ?? null
  const most = metrics ? costliest(metrics.score_terms) : undefined
  return (
    <Panel
      title="Platform Health Score"
      loading={!data}
      skeleton={<Skeleton height={64} />}
      actions={
        <Button size="small" href={href}>
          How it is calculated
        </Button>
      }
    >
      <div className={css['score']}>
        <LinearGauge
          label="Out of 100"
          value={score}
          text={
            <>
              <strong className={css['figure']}>{score}</strong> / 100
            </>
          }
          tone={score === null ? 'neutral' : scoreTone(score)}
        />
        <p className={css['note']}>
          {score === null
            ? 'Not enough data yet. The score appears after the first site checks.'
            : most
              ? `Most points lost: ${most.label.toLowerCase()}, ${pointsText(most.lost ?? 0)} (${most.measured}).`
              : 'No points lost.'}
        </p>
      </div>
    </Panel>
  )
}
