import * as exports_ from '@agency/contract/descriptors/exports'
import type { Exported, ExportOrder } from '@agency/contract/types'
import { saveExport } from '../../lib/export-file.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { nameOf } from './export-words.ts'

const stale = [exports_.listExports]

/** The one thing to do with an export in its state. */
export function ExportButton({ row }: { row: Exported }) {
  if (row.state === 'ready') return <DownloadButton row={row} />
  if (row.state === 'queued' || row.state === 'running') return <CancelButton row={row} />
  return <AgainButton row={row} />
}

function DownloadButton({ row }: { row: Exported }) {
  const save = useCall(({ id }: { id: string }) => saveExport(id))
  return (
    <Button
      size="small"
      variant="outlined"
      aria-label={`Download ${nameOf(row)}`}
      loading={save.isPending}
      onClick={() => save.mutate({ id: row.id }, { failure: 'The file could not be downloaded.' })}
    >
      Download
    </Button>
  )
}

function CancelButton({ row }: { row: Exported }) {
  const cancel = useCall(exports_.cancelExport, stale)
  return (
    <Button
      size="small"
      aria-label={`Cancel ${nameOf(row)}`}
      loading={cancel.isPending}
      onClick={() =>
        cancel.mutate(
          { params: { id: row.id } },
          { success: 'Export cancelled', failure: 'The export was not cancelled.' },
        )
      }
    >
      Cancel
    </Button>
  )
}

function AgainButton({ row }: { row: Exported }) {
  const again = useCall(exports_.createExport, stale)
  // What was asked for once is asked for in the same words.
  const order = { kind: row.kind, format: row.format, parameters: row.parameters } as ExportOrder
  return (
    <Button
      size="small"
      aria-label={`Try again: ${nameOf(row)}`}
      loading={again.isPending}
      onClick={() => again.mutate({ body: order }, { failure: 'The export was not started.' })}
    >
      Try again
    </Button>
  )
}
