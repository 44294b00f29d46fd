import * as featureFlags from '@agency/contract/descriptors/feature-flags'
import type { FeatureFlag } from '@agency/contract/types'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { flagReads } from './flags-list.ts'

const FlagDialog = lazy(() => import('./FlagDialog.tsx').then((m) => ({ default: m.FlagDialog })))
const RolloutDialog = lazy(() => import('./RolloutDialog.tsx').then((m) => ({ default: m.RolloutDialog })))
const ViewersDialog = lazy(() => import('./ViewersDialog.tsx').then((m) => ({ default: m.ViewersDialog })))
const HistoryDialog = lazy(() => import('./HistoryDialog.tsx').then((m) => ({ default: m.HistoryDialog })))
const ArchiveDialog = lazy(() => import('./ArchiveDialog.tsx').then((m) => ({ default: m.ArchiveDialog })))

const dialogs = {
  edit: FlagDialog,
  rollout: RolloutDialog,
  viewers: ViewersDialog,
  history: HistoryDialog,
  archive: ArchiveDialog,
}
type Kind = keyof typeof dialogs
type Act = { kind: 'add' } | { kind: Kind; flag: FeatureFlag }

export type FlagActs = {
  add: () => void
  open: (kind: Kind, flag: FeatureFlag) => void
  restore: (flag: FeatureFlag) => void
  /** Why the actor may change nothing. */
  denial: string | undefined
  /** What is open. */
  dialogs: ReactNode
}

/** What can be done with flags. */
export function useFlagActs(): FlagActs {
  const [act, setAct] = useState<Act>()
  const restore = useCall(featureFlags.restoreFeatureFlag, flagReads)
  const close = () => setAct(undefined)
  const Opened = act && act.kind !== 'add' ? dialogs[act.kind] : undefined
  return {
    add: () => setAct({ kind: 'add' }),
    open: (kind, flag) => setAct({ kind, flag }),
    restore: ({ id, name }) =>
      restore.mutate(
        { params: { id } },
        { success: `Restored ${name}, switched off`, failure: `Not restored: ${name}` },
      ),
    denial: restore.denial,
    dialogs: (
      <Suspense>
        {act?.kind === 'add' ? <FlagDialog onClose={close} /> : null}
        {Opened && act && act.kind !== 'add' ? <Opened flag={act.flag} onClose={close} /> : null}
      </Suspense>
    ),
  }
}
