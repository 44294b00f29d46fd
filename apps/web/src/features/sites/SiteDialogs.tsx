import { lazy, Suspense } from 'react'
import type { SiteAct } from './site-actions.ts'

const AddSiteDialog = lazy(() =>
  import('./form/AddSiteDialog.tsx').then((module) => ({ default: module.AddSiteDialog })),
)
const EditSiteDialog = lazy(() =>
  import('./form/EditSiteDialog.tsx').then((module) => ({ default: module.EditSiteDialog })),
)
const StatusDialog = lazy(() =>
  import('./status/StatusDialog.tsx').then((module) => ({ default: module.StatusDialog })),
)
const SuspendDialog = lazy(() =>
  import('./status/SuspendDialog.tsx').then((module) => ({ default: module.SuspendDialog })),
)
const ResumeDialog = lazy(() =>
  import('./status/ResumeDialog.tsx').then((module) => ({ default: module.ResumeDialog })),
)
const DeleteDialog = lazy(() =>
  import('./status/DeleteDialog.tsx').then((module) => ({ default: module.DeleteDialog })),
)
const ImportDialog = lazy(() =>
  import('./import/ImportDialog.tsx').then((module) => ({ default: module.ImportDialog })),
)

type Props = {
  act: SiteAct | undefined
  onAdded: (id: string) => void
  onDeleted: (id: string) => void
  onClose: () => void
}

/** Waits by itself, so that the details below stay while a dialog loads. */
export function SiteDialogs(props: Props) {
  return <Suspense>{props.act ? <Chosen {...props} act={props.act} /> : null}</Suspense>
}

function Chosen({ act, onAdded, onDeleted, onClose }: Props & { act: SiteAct }) {
  switch (act.kind) {
    case 'add':
      return (
        <AddSiteDialog
          domain={act.domain}
          onAdded={(id) => {
            onClose()
            onAdded(id)
          }}
          onClose={onClose}
        />
      )
    case 'edit':
      return <EditSiteDialog id={act.id} onClose={onClose} />
    case 'import':
      return <ImportDialog onClose={onClose} />
    case 'status':
      return <StatusDialog site={act.site} onClose={onClose} />
    case 'suspend':
      return <SuspendDialog site={act.site} onClose={onClose} />
    case 'resume':
      return <ResumeDialog site={act.site} onClose={onClose} />
    case 'delete':
      return (
        <DeleteDialog
          site={act.site}
          onDeleted={() => {
            onClose()
            onDeleted(act.site.id)
          }}
          onClose={onClose}
        />
      )
  }
}
