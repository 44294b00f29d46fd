import type { FeatureFlag } from '@agency/contract/types'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { audienceText, guardText, kindTexts, rolloutBlock } from './flag-words.ts'
import css from './flags.module.css'
import { PercentageForm } from './PercentageForm.tsx'
import { RolloutSteps } from './RolloutSteps.tsx'
import type { FlagActs } from './use-flag-acts.tsx'

type Props = { flag: FeatureFlag; acts: FlagActs }

/** What a flag does, and what can be done with it. */
export function FlagDetails({ flag, acts }: Props) {
  const isArchived = flag.stage === 'archived'
  return (
    <>
      {flag.stale === null ? null : (
        <p role="note" className={css['stale']}>
          {flag.stale}
        </p>
      )}
      {flag.description ? (
        <p className={css['description']}>
          <bdi>{flag.description}</bdi>
        </p>
      ) : null}
      {isArchived ? null : <PercentageForm key={flag.version} flag={flag} />}
      {flag.rollout ? <RolloutSteps flag={flag} rollout={flag.rollout} /> : null}
      <Facts
        facts={[
          { label: 'Always on for', value: bidi(audienceText(flag.always)) ?? 'Nobody by name', wide: true },
          { label: 'Never on for', value: bidi(audienceText(flag.never)) ?? 'Nobody by name', wide: true },
          { label: 'Needs', value: flag.prerequisites.map(({ name }) => name).join(', ') || 'No other flag' },
          { label: 'Guard', value: guardText(flag.guard) },
          { label: 'Kind', value: kindTexts[flag.kind] },
          { label: 'Owner', value: bidi(flag.owner?.name ?? null) ?? 'Nobody' },
          { label: 'Last asked for', value: <DateTime at={flag.last_evaluated_at} show="relative" /> },
          { label: 'Changed', value: <DateTime at={flag.updated_at} show="date-time" /> },
          { label: 'Added by', value: bidi(flag.created_by) },
          { label: 'Added', value: <DateTime at={flag.created_at} show="date-time" /> },
        ]}
      />
      <div className={css['acts']}>
        <Button variant="outlined" size="small" aria-haspopup="dialog" onClick={() => acts.open('viewers', flag)}>
          Who sees this now
        </Button>
        <Button variant="outlined" size="small" aria-haspopup="dialog" onClick={() => acts.open('history', flag)}>
          History
        </Button>
        {isArchived ? (
          <ReasonedButton variant="outlined" size="small" blocked={acts.denial} onClick={() => acts.restore(flag)}>
            Restore
          </ReasonedButton>
        ) : (
          <Changes flag={flag} acts={acts} />
        )}
      </div>
    </>
  )
}

const bidi = (text: string | null) => (text === null ? null : <bdi>{text}</bdi>)

function Changes({ flag, acts }: Props) {
  const block = rolloutBlock(flag)
  return (
    <>
      <ReasonedButton
        {...{ variant: 'outlined', size: 'small', 'aria-haspopup': 'dialog' }}
        blocked={acts.denial ?? (block && 'A rollout is going on. Cancel it first')}
        onClick={() => acts.open('rollout', flag)}
      >
        Roll out in steps
      </ReasonedButton>
      <ReasonedButton
        {...{ variant: 'outlined', size: 'small', 'aria-haspopup': 'dialog' }}
        blocked={acts.denial}
        onClick={() => acts.open('edit', flag)}
      >
        Edit
      </ReasonedButton>
      <ReasonedButton
        {...{ size: 'small', color: 'error', 'aria-haspopup': 'dialog' }}
        blocked={acts.denial ?? (block && 'A rollout is going on. Cancel it first')}
        onClick={() => acts.open('archive', flag)}
      >
        Archive
      </ReasonedButton>
    </>
  )
}
