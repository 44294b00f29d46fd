import { useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { OutcomeDialog } from '../../../ui/OutcomeDialog.tsx'
import { SectionError } from '../../../ui/SectionError.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { ImportRows } from './ImportRows.tsx'
import { oldSites } from './old-sites.ts'
import { type ImportAnswer, useImport } from './use-import.ts'

const sitesText = (count: number): string => (count === 1 ? '1 site' : `${formatCount(count)} sites`)

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [old] = useState(oldSites)
  const { preview, run, isPending, error, done } = useImport(old)
  const { data } = preview
  if (done) return <Imported answer={done} onClose={onClose} />
  const create = data?.created ?? 0
  return (
    <FormDialog
      title="Import sites from an older console"
      intro={
        data
          ? `${sitesText(create)} would be added, ${formatCount(data.skipped)} skipped. The data in this browser stays unchanged.`
          : 'Reading the sites in this browser.'
      }
      submitLabel={create === 0 ? 'Nothing to import' : `Import ${sitesText(create)}`}
      pending={isPending}
      error={error}
      wide
      onSubmit={() => (create === 0 ? onClose() : run())}
      onClose={onClose}
    >
      {data ? (
        <ImportRows rows={data.rows} />
      ) : preview.error ? (
        <SectionError error={preview.error} onRetry={() => void preview.refetch()} />
      ) : (
        <SkeletonLines count={5} />
      )}
    </FormDialog>
  )
}

function Imported({ answer, onClose }: { answer: ImportAnswer; onClose: () => void }) {
  const skipped = answer.rows.filter(({ outcome }) => outcome === 'skip')
  return (
    <OutcomeDialog title={`Imported ${sitesText(answer.created)}`} tone="success" onClose={onClose}>
      <p>{skipped.length === 0 ? 'All sites were imported.' : `${sitesText(skipped.length)} skipped.`}</p>
      {skipped.length === 0 ? null : <ImportRows rows={skipped} />}
    </OutcomeDialog>
  )
}
