import * as mirror from '@agency/contract/descriptors/mirror'
import type { ImportProgress as Import } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './health.module.css'
import { importChips, importShare, objectName, stepChips } from './mirror-words.ts'

type Props = { progress: Import; isFirst: boolean }

/** The import that runs, with Cancel, or how the last one ended. */
export function ImportProgress({ progress, isFirst }: Props) {
  return (
    <>
      {progress.state === 'running' ? <Running progress={progress} isFirst={isFirst} /> : <Ended progress={progress} />}
      {progress.steps.length > 0 ? <Steps steps={progress.steps} /> : null}
    </>
  )
}

function Running({ progress, isFirst }: Props) {
  const cancel = useCall(mirror.cancelImport, [mirror.getMirror])
  return (
    <div className={css['import']}>
      <Progress
        label={isFirst ? 'First import' : 'Import'}
        done={progress.objects}
        unit="objects"
        share={importShare(progress)}
        extra={`${formatCount(progress.pages)} pages`}
        perSecond={progress.objects_per_second}
        remainingSeconds={progress.remaining_seconds}
      />
      <ReasonedButton
        size="small"
        variant="outlined"
        blocked={cancel.denial}
        loading={cancel.isPending ? 'Cancelling' : false}
        onClick={() =>
          cancel.mutate(
            {},
            {
              success: 'Import cancelled. Imported records stay.',
              failure: 'The import continues.',
            },
          )
        }
      >
        Cancel
      </ReasonedButton>
    </div>
  )
}

function Ended({ progress }: { progress: Import }) {
  return (
    <p className={css['note']}>
      Last import <StatusChip {...importChips[progress.state]} /> {formatCount(progress.objects)} objects
      {progress.finished_at === null ? null : (
        <>
          {', '}
          <DateTime at={progress.finished_at} show="relative" />
        </>
      )}
      {progress.error === null ? null : (
        <>
          {': '}
          <bdi>{progress.error}</bdi>
        </>
      )}
    </p>
  )
}

function Steps({ steps }: Pick<Import, 'steps'>) {
  return (
    <details className={css['steps']}>
      <summary>Steps of the import</summary>
      <table className={css['rows']}>
        <thead>
          <tr>
            <th scope="col">Records</th>
            <th scope="col">State</th>
            <th scope="col" className={css['right']}>
              Objects
            </th>
            <th scope="col" className={css['right']}>
              Pages
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step.object}>
              <th scope="row">{objectName(step.object)}</th>
              <td>
                <StatusChip {...stepChips[step.state]} />
              </td>
              <td className={css['right']}>{formatCount(step.objects)}</td>
              <td className={css['right']}>{formatCount(step.pages)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
