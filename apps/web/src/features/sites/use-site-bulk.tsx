import * as deploymentRings from '@agency/contract/descriptors/deployment-rings'
import type { Site } from '@agency/contract/types'
import { lazy } from 'react'
import { useDenial } from '../../lib/session.ts'
import type { BulkAct } from '../../ui/bulk/bulk-act.ts'
import { canOf, type SiteDenials } from './site-actions.ts'

const RingsDialog = lazy(() => import('./RingsDialog.tsx').then((m) => ({ default: m.RingsDialog })))
const BulkSuspendDialog = lazy(() =>
  import('./status/BulkStatusDialogs.tsx').then((m) => ({ default: m.BulkSuspendDialog })),
)
const BulkResumeDialog = lazy(() =>
  import('./status/BulkStatusDialogs.tsx').then((m) => ({ default: m.BulkResumeDialog })),
)

/** What can be done with several sites at once. */
export function useSiteBulk({ write }: SiteDenials): readonly BulkAct<Site>[] {
  return [
    {
      label: 'Redeploy in rings',
      denial: useDenial(deploymentRings.startRingRollout),
      dialog: ({ rows, onDone, onClose }) => <RingsDialog sites={rows} onStarted={onDone} onClose={onClose} />,
    },
    {
      label: 'Suspend',
      denial: write,
      blockOf: (site) => canOf(site).suspend ?? undefined,
      dialog: (props) => <BulkSuspendDialog {...props} />,
    },
    {
      label: 'Resume',
      denial: write,
      blockOf: (site) => canOf(site).resume ?? undefined,
      dialog: (props) => <BulkResumeDialog {...props} />,
    },
  ]
}
