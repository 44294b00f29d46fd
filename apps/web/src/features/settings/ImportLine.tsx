import * as mirror from '@agency/contract/descriptors/mirror'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { useDenial } from '../../lib/session.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Progress } from '../../ui/Progress.tsx'
import css from './settings.module.css'

const pollMs = 3000

/** How far the copy of Stripe is: a new account is imported as soon as its key is saved. */
export function ImportLine() {
  const denied = useDenial(mirror.getMirror) !== undefined
  const { data } = useQuery({
    ...q(mirror.getMirror, {}),
    enabled: !denied,
    refetchInterval: (query) => (query.state.data?.first_import?.state === 'running' ? pollMs : false),
  })
  const progress = data?.first_import
  if (!progress) return null
  const label = data.as_of === null ? 'First import' : 'Import'
  if (progress.state === 'running') {
    const done = progress.steps.filter((step) => step.state === 'done').length
    return (
      <div className={css['import']}>
        <Progress
          label={label}
          done={progress.objects}
          unit="objects"
          share={progress.steps.length ? done / progress.steps.length : undefined}
          perSecond={progress.objects_per_second}
          remainingSeconds={progress.remaining_seconds}
        />
      </div>
    )
  }
  if (progress.state !== 'done') {
    return (
      <p className={css['import']}>
        {label}: {progress.error ?? 'stopped early'}
      </p>
    )
  }
  return (
    <p className={css['import']}>
      {label}: {formatCount(progress.objects)} objects, done <DateTime at={progress.finished_at} show="relative" />
    </p>
  )
}
