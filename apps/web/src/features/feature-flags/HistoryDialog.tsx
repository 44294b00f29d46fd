import * as featureFlags from '@agency/contract/descriptors/feature-flags'
import type { FeatureFlag, FlagChange } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { useCall } from '../../lib/use-call.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SectionError } from '../../ui/SectionError.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { actionLabels, rolloutBlock } from './flag-words.ts'
import css from './flags.module.css'
import { flagReads } from './flags-list.ts'

/** Who changed what, and the way back. */
export function HistoryDialog({ flag, onClose }: { flag: FeatureFlag; onClose: () => void }) {
  const history = useQuery(q(featureFlags.listFlagHistory, { params: { id: flag.id } }))
  // As it stands in the list now: the one that the dialog was opened with grows old.
  const { data } = useQuery(q(featureFlags.listFeatureFlags, {}))
  const now = data?.flags.find(({ id }) => id === flag.id) ?? flag
  return (
    <DetailsDialog title={`History of ${flag.name}`} onClose={onClose}>
      {history.data ? (
        <ol className={css['changes']} aria-label="Changes, newest first">
          {history.data.changes.map((change) => (
            <Change key={change.id} flag={now} change={change} />
          ))}
        </ol>
      ) : history.error ? (
        <SectionError error={history.error} onRetry={() => void history.refetch()} />
      ) : (
        <SkeletonLines count={4} height={56} />
      )}
    </DetailsDialog>
  )
}

function Change({ flag, change }: { flag: FeatureFlag; change: FlagChange }) {
  const revert = useCall(featureFlags.revertFeatureFlag, flagReads)
  const { version, action, actor, at, lines, can_revert } = change
  const handleRevert = () =>
    revert.mutate(
      { params: { id: flag.id }, body: { to: version ?? 0, version: flag.version } },
      { success: `${flag.name} is back to version ${version}`, failure: `Not reverted: ${flag.name}` },
    )
  return (
    <li className={css['change']}>
      <div className={css['words']}>
        <p className={css['changeHead']}>
          <strong>{actionLabels[action] ?? action}</strong>
          <span className={css['muted']}>
            {version === null ? null : `Version ${version} · `}
            <bdi>{actor}</bdi> · <DateTime at={at} show="date-time" />
          </span>
        </p>
        {lines.map((line) => (
          <p key={line} className={css['line']}>
            <bdi>{line}</bdi>
          </p>
        ))}
      </div>
      {can_revert ? (
        <ReasonedButton
          size="small"
          variant="outlined"
          blocked={revert.denial ?? rolloutBlock(flag)}
          loading={revert.isPending}
          aria-label={`Revert to version ${version}`}
          onClick={handleRevert}
        >
          Revert
        </ReasonedButton>
      ) : null}
    </li>
  )
}
