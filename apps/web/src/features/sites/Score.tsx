import type { Site } from '@agency/contract/types'
import { Measured } from './Measured.tsx'
import { scoreMeasure, scoreTone } from './measured.ts'
import css from './sites.module.css'

export function Score({ site }: { site: Site }) {
  const { performance_score: score } = site
  if (score === null) {
    return (
      <Measured measure={() => scoreMeasure(site)}>
        <span className={css['muted']}>–</span>
      </Measured>
    )
  }
  return (
    <Measured measure={() => scoreMeasure(site)}>
      <span className={css['score']}>
        <span className={css['track']} aria-hidden="true">
          <span className={css['bar']} data-tone={scoreTone(score)} style={{ width: `${score}%` }} />
        </span>
        <span className={css['number']} data-tone={scoreTone(score)}>
          {score}
        </span>
      </span>
    </Measured>
  )
}
