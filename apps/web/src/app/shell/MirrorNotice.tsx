import * as mirror from '@agency/contract/descriptors/mirror'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { useLive } from '../LiveProvider.tsx'
import css from './MirrorNotice.module.css'

const importPollMs = 3000

/** Above every screen: the copy of Stripe is still being made, or is not being kept up. */
export function MirrorNotice() {
  const { calm } = useLive()
  const denied = useDenial(mirror.getMirror) !== undefined
  return calm && !denied ? <Notice /> : null
}

function Notice() {
  const { data } = useQuery({
    ...q(mirror.getMirror, {}),
    refetchInterval: (query) => (query.state.data?.first_import?.state === 'running' ? importPollMs : false),
  })
  const progress = data?.first_import
  const isWhole = data !== undefined && data.as_of !== null
  if (progress?.state === 'running') {
    const done = progress.steps.filter((step) => step.state === 'done').length
    return (
      <aside className={css['notice']} aria-label={isWhole ? 'Import' : 'First import'}>
        <Progress
          label="Importing from Stripe"
          done={progress.objects}
          unit="objects"
          share={progress.steps.length ? done / progress.steps.length : undefined}
          extra={`${formatCount(progress.pages)} pages`}
          perSecond={progress.objects_per_second}
          remainingSeconds={progress.remaining_seconds}
        />
        <p className={css['small']}>
          {isWhole ? 'Figures may change until the import ends.' : 'Figures are incomplete until the import ends.'}{' '}
          <a href={paths.health}>Details</a>
        </p>
      </aside>
    )
  }
  const problem = progress?.state === 'failed' ? (progress.error ?? 'The first import failed.') : data?.problem
  if (!problem) return null
  return (
    <aside className={css['notice']} data-tone="warning" aria-label="Stripe connection">
      <p>
        <strong>Stripe:</strong> {problem}
      </p>
      <p className={css['small']}>
        {isWhole ? 'Figures are from the last update' : 'The import is not complete'}
        {data?.last_event_at ? (
          <>
            {', last change '}
            <DateTime at={data.last_event_at} show="relative" />
          </>
        ) : null}
        . <a href={paths.health}>Details</a>
      </p>
    </aside>
  )
}
