import * as featureFlags from '@agency/contract/descriptors/feature-flags'
import type { FeatureFlag } from '@agency/contract/types'
import { type FormEvent, useContext, useId, useState } from 'react'
import { RefreshContext } from '../../lib/refresh.ts'
import { useCall } from '../../lib/use-call.ts'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { percentageProblem, readPercentage } from './flag-fields.ts'
import { rolloutBlock, unitTexts } from './flag-words.ts'
import css from './flags.module.css'
import { flagReads } from './flags-list.ts'

/** The percentage, where it is seen. */
export function PercentageForm({ flag }: { flag: FeatureFlag }) {
  const { id, name, version, rollout_percentage, rollout_by } = flag
  const [typed, setTyped] = useState(String(rollout_percentage))
  const [isTried, setTried] = useState(false)
  const update = useCall(featureFlags.updateFeatureFlag, flagReads)
  const refresh = useContext(RefreshContext)
  const field = useId()
  const percentage = readPercentage(typed)
  const block = update.denial ?? rolloutBlock(flag)
  const problem = isTried && percentage === undefined ? percentageProblem : update.error?.message
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (percentage === undefined || percentage === rollout_percentage || block) return
    update.mutate(
      { params: { id }, body: { version, rollout_percentage: percentage } },
      {
        success: `${name}: ${percentage}% of ${unitTexts[rollout_by]}`,
        onError: (error) => {
          if (error.code === 'conflict') void refresh(flagReads)
        },
      },
    )
  }
  return (
    <form className={css['percentage']} onSubmit={handleSubmit} noValidate>
      <label htmlFor={field}>Rollout percentage</label>
      <input
        id={field}
        className={css['figure']}
        inputMode="numeric"
        autoComplete="off"
        maxLength={3}
        value={typed}
        disabled={block !== undefined || update.isPending}
        aria-invalid={problem !== undefined}
        aria-describedby={`${field}-text`}
        onChange={(event) => setTyped(event.target.value)}
      />
      <span className={css['muted']}>% of {unitTexts[rollout_by]}</span>
      <ReasonedButton type="submit" variant="outlined" size="small" blocked={block} loading={update.isPending}>
        Save percentage
      </ReasonedButton>
      <p
        id={`${field}-text`}
        className={css['hint']}
        role={problem ? 'alert' : undefined}
        data-problem={problem !== undefined}
      >
        {problem ?? block ?? 'Whoever sees it already stays in when the percentage grows'}
      </p>
    </form>
  )
}
