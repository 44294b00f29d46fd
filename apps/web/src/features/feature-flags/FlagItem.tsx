import * as featureFlags from '@agency/contract/descriptors/feature-flags'
import type { FeatureFlag } from '@agency/contract/types'
import { useContext, useId } from 'react'
import { RefreshContext } from '../../lib/refresh.ts'
import { useCall } from '../../lib/use-call.ts'
import { Icon } from '../../ui/Icon.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { FlagDetails } from './FlagDetails.tsx'
import { percentageText, rolloutChips, stageChips } from './flag-words.ts'
import css from './flags.module.css'
import { flagReads } from './flags-list.ts'
import type { FlagActs } from './use-flag-acts.tsx'

type Props = { flag: FeatureFlag; isOpen: boolean; acts: FlagActs; onToggle: (isOpen: boolean) => void }

/** A flag in one line, and below it all of it. */
export function FlagItem({ flag, isOpen, acts, onToggle }: Props) {
  const id = useId()
  const isArchived = flag.stage === 'archived'
  return (
    <li className={css['item']}>
      <div className={css['head']}>
        <h2 className={css['name']}>
          <button type="button" aria-expanded={isOpen} aria-controls={`${id}-body`} onClick={() => onToggle(!isOpen)}>
            <Icon name={isOpen ? 'expand' : 'chevronRight'} />
            <bdi>{flag.name}</bdi>
          </button>
        </h2>
        <FlagChips flag={flag} />
        <span className={css['share']}>{flag.enabled && !isArchived ? percentageText(flag) : null}</span>
        {isArchived ? null : <FlagSwitch flag={flag} />}
      </div>
      <div id={`${id}-body`} className={css['body']} hidden={!isOpen}>
        {isOpen ? <FlagDetails flag={flag} acts={acts} /> : null}
      </div>
    </li>
  )
}

function FlagChips({ flag }: { flag: FeatureFlag }) {
  const { stage, stale, rollout } = flag
  const isPaused = rollout?.state === 'paused'
  return (
    <span className={css['chips']}>
      <StatusChip {...stageChips[stage]} />
      {isPaused ? <StatusChip {...rolloutChips.paused} title={rollout.reason ?? ''} /> : null}
      {stale === null ? null : <StatusChip tone="warning" label="Stale" title={stale} />}
    </span>
  )
}

/** To switch off asks for nothing and holds whatever others do meanwhile; to switch on needs the newest state. */
function FlagSwitch({ flag: { id, name, enabled, version } }: { flag: FeatureFlag }) {
  const update = useCall(featureFlags.updateFeatureFlag, flagReads)
  const refresh = useContext(RefreshContext)
  const handleChange = (isOn: boolean) =>
    update.mutate(
      { params: { id }, body: isOn ? { enabled: true, version } : { enabled: false } },
      {
        success: `Switched ${isOn ? 'on' : 'off'}: ${name}`,
        failure: `Not changed: ${name}`,
        onError: (error) => {
          if (error.code === 'conflict') void refresh(flagReads)
        },
      },
    )
  return (
    <Switch
      checked={enabled}
      label={`${name} enabled`}
      disabled={update.isPending}
      blocked={update.denial}
      onChange={handleChange}
    />
  )
}
